/**
 * Records facts and reports whether the disk accepted them.
 *
 * Invariants:
 * - A disk fault becomes data. `attempt` never throws, and nothing counts as kept that is not.
 * - The journal must be in its folder before an attempt (or the fact would be lost) and after the commit.
 */
import type { Storage } from '../../../contract/device.ts';
import type { FailedReason } from '../../../contract/tap.ts';
import type { Log } from '../ports.ts';
import { storageFault } from './database.ts';

/** What a module that records needs of the guard. */
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
  /** A disk fault to simulate; null (or absent): none. Nothing is recorded while there is one. */
  readonly rehearsed?: (() => FailedReason | null) | undefined;
  /** Something was recorded, or failed with a reason. */
  readonly onRecorded: (fault: FailedReason | null) => void;
};

/** The storage guard of one device. */
export function createStorageGuard(ports: StorageGuardPorts): StorageGuard & {
  /** Whether taps can be recorded now, as the latest attempt showed. */
  readonly status: () => Storage;
  /** A fault that was met outside an attempt. */
  readonly report: (fault: FailedReason) => void;
} {
  const { log, isInPlace, rehearsed = () => null } = ports;
  // What cannot be opened does not start at all.
  let latest: FailedReason | null = null;

  const settle = (fault: FailedReason | null): void => {
    latest = fault;
    ports.onRecorded(fault);
  };
  const assertInPlace = (): void => {
    if (!isInPlace()) throw new Error('the journal is no longer in the data folder');
  };

  return {
    attempt: (work) => {
      const pretended = rehearsed();
      if (pretended !== null) {
        settle(pretended);
        return { kind: 'failed', reason: pretended };
      }
      try {
        assertInPlace();
        const result = work();
        assertInPlace();
        settle(null);
        return { kind: 'kept', result };
      } catch (error) {
        const reason: FailedReason = storageFault(error) ?? 'failing';
        log.error('something could not be saved', {
          reason,
          error: error instanceof Error ? error.message : 'unknown',
        });
        settle(reason);
        return { kind: 'failed', reason };
      }
    },
    status: () => (isInPlace() ? (latest ?? 'ok') : 'failing'),
    report: settle,
  };
}
