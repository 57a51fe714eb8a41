/**
 * Keeping facts, and saying honestly when the disk refuses.
 *
 * Invariants: a fault of the disk becomes data; nothing escapes, and nothing is called kept that is not; that the journal
 * still lies in its folder is looked at before (so that nothing is recorded where it will be lost) and after the commit.
 */
import type { FailedReason } from '../../../contract/tap.ts';
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
  /** Whether the journal's files are still the ones in the data folder. */
  readonly isInPlace: () => boolean;
  /** A fault the disk is to have for a rehearsal; null (or absent): none. Nothing is recorded while there is one. */
  readonly rehearsed?: () => FailedReason | null;
  /** Something was recorded, or could not be (with the reason). */
  readonly onRecorded: (fault: FailedReason | null) => void;
};

/** The storage guard of one device. */
export function createStorageGuard({
  log,
  isInPlace,
  rehearsed = () => null,
  onRecorded,
}: StorageGuardPorts): StorageGuard {
  return {
    attempt: (work) => {
      const pretended = rehearsed();
      if (pretended !== null) {
        onRecorded(pretended);
        return { kind: 'failed', reason: pretended };
      }
      try {
        assertInPlace(isInPlace);
        const result = work();
        assertInPlace(isInPlace);
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

function assertInPlace(isInPlace: () => boolean): void {
  if (!isInPlace()) throw new Error('the journal is no longer in the data folder');
}
