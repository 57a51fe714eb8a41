/**
 * The priority of helper processes, so that no tap waits for their work.
 *
 * Invariant: on Linux a priority belongs to a thread, so it is set for each thread of the process. A new thread
 * inherits the priority of its creator.
 */
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Gives a process that was just started the lowest priority, so that its start delays no tap either. */
export function giveLowestPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended, or takes the priority later by itself.
  }
}

/** Gives this process the lowest priority of the system, including the threads that compile WebAssembly. */
export function takeLowestPriority(): void {
  setPriority(constants.priority.PRIORITY_LOW);
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), constants.priority.PRIORITY_LOW);
    } catch {
      // The thread has ended in the meantime.
    }
  }
}
