/**
 * The key to the event's platform, read when it is first needed.
 *
 * Invariants:
 * - no start and no tap waits for a keychain;
 * - a key is read once; a missing key is requested again each time it is needed, one request at a time;
 * - the reported state never contains the key.
 */
import type { KeyState } from '../contract/health.ts';
import type { KeptKey, KeyPlace } from './key-place.ts';

export type DeviceKey = {
  /** The key; null when it cannot be read now. Never rejects. */
  readonly read: () => Promise<string | null>;
  readonly state: () => KeyState;
};

/** A key from the command line or of the demo event. */
export function givenKey(place: 'start' | 'demo', key: string): DeviceKey {
  return {
    read: () => Promise.resolve(key),
    state: () => ({ place, why: null, missing: null }),
  };
}

/** A key that is stored on this device. When a key in a file is read, it moves to the keychain if there is one. */
export function keptKey({
  kept,
  place,
  hide,
  replace,
  said,
}: {
  readonly kept: KeptKey;
  readonly place: KeyPlace;
  /** Hides the key from the log from now on. */
  readonly hide: (key: string) => void;
  /** Replaces the stored form of the key. */
  readonly replace: (before: KeptKey, now: KeptKey) => void;
  /** Receives the key's state when its `place` or `missing` changes. */
  readonly said: (state: KeyState) => void;
}): DeviceKey {
  let state: KeyState = { place: kept.place, why: null, missing: null };
  let known: string | null = null;
  let asking: Promise<string | null> | null = null;

  const become = (next: KeyState) => {
    const isNews = next.missing !== state.missing || next.place !== state.place;
    state = next;
    if (isNews) said(next);
  };
  const keepAnew = async (key: string, stale: boolean): Promise<KeptKey> => {
    const now = await place.look();
    if (!stale && now.place === kept.place) return kept;
    const anew = await place.keep(key);
    // If the keychain refuses, the key stays in its current place.
    if (anew.place === 'file') return kept;
    replace(kept, anew);
    return anew;
  };
  const ask = async (): Promise<string | null> => {
    const read = await place.read(kept);
    if (read.kind === 'missing') {
      become({ ...state, missing: read.reason });
      return null;
    }
    hide(read.key);
    known = read.key;
    const now = (await keepAnew(read.key, read.stale)).place;
    const looked = await place.look();
    become({ place: now, why: now === 'file' && looked.place === 'file' ? looked.why : null, missing: null });
    return read.key;
  };

  return {
    state: () => state,
    read: async () => {
      if (known !== null) return known;
      asking ??= ask().finally(() => {
        asking = null;
      });
      return asking;
    },
  };
}
