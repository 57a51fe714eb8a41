/**
 * Chooses the shell of this start.
 *
 * Invariants:
 * - `auto` never fails: if Electron cannot run, the browser shell runs, and one sentence gives the reason;
 * - Electron's runtime is fetched only if it could be used;
 * - a fetch takes at most ten seconds. After a failed fetch, `auto` does not fetch for a day, so that starts stay quick
 *   and need no network.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasDisplay } from '../machine/open-address.ts';
import type { Options } from './options.ts';

/** `reason`: why `auto` did not choose Electron; null when the user chose the browser shell. */
export type ShellChoice =
  | { readonly kind: 'electron'; readonly binary: string }
  | { readonly kind: 'browser'; readonly reason: string | null }
  | { readonly kind: 'refused'; readonly sentence: string };

/** The machine's properties that decide; tests replace them. */
export type Machine = {
  readonly display: boolean;
  /** Root on Linux: Electron's sandbox does not work for it, and we do not run Electron without the sandbox. */
  readonly root: boolean;
  /** Path of Electron's runtime, or null. */
  readonly electron: () => string | null;
  /** Whether a fetch has failed within the last day. */
  readonly failedLately: () => boolean;
  /** Fetches the runtime within ten seconds. */
  readonly fetch: () => Promise<boolean>;
};

/** Chooses; fetches Electron's runtime if only that is missing. */
export async function chooseShell(wanted: Options['shell'], machine: Machine): Promise<ShellChoice> {
  if (wanted === 'browser') return { kind: 'browser', reason: null };
  const found = await findElectron(machine, wanted === 'electron');
  if ('binary' in found) return { kind: 'electron', binary: found.binary };
  if (wanted === 'auto') return { kind: 'browser', reason: `Shown in a browser, because ${found.obstacle}.` };
  return {
    kind: 'refused',
    sentence: `The Electron shell cannot start, because ${found.obstacle}; try --shell browser.`,
  };
}

async function findElectron(
  machine: Machine,
  insist: boolean,
): Promise<{ readonly binary: string } | { readonly obstacle: string }> {
  if (!machine.display) return { obstacle: 'this machine has no display for a window' };
  if (machine.root) return { obstacle: "Electron's sandbox does not work for root" };
  const present = machine.electron();
  if (present !== null) return { binary: present };
  if (machine.failedLately() && !insist) return { obstacle: "Electron's runtime could not be fetched" };
  const binary = (await machine.fetch()) ? machine.electron() : null;
  return binary === null ? { obstacle: "Electron's runtime could not be fetched" } : { binary };
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const electronFolder = join(root, 'node_modules', 'electron');
const failureNote = join(root, '.runtime', 'electron-not-fetched');
const DAY_MS = 24 * 60 * 60 * 1000;
const FETCH_MS = 10_000;

/** The machine this process runs on. */
export const thisMachine: Machine = {
  display: hasDisplay(),
  root: process.platform === 'linux' && process.getuid?.() === 0,
  electron: () => {
    const name = read(join(electronFolder, 'path.txt'));
    const binary = name === null ? null : join(electronFolder, 'dist', name);
    return binary !== null && existsSync(binary) ? binary : null;
  },
  failedLately: () => {
    const age = Date.now() - Number(read(failureNote) ?? 0);
    return age >= 0 && age < DAY_MS;
  },
  fetch: async () => {
    process.stderr.write('Fetching the runtime of Electron ...\n');
    const done = await ends(
      spawn(process.execPath, [join(electronFolder, 'install.js')], { stdio: 'ignore' }),
    );
    if (!done) note();
    return done;
  },
};

/** If this fails, the next start tries to fetch again, which is only slower. */
function note(): void {
  try {
    writeFileSync(failureNote, String(Date.now()));
  } catch {
    return;
  }
}

function ends(child: ReturnType<typeof spawn>): Promise<boolean> {
  const timer = setTimeout(() => child.kill('SIGKILL'), FETCH_MS);
  return new Promise((resolve) => {
    const end = (good: boolean) => {
      clearTimeout(timer);
      resolve(good);
    };
    child.once('error', () => end(false));
    child.once('exit', (code) => end(code === 0));
  });
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
