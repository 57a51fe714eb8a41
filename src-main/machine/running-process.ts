/**
 * Whether a process runs, asked by its id.
 *
 * Invariant: asking changes nothing.
 */

/** True when a process of that id runs. Signal 0 asks only; EPERM means that it runs and belongs to somebody else. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
