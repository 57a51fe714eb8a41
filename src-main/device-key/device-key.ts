/**
 * The key of the event this device works for, read when it is first needed.
 *
 * Invariants: no start and no tap waits for a keychain; a key that was read once is not asked for again; a missing one is
 * asked for at each need, by one question at a time; what is told of it never holds it.
 */
import type { KeyState } from '../contract/health.ts';
import type { KeptKey, KeyPlace } from './key-place.ts';

export type DeviceKey = {
  /** The key; null where it cannot be had now. Never rejects. */
  readonly read: () => Promise<string | null>;
  readonly state: () => KeyState;
};

/** A key that somebody said when the app was started. */
export function givenKey(place: 'start' | 'demo', key: string): DeviceKey {
  return {
    read: () => Promise.resolve(key),
    state: () => ({ place, why: null, missing: null }),
  };
}

export type KeptKeyPorts = {
  readonly kept: KeptKey;
  readonly place: KeyPlace;
  /** Hides it from the log from now on. */
  readonly hide: (key: string) => void;
  /** Writes it as it is kept from now on, in the place of what it was kept as before. */
  readonly replace: (before: KeptKey, now: KeptKey) => void;
  /** What became of it, for whoever looks after the device. */
  readonly said: (state: KeyState) => void;
};

/** A key that is kept on this device; one in a file goes to the keychain as soon as there is one. */
export function keptKey({ kept, place, hide, replace, said }: KeptKeyPorts): DeviceKey {
  let state: KeyState = { place: kept.place, why: null, missing: null };
  let known: string | null = null;
  let asking: Promise<string | null> | null = null;

  const tell = (next: KeyState) => {
    const isNews = next.missing !== state.missing || next.place !== state.place;
    state = next;
    if (isNews) said(next);
  };
  const keepAnew = async (key: string, stale: boolean): Promise<KeptKey> => {
    const now = await place.look();
    if (!stale && now.place === kept.place) return kept;
    const anew = await place.keep(key);
    // A keychain that refuses leaves the key where it was.
    if (anew.place === 'file') return kept;
    replace(kept, anew);
    return anew;
  };
  const ask = async (): Promise<string | null> => {
    const read = await place.read(kept);
    if (read.kind === 'missing') {
      tell({ ...state, missing: read.reason });
      return null;
    }
    hide(read.key);
    known = read.key;
    const now = (await keepAnew(read.key, read.stale)).place;
    const looked = await place.look();
    tell({ place: now, why: now === 'file' && looked.place === 'file' ? looked.why : null, missing: null });
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
