/**
 * The processes of `npm run bench -- sync`: the platform, and one process for each measurement.
 *
 * Invariants:
 * - Every measurement runs in its own process and starts cold. So no side benefits from code that ran before, and the
 *   memory is the memory of one program.
 * - Every process ends with the bench.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import kioskFlags from '../../../setup/kiosk-flags.json' with { type: 'json' };

const KIOSK_ROLES = ['firstSync', 'begin', 'drain'];
const root = join(import.meta.dirname, '../../..');
const platformEntry = join(root, 'src-platform/main.ts');
const endWithParent = pathToFileURL(join(root, 'setup/end-with-parent.mjs')).href;

/** The access of a kiosk or a bare client to the platform. */
export type Access = { readonly baseUrl: string; readonly key: string; readonly expoId: string };

export type Running = { readonly access: Access; readonly stop: () => Promise<void> };

export type Child = {
  readonly pid: number;
  /** The next line that it prints. Null if it exits instead. */
  readonly line: () => Promise<string | null>;
  /** Sends a message to the child. Returns the next message of the child, which must answer this one. */
  readonly ask: (message: string) => Promise<unknown>;
  readonly stop: () => Promise<void>;
};

/** Starts one of our programs. */
export const startChild = (args: readonly string[], cwd = root): Child => {
  const child: ChildProcess = spawn(process.execPath, ['--import', endWithParent, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    line: async () => {
      const next = await lines.next();
      return next.done === true ? null : next.value;
    },
    ask: async (message) => {
      const answered = once(child, 'message');
      child.send(message);
      return ((await answered) as unknown[])[0];
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
};

/** Runs one role of `child.ts` to its end and returns its result. The kiosk runs in the way `npm start` runs it. */
export const measured = async <Found>(role: string, task: unknown): Promise<Found> => {
  const flags = KIOSK_ROLES.includes(role) ? kioskFlags : [];
  const child = startChild([...flags, join(import.meta.dirname, 'child.ts'), role, JSON.stringify(task)]);
  try {
    const line = await child.line();
    if (line === null) throw new Error(`The process that measures ${role} ended early`);
    return JSON.parse(line) as Found;
  } finally {
    await child.stop();
  }
};

/** Adds a key with the right to write to the platform with its data in `folder`. Returns the key. */
export const addPlatformKey = async (folder: string): Promise<string> => {
  const keys = ['keys', 'add', '--data', folder, '--name', 'bench', '--write', '--connections'];
  const maker = startChild([platformEntry, ...keys]);
  await maker.line();
  const key = await maker.line();
  await maker.stop();
  if (key === null) throw new Error('The platform made no key');
  return key;
};

/**
 * Starts the real platform with its data in `folder`, a demo event of this many visitors, and a key with the right to
 * write. `more`: further options of its command line.
 */
export const startPlatform = async (
  folder: string,
  visitors: number,
  more: readonly string[] = [],
): Promise<Running> => {
  const log = join(folder, 'log');
  const seeded = ['--port', '0', '--data', folder, '--seed', String(visitors), '--log', log];
  const platform = startChild([platformEntry, ...seeded, ...more]);
  const line = await platform.line();
  const baseUrl = line?.replace(/^Platform: /, '') ?? '';
  if (!URL.canParse(baseUrl)) throw new Error('The platform did not come up');
  const key = await addPlatformKey(folder);
  return { access: { baseUrl, key, expoId: 'AD2026' }, stop: platform.stop };
};
