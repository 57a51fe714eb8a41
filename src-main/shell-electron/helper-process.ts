/**
 * Helper processes (core, reader, demo platform, drawing, text reading, sharing hub) that the shell starts.
 *
 * A package contains no Node.js, so they are Electron's utility processes there. From a source tree they run on the
 * pinned Node.js, which runs TypeScript.
 *
 * Invariants:
 * - they end with the app, even if it crashes;
 * - a process cannot ignore `end(true)`;
 * - nothing is sent to a process that has ended.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { childEnvironment } from '../machine/child-environment.ts';
import type { ElectronApi } from './electron-api.ts';

/** A running helper. The listener of `onExit` gets the reason. */
export type HelperProcess = {
  readonly send: (message: unknown) => void;
  readonly onMessage: (listener: (message: unknown) => void) => void;
  readonly onLine: (listener: (line: string) => void) => void;
  readonly onExit: (listener: (how: string) => void) => void;
  /** Asks it to shut down; `force` kills it. */
  readonly end: (force: boolean) => void;
};

/** What to start: name in process lists, program, arguments. */
export type HelperProgram = {
  readonly name: string;
  readonly entry: string;
  readonly args: readonly string[];
  /** `lines`: the shell reads it; `own`: the app's own output; `none`: discarded. */
  readonly output: 'lines' | 'own' | 'none';
  /** Whether it ends by itself when this process ends. */
  readonly endsItself: boolean;
};

/** Paths of a Node.js, and of a module that ends a program when its parent has ended. */
export type NodeRuntime = { readonly program: string; readonly endWithParent: string };

/** Starts a helper as a utility process of Electron. */
export function forkUtility(
  { fork }: ElectronApi['utilityProcess'],
  { name, entry, args, output }: HelperProgram,
): HelperProcess {
  const stdout = ({ lines: 'pipe', own: 'inherit', none: 'ignore' } as const)[output];
  const child = fork(entry, [...args], {
    serviceName: name,
    env: childEnvironment(),
    stdio: ['ignore', stdout, output === 'own' ? 'inherit' : 'ignore'],
  });
  let gone = false;
  let fault: string | null = null;
  // The third argument is a report with the environment, which may contain the key. It is discarded.
  child.on('error', (type, location) => {
    fault = `${type} in ${location}`;
  });
  child.on('exit', () => {
    gone = true;
  });
  return {
    send: (message) => {
      if (!gone) child.postMessage(message);
    },
    onMessage: (listener) => void child.on('message', listener),
    onLine: (listener) => {
      if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', listener);
    },
    onExit: (listener) => void child.on('exit', (code) => listener(fault ?? `code ${code}`)),
    end: (force) => {
      if (gone) return;
      if (force) killNow(child.pid);
      else child.kill();
    },
  };
}

/** `kill` of a utility process sends SIGTERM, which a process that hangs in native code ignores. */
function killNow(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Starts a helper on Node.js. */
export function spawnNode(
  { program, endWithParent }: NodeRuntime,
  { entry, args, output, endsItself }: HelperProgram,
): HelperProcess {
  const stdout = ({ lines: 'pipe', own: 'inherit', none: 'ignore' } as const)[output];
  const watch = endsItself ? [] : ['--import', pathToFileURL(endWithParent).href];
  const child = spawn(program, [...watch, entry, ...args], {
    env: childEnvironment(),
    stdio: ['ignore', stdout, output === 'own' ? 'inherit' : 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
  return {
    send: (message) => {
      if (child.connected) child.send(message as object, () => undefined);
    },
    onMessage: (listener) => void child.on('message', listener),
    onLine: (listener) => {
      if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', listener);
    },
    onExit: (listener) => {
      child.once('error', (error) => listener(error.message));
      child.once('exit', (code, signal) => listener(signal ?? `code ${code}`));
    },
    end: (force) => void child.kill(force ? 'SIGKILL' : 'SIGTERM'),
  };
}
