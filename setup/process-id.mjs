/**
 * Identifies processes, and watches the npm that started this one.
 *
 * Invariants:
 * - with /proc, a process is identified by its id and start time, so that a later process with the same id differs;
 *   without /proc, it is identified by its id only;
 * - only npm and the shell in which npm runs a script are watched, because this process is a child of the shell and
 *   gets no signal when npm ends. The program that started npm is not watched: it may end first (a closed session).
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Text of a file, or null when it cannot be read. */
export function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** The name of a running process, for `lives`. */
export function owner(pid) {
  return `${pid} ${startOf(pid)}`;
}

/** Whether the process with this name still runs. */
export function lives(name) {
  const pid = Number(name.split(' ', 1)[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return owner(pid) === name;
}

/** Clock ticks from boot to start (proc(5), field 22); `-` without /proc or the process. */
function startOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return stat === null ? '-' : stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** Returns a function that checks whether the npm that started us still runs; always true without npm. */
export function watchNpm() {
  if (process.env.npm_lifecycle_event === undefined) return () => true;
  const parent = process.ppid;
  const shell = /^(sh|dash|bash)$/.test(basename((read(`/proc/${parent}/comm`) ?? '').trim()));
  const grandparent = shell ? parentOf(parent) : null;
  return () => process.ppid === parent && (grandparent === null || parentOf(parent) === grandparent);
}

/** The parent's id (field 4 of proc(5) stat); null without /proc. */
function parentOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
}
