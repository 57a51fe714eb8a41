/**
 * Platform processes of a test on one PostgreSQL database.
 */
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
  /** Ends the process at once, as a loss of power does. */
  readonly kill: () => Promise<void>;
};

/** Starts one process and waits until it serves. */
export const startProcess = async (
  database: string,
  folder: string,
  name: string,
  more: readonly string[] = [],
): Promise<PlatformNode> => {
  const log = join(folder, `${name}.log`);
  const args = ['--port', '0', '--data', folder, '--database', database, '--log', log, ...more];
  const child: ChildProcess = spawn(process.execPath, [entry, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
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
    };
  }
  throw new Error('The process ended before it served');
};
