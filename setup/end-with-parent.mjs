/**
 * Loaded before the program of a child process: when the parent is gone, the child is asked to end, and killed if it has
 * not within two seconds, also where its thread hangs (a log that waits for a full disk).
 *
 * Invariants: it never keeps a program running that has nothing more to do; children of the child do not inherit it.
 */
import { Worker } from 'node:worker_threads';

const ownArgument = process.execArgv.indexOf(import.meta.url);
if (ownArgument > 0) process.execArgv.splice(ownArgument - 1, 2);
process.channel?.unref();
process.once('disconnect', () => {
  // A thread of its own, because no timer of this one fires while it hangs.
  new Worker("setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2000)", { eval: true }).unref();
  if (process.listenerCount('SIGTERM') === 0) process.exit(1);
  process.emit('SIGTERM', 'SIGTERM');
});
