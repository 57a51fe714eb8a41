/** The drawing process under plain Node: a forked child that structured clones are sent to. */
import { fork } from 'node:child_process';
import type { DrawingProcess } from './picture-drawer.ts';

/** Starts the drawing process whose program is `entry`. */
export function forkDrawingProcess(entry: string): DrawingProcess {
  const child = fork(entry, [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  // A picture in progress does not keep a program alive that has ended its work.
  child.unref();
  child.channel?.unref();
  return {
    send: (message) => {
      if (child.connected) child.send(message as never, () => undefined);
    },
    onMessage: (hear) => void child.on('message', hear),
    onExit: (hear) => {
      child.once('error', (error) => hear(error.message));
      child.once('exit', (code, signal) => hear(signal ?? `code ${code}`));
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
