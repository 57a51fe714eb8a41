/** The platform as users start it: in its own process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../src-platform/main.ts', import.meta.url));

export type Finished = { readonly code: number | null; readonly out: string; readonly err: string };

export type Child = {
  readonly process: ChildProcess;
  readonly out: () => string;
  /** Resolves with the first line of standard output. */
  readonly firstLine: Promise<string>;
  readonly finished: Promise<Finished>;
};

/** Starts `main.ts` with these arguments. */
export const startChild = (...args: readonly string[]): Child => {
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stderr.on('data', (part) => {
    err += part;
  });
  const finished = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (part) => {
      out += part;
      if (out.includes('\n')) resolve(out.slice(0, out.indexOf('\n')));
    });
    finished.then(() => reject(new Error(`The platform ended before it was up: ${err}`)), reject);
  });
  // A caller that only waits for the exit does not need the line.
  firstLine.catch(() => undefined);
  return { process: child, out: () => out, firstLine, finished };
};

/** Runs `main.ts` to its end. */
export const runChild = (...args: readonly string[]): Promise<Finished> => startChild(...args).finished;
