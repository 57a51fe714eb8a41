/**
 * The reader process under plain Node: a forked child with a JSON channel.
 *
 * Invariants:
 * - The child cannot ignore `kill`.
 * - A child that lost its parent ends itself.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { childEnvironment } from '../../machine/child-environment.ts';
import type { ReaderProcess } from './reader-run.ts';

/** Starts the reader process whose program is `entry`. */
export function forkReaderProcess(entry: string): ReaderProcess {
  return readerProcessOf(
    fork(entry, [], {
      execArgv: [],
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    }),
  );
}

/** Maximum length of the child's error output in the log, in characters. */
const maxErrorOutput = 2000;

/** Wraps a child process with an IPC channel for the supervisor. `kill` defaults to SIGKILL of the child itself. */
export function readerProcessOf(
  child: ChildProcess,
  kill: () => void = () => void child.kill('SIGKILL'),
): ReaderProcess {
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-maxErrorOutput);
  });
  return {
    send: (message) => {
      if (child.connected) child.send(message as never, () => undefined);
    },
    onMessage: (hear) => void child.on('message', hear),
    onExit: (hear) => {
      child.once('error', (error) => hear(error.message));
      child.once('exit', (code, signal) => hear(`${signal ?? `code ${code}`} ${errorOutput}`.trim()));
    },
    kill,
  };
}
