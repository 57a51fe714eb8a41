/**
 * Reading what screens are told, also while the disk answers with faults.
 *
 * Invariants: a read never throws; where it fails, what was last known is given again, with the fault beside it, so that
 * nobody takes it for the truth of now; a fault is logged once, and so is its end.
 */
import type { Storage } from '../../../contract/device.ts';
import type { Log } from '../../foundations/ports.ts';
import { storageFault } from '../../foundations/store/database.ts';

/** What was read, or last known, and why it could not be read now. */
export type SafeReading<Value> = { readonly value: Value; readonly fault: Exclude<Storage, 'ok'> | null };

/** A reader that has read once. `what` names it in the log. @throws what `read` throws that first time */
export function createSafeReader<Value>(what: string, read: () => Value, log: Log): () => SafeReading<Value> {
  let value = read();
  let isFaulty = false;
  return () => {
    try {
      value = read();
      if (isFaulty) log.info(`${what} can be read again`);
      isFaulty = false;
      return { value, fault: null };
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      if (!isFaulty) log.error(`${what} cannot be read`, { error: reason });
      isFaulty = true;
      return { value, fault: storageFault(error) ?? 'failing' };
    }
  };
}
