/**
 * Whether the npm that started us is still there.
 *
 * Invariant: only npm and the shell it runs a script in are watched; what started npm may go (a closed session).
 * npm may be killed without us hearing of it, because a shell stands between the two.
 */
import { basename } from 'node:path';
import { read } from './process-id.mjs';

/** Gives a look that is false from the moment npm is gone; always true where no npm started us. */
export function watchNpm() {
  if (process.env.npm_lifecycle_event === undefined) return () => true;
  const parent = process.ppid;
  const shell = /^(sh|dash|bash)$/.test(basename((read(`/proc/${parent}/comm`) ?? '').trim()));
  const grandparent = shell ? parentOf(parent) : null;
  return () => process.ppid === parent && (grandparent === null || parentOf(parent) === grandparent);
}

/** Field 4 of proc(5) stat; null where there is no /proc. */
function parentOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
}
