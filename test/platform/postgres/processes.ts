/** Platform processes of a test, on one PostgreSQL database or on the SQLite files of a folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const entry = join(import.meta.dirname, '../../../src-platform/main.ts');

export type PlatformNode = {
  readonly origin: string;
  readonly logged: () => string;
  readonly stop: () => Promise<void>;
  /** Kills the process at once, like a power cut. */
  readonly kill: () => Promise<void>;
  /** The signal that ended the process, or null if it exited by itself. */
  readonly ended: Promise<NodeJS.Signals | null>;
};

/** Starts one process and waits until it serves. */
export const startProcess = async (
  database: string | null,
  folder: string,
  name: string,
  more: readonly string[] = [],
): Promise<PlatformNode> => {
  const log = join(folder, `${name}.log`);
  const where = database === null ? [] : ['--database', database];
  const args = ['--port', '0', '--data', folder, ...where, '--log', log, ...more];
  const child: ChildProcess = spawn(process.execPath, [entry, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await ended;
  };
  if (!child.stdout) throw new Error('The process has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const origin = /^(?:Demo p|P)latform: (http:\/\/[^/]+)/.exec(line)?.[1];
    if (origin === undefined) continue;
    return {
      origin,
      logged: () => readFileSync(log, 'utf8'),
      stop: () => end('SIGTERM'),
      kill: () => end('SIGKILL'),
      ended,
    };
  }
  throw new Error('The process ended before it served');
};
