/**
 * Loaded before the program of a child process: when the parent is gone, the child is asked to end, and made to
 * if it has not within two seconds.
 *
 * Invariants: it never keeps a program running that has nothing more to do; children of the child do not inherit it.
 */
const ownArgument = process.execArgv.indexOf(import.meta.url);
if (ownArgument > 0) process.execArgv.splice(ownArgument - 1, 2);
process.channel?.unref();
process.once('disconnect', () => {
  setTimeout(() => process.exit(1), 2000).unref();
  if (process.listenerCount('SIGTERM') === 0) process.exit(1);
  process.emit('SIGTERM', 'SIGTERM');
});
