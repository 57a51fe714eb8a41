/**
 * Records facts and reports whether the disk accepted them.
 *
 * Invariants:
 * - `attempt` returns a disk fault and never throws. A failed write never counts as stored.
 * - The journal's file must be in its folder before an attempt and after its commit, because otherwise the fact would
 *   be lost.
 */
import type { Storage } from '../../../contract/device.ts';
import type { FailedReason } from '../../../contract/tap.ts';
import type { Log } from '../ports.ts';
import { whyOf } from '../trace.ts';
import { storageFault } from './database.ts';

/** The guard's interface for a module that records. */
export type StorageGuard = {
  /** Runs `work`, which records. `kept` only if it returned and the journal's files are still in place. */
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
  /** A simulated disk fault, if any. With a fault nothing is recorded. */
  readonly rehearsed?: (() => FailedReason | null) | undefined;
  /** Called after each attempt and each `report`: with null, or with the reason why nothing was recorded. */
  readonly onRecorded: (fault: FailedReason | null) => void;
};

/** The storage guard of one device. */
export function createStorageGuard(ports: StorageGuardPorts): StorageGuard & {
  /** Whether taps can be recorded, according to the latest attempt and the place of the journal's files. */
  readonly status: () => Storage;
  /** Reports a fault from outside an attempt. */
  readonly report: (fault: FailedReason) => void;
} {
  const { log, isInPlace, rehearsed = () => null } = ports;
  // A journal that cannot be opened prevents the start, so storage is healthy at first.
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
          error: whyOf(error),
        });
        settle(reason);
        return { kind: 'failed', reason };
      }
    },
    status: () => (isInPlace() ? (latest ?? 'ok') : 'failing'),
    report: settle,
  };
}
