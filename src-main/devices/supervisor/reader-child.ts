/**
 * The reader process under plain Node: a forked child with a JSON line to it.
 *
 * Invariant: `kill` cannot be refused; a child whose parent is gone ends itself.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ReaderProcess } from './supervisor.ts';

/** Starts the reader process of this source tree. */
export function forkReaderProcess(): ReaderProcess {
  return readerProcessOf(
    fork(fileURLToPath(new URL('../reader/reader-process.ts', import.meta.url)), [], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    }),
  );
}

/** Longest piece of the child's last words that goes into the log, in characters. */
const mostLastWords = 2000;

/** A child process with an IPC line as the supervisor needs it. `kill` defaults to SIGKILL of the child itself. */
export function readerProcessOf(
  child: ChildProcess,
  kill: () => void = () => void child.kill('SIGKILL'),
): ReaderProcess {
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-mostLastWords);
  });
  return {
    send: (message) => {
      if (child.connected) child.send(message as never, () => undefined);
    },
    onMessage: (hear) => void child.on('message', hear),
    onExit: (hear) => {
      child.once('error', (error) => hear(error.message));
      child.once('exit', (code, signal) => hear(`${signal ?? `code ${code}`} ${lastWords}`.trim()));
    },
    kill,
  };
}
