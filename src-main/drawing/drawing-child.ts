/** Starts the drawing process on plain Node.js, as a forked child that receives structured clones. */
import { fork } from 'node:child_process';
import type { DrawingProcess } from './picture-drawer.ts';

/** Starts the drawing process whose program is `entry`. */
export function forkDrawingProcess(entry: string): DrawingProcess {
  const child = fork(entry, [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  // A picture in progress does not keep this program running.
  child.unref();
  child.channel?.unref();
  return {
    send: (message) => {
      if (child.connected) child.send(message as never, () => undefined);
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => {
      child.once('error', (error) => listener(error.message));
      child.once('exit', (code, signal) => listener(signal ?? `code ${code}`));
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
