/**
 * Checks and starts the card service with the virtual reader, for playing badges.
 *
 * Invariants:
 * - a running service is left as it is;
 * - a service that is started here exits a minute after its last client disconnects (pcscd, `--auto-exit`).
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Clock } from '../../core/foundations/ports.ts';
import { createServiceQuestion } from '../../devices/reader/card-service.ts';

/** How the service runs, or one sentence why it does not. */
export type ServiceOutcome = 'running' | 'started' | { readonly missing: string };

const startsWithin = 10_000;
const readerFolder = '/etc/reader.conf.d';

/** Ensures that a card service runs. `sleep` waits between polls. */
export async function ensureCardService(sleep: Clock['sleep']): Promise<ServiceOutcome> {
  const ask = createServiceQuestion(askNative, { sleep });
  const state = await ask();
  if (state === 'up') return 'running';
  if (state === 'silent') return { missing: 'The card service does not answer; restart pcscd.' };
  const missing = missingPackages();
  if (missing !== null) return { missing };
  const failure = startService();
  for (let waited = 0; waited < startsWithin; waited += 100) {
    if ((await ask()) === 'up') return 'started';
    await sleep(100);
  }
  const why = (await Promise.race([failure, sleep(0).then(() => '')])).trim();
  return {
    missing: `The card service pcscd could not be started${why === '' ? '' : ` (${why})`}; it needs root.`,
  };
}

/** Also rejects when the library of the card service, which is loaded only now, is not installed. */
async function askNative(): Promise<void> {
  const { openServiceQuestion } = await import('@pokusew/pcsclite');
  await openServiceQuestion()();
}

/** True when the virtual reader is configured in this machine's card service. */
export function hasVirtualReader(): boolean {
  return (
    existsSync(readerFolder) &&
    readdirSync(readerFolder).some((name) => readFileSync(join(readerFolder, name), 'utf8').includes('vpcd'))
  );
}

/** One sentence that names the missing packages, or null. */
export function missingPackages(): string | null {
  if (process.platform !== 'linux')
    return 'The virtual reader needs Linux with pcscd; use the demo tray of the app instead.';
  const names = [
    ...(programPath('pcscd') === null ? ['pcscd'] : []),
    ...(hasVirtualReader() ? [] : ['vsmartcard-vpcd']),
  ];
  if (names.length === 0) return null;
  return `Missing Debian ${names.length === 1 ? 'package' : 'packages'}: ${names.join(', ')} (apt-get install ${names.join(' ')}).`;
}

/** Starts pcscd, which continues after this program ends. Resolves with its error output if it exits. */
function startService(): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(programPath('pcscd') ?? 'pcscd', ['--auto-exit'], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(0, 300);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('exit', () => resolve(words));
    child.unref();
  });
}

function programPath(name: string): string | null {
  return (
    [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path)) ?? null
  );
}
