/**
 * Keeping facts, and saying honestly when the disk refuses.
 *
 * Invariant: a fault of the disk becomes data; nothing escapes, and nothing is called kept that is not.
 */
import type { FailedReason } from '../../contract/tap.ts';
import type { Log } from '../ports.ts';
import { storageFault } from './database.ts';

export type StorageGuard = {
  /** Runs what records; `kept` only when it returned. */
  readonly attempt: <Result>(
    work: () => Result,
  ) =>
    | { readonly kind: 'kept'; readonly result: Result }
    | { readonly kind: 'failed'; readonly reason: FailedReason };
};

export type StorageGuardPorts = {
  readonly log: Log;
  /** Something was recorded, or could not be (with the reason). */
  readonly onRecorded: (fault: FailedReason | null) => void;
};

/** The keeper of one device. */
export function createStorageGuard({ log, onRecorded }: StorageGuardPorts): StorageGuard {
  return {
    attempt: (work) => {
      try {
        const result = work();
        onRecorded(null);
        return { kind: 'kept', result };
      } catch (error) {
        const reason: FailedReason = storageFault(error) ?? 'failing';
        log.error('something could not be saved', {
          reason,
          error: error instanceof Error ? error.message : 'unknown',
        });
        onRecorded(reason);
        return { kind: 'failed', reason };
      }
    },
  };
}
