/**
 * Preloaded into a child process, so that the child ends with its parent. When the parent has ended, the child shuts
 * down as after SIGTERM, and gets SIGKILL two seconds later, even if its main thread hangs (a log on a full disk).
 *
 * Invariants:
 * - it does not prevent a finished program from exiting;
 * - children of the child do not inherit it.
 */
import { Worker } from 'node:worker_threads';

const ownArgument = process.execArgv.indexOf(import.meta.url);
if (ownArgument > 0) process.execArgv.splice(ownArgument - 1, 2);
process.channel?.unref();
process.once('disconnect', () => {
  // In its own thread, because timers do not fire while the main thread hangs.
  new Worker("setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2000)", { eval: true }).unref();
  if (process.listenerCount('SIGTERM') === 0) process.exit(1);
  process.emit('SIGTERM', 'SIGTERM');
});
