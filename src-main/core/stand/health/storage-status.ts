/**
 * Whether taps can be made safe right now, as the latest attempt showed.
 *
 * Invariant: pure bookkeeping; whoever keeps something says how it went.
 */
import type { Storage } from '../../../contract/device.ts';

export type StorageStatus = {
  /** Something was kept (null), or could not be. */
  readonly set: (fault: Exclude<Storage, 'ok'> | null) => void;
  readonly now: () => Storage;
};

/** A status that begins without a fault: what cannot be opened does not start at all. */
export function createStorageStatus(): StorageStatus {
  let fault: Exclude<Storage, 'ok'> | null = null;
  return {
    set: (found) => {
      fault = found;
    },
    now: () => fault ?? 'ok',
  };
}
