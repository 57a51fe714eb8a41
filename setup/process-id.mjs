/**
 * A process named so that a process id used again by another program is not taken for it: id and start time.
 */
import { readFileSync } from 'node:fs';

/** Text of a file, or null where there is none. */
export function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** The name of a running process, as `lives` understands it. */
export function owner(pid) {
  return `${pid} ${startOf(pid)}`;
}

/** Whether the process of that name still runs. */
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

/** Clock ticks from boot to start (proc(5), field 22); `-` where there is no /proc or no such process. */
function startOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return stat === null ? '-' : stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}
