/**
 * Our helper processes (core, reader, demo platform) as the shell starts them.
 *
 * A package has no Node.js of its own: there they are Electron's utility processes. From a source tree they run on the
 * pinned Node.js, which runs TypeScript as it stands.
 *
 * Invariants: they end with the app, whichever way it ends; `end(true)` cannot be refused; nothing is sent to one that
 * is gone.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { ElectronApi } from './electron-api.ts';

/** A running helper. `onExit` is called once, with how it ended. */
export type HelperProcess = {
  readonly send: (message: unknown) => void;
  readonly onMessage: (hear: (message: unknown) => void) => void;
  readonly onLine: (hear: (line: string) => void) => void;
  readonly onExit: (hear: (how: string) => void) => void;
  /** Asks it to end; `force` does not ask. */
  readonly end: (force: boolean) => void;
};

/** What to start: name in lists of processes, program, arguments. */
export type HelperProgram = {
  readonly name: string;
  readonly entry: string;
  readonly args: readonly string[];
  /** `lines`: read by us; `own`: goes where the app's goes; `none`: nowhere. */
  readonly output: 'lines' | 'own' | 'none';
  /** Whether it notices by itself that we are gone. */
  readonly endsItself: boolean;
};

/** A Node.js, and a module that ends a program on it whose parent is gone. Both are paths. */
export type NodeRuntime = { readonly program: string; readonly endWithParent: string };

/** Starts one as a utility process of Electron. */
export function forkUtility(
  { fork }: ElectronApi['utilityProcess'],
  { name, entry, args, output }: HelperProgram,
): HelperProcess {
  const stdout = ({ lines: 'pipe', own: 'inherit', none: 'ignore' } as const)[output];
  const child = fork(entry, [...args], {
    serviceName: name,
    stdio: ['ignore', stdout, output === 'own' ? 'inherit' : 'ignore'],
  });
  let gone = false;
  let fault: string | null = null;
  // The report beside them holds the environment and so perhaps the key: it is dropped.
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
    onMessage: (hear) => void child.on('message', hear),
    onLine: (hear) => {
      if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', hear);
    },
    onExit: (hear) => void child.on('exit', (code) => hear(fault ?? `code ${code}`)),
    end: (force) => {
      if (gone) return;
      if (force) killNow(child.pid);
      else child.kill();
    },
  };
}

/** `kill` of a utility process only asks (SIGTERM); a process that hangs in native code does not hear that. */
function killNow(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Starts one on Node.js. */
export function spawnNode(
  { program, endWithParent }: NodeRuntime,
  { entry, args, output, endsItself }: HelperProgram,
): HelperProcess {
  const stdout = ({ lines: 'pipe', own: 'inherit', none: 'ignore' } as const)[output];
  const watch = endsItself ? [] : ['--import', pathToFileURL(endWithParent).href];
  const child = spawn(program, [...watch, entry, ...args], {
    stdio: ['ignore', stdout, output === 'own' ? 'inherit' : 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
  return {
    send: (message) => {
      if (child.connected) child.send(message as object, () => undefined);
    },
    onMessage: (hear) => void child.on('message', hear),
    onLine: (hear) => {
      if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', hear);
    },
    onExit: (hear) => {
      child.once('error', (error) => hear(error.message));
      child.once('exit', (code, signal) => hear(signal ?? `code ${code}`));
    },
    end: (force) => void child.kill(force ? 'SIGKILL' : 'SIGTERM'),
  };
}
