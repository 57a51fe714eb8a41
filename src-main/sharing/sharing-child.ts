/**
 * The process of the sharing hub on plain Node.js.
 *
 * Invariant: it ends by itself when its channel to this process closes.
 */
import { fork } from 'node:child_process';
import { childEnvironment } from '../machine/child-environment.ts';

/** A running sharing hub, on plain Node.js or as Electron's utility process. */
export type SharingProcess = {
  readonly send: (message: unknown) => void;
  readonly onMessage: (listener: (message: unknown) => void) => void;
  readonly onExit: (listener: (how: string) => void) => void;
  /** Asks it to shut down; `force` kills it. */
  readonly end: (force: boolean) => void;
};

/** Starts the hub whose program is `entry`. */
export function forkSharing(entry: string): SharingProcess {
  const child = fork(entry, [], {
    execArgv: [],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return {
    send: (message) => {
      if (child.connected) child.send(message as object, () => undefined);
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => {
      child.once('error', (error) => listener(error.message));
      child.once('exit', (code, signal) => listener(signal ?? `code ${code}`));
    },
    end: (force) => void child.kill(force ? 'SIGKILL' : 'SIGTERM'),
  };
}
