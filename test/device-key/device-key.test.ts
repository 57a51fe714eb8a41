/** The device's key during a run: it is read once, moved into a keychain, and requested again while it is missing. */
import { describe, expect, it } from 'vitest';
import type { KeyState } from '../../src-main/contract/health.ts';
import { keptKey } from '../../src-main/device-key/device-key.ts';
import type { KeptKey, KeyPlace } from '../../src-main/device-key/key-place.ts';
import { createFilePlace } from '../../src-main/device-key/key-place.ts';
import { keychainOfSystem } from './keychain-parts.ts';

const KEY = 'a-key-that-nobody-else-has';

function open(kept: KeptKey, place: KeyPlace) {
  const replaced: (readonly [KeptKey, KeptKey])[] = [];
  const hidden: string[] = [];
  const said: KeyState[] = [];
  const key = keptKey({
    kept,
    place,
    hide: (text) => void hidden.push(text),
    replace: (before, now) => void replaced.push([before, now]),
    said: (state) => void said.push(state),
  });
  return { key, replaced, hidden, said };
}

describe('a key in the keychain', () => {
  it('is read once, and hidden from the log before it is returned', async () => {
    const { storage, place } = keychainOfSystem();
    const { key, hidden, replaced } = open(await place.keep(KEY), place);
    const before = storage.asked();
    expect(await Promise.all([key.read(), key.read()])).toEqual([KEY, KEY]);
    expect(await key.read()).toBe(KEY);
    expect([storage.asked() - before, hidden, replaced]).toEqual([1, [KEY], []]);
    expect(key.state()).toEqual({ place: 'keychain', why: null, missing: null });
  });

  it('is missing while the keychain is locked or lost, and each change is reported once', async () => {
    const { storage, place } = keychainOfSystem();
    const { key, said } = open(await place.keep(KEY), place);
    storage.mode = 'locked';
    expect([await key.read(), await key.read()]).toEqual([null, null]);
    expect(key.state().missing).toBe('unreachable');
    storage.mode = 'keychain';
    const bringBack = storage.lose();
    expect([await key.read(), key.state().missing]).toEqual([null, 'lost']);
    bringBack();
    expect([await key.read(), key.state().missing]).toEqual([KEY, null]);
    expect(said.map(({ missing }) => missing)).toEqual(['unreachable', 'lost', null]);
  });

  it('is stored again when the keychain requests it', async () => {
    const { storage, place } = keychainOfSystem();
    const kept = await place.keep(KEY);
    storage.rotated = true;
    const { key, replaced } = open(kept, place);
    expect(await key.read()).toBe(KEY);
    expect(replaced).toEqual([[kept, expect.objectContaining({ place: 'keychain' })]]);
    expect(replaced[0]?.[1]).not.toEqual(kept);
  });
});

describe('a key in a file', () => {
  const inFile: KeptKey = { place: 'file', text: KEY };

  it('moves to the keychain of a system that has one', async () => {
    const { place } = keychainOfSystem();
    const { key, replaced, said } = open(inFile, place);
    expect(await key.read()).toBe(KEY);
    expect(replaced).toHaveLength(1);
    const [before, now = inFile] = replaced[0] ?? [];
    expect(before).toEqual(inFile);
    expect(await place.read(now)).toMatchObject({ key: KEY });
    expect(said).toEqual([{ place: 'keychain', why: null, missing: null }]);
  });

  it.each(['basic_text', 'locked', 'silent'] as const)(
    'stays in the file with %s, and reports the reason',
    async (mode) => {
      const { storage, place } = keychainOfSystem();
      storage.mode = mode;
      const { key, replaced } = open(inFile, place);
      expect([await key.read(), replaced]).toEqual([KEY, []]);
      const why = mode === 'basic_text' ? 'plainText' : 'unreachable';
      expect(key.state()).toEqual({ place: 'file', why, missing: null });
    },
  );

  it('stays in the file without a keychain', async () => {
    const { key } = open(inFile, createFilePlace());
    await key.read();
    expect(key.state()).toEqual({ place: 'file', why: 'none', missing: null });
  });
});
