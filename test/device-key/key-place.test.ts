/** Where keys are stored: one suite for keychain and file, and the special cases of each. */
import { describe, expect, it } from 'vitest';
import { createFilePlace, type KeptKey } from '../../src-main/device-key/key-place.ts';
import { keychainOfSystem } from './keychain-parts.ts';

const KEY = 'a-key-that-nobody-else-has';
const withMode = (mode: 'basic_text' | 'locked' | 'silent') => {
  const { storage, place } = keychainOfSystem();
  storage.mode = mode;
  return place;
};

const places = [
  ['the file', () => createFilePlace(), { place: 'file', why: 'none' }],
  ['the keychain of Linux', () => keychainOfSystem('linux').place, { place: 'keychain' }],
  ['the keychain of Windows', () => keychainOfSystem('win32').place, { place: 'keychain' }],
  ['the keychain of macOS', () => keychainOfSystem('darwin').place, { place: 'keychain' }],
  ['Linux without a keychain', () => withMode('basic_text'), { place: 'file', why: 'plainText' }],
  ['a locked keychain', () => withMode('locked'), { place: 'file', why: 'unreachable' }],
  ['a keychain that does not answer', () => withMode('silent'), { place: 'file', why: 'unreachable' }],
] as const;

describe.each(places)('%s', (_name, open, where) => {
  it('reports where a key would be stored, and stores it there', async () => {
    const place = open();
    expect(await place.look()).toEqual(where);
    expect((await place.keep(KEY)).place).toBe(where.place);
  });

  it.each([
    ['usual', KEY],
    ['foreign', 'ü ¶ 日本'],
    ['spaced', ' blanks and\nlines '],
    ['long', 'x'.repeat(3_000)],
  ])('returns a %s key unchanged', async (_kind, key) => {
    const place = open();
    const kept = JSON.parse(JSON.stringify(await place.keep(key))) as KeptKey;
    expect(await place.read(kept)).toEqual({ kind: 'key', key, stale: false });
  });

  it('reads a key that was stored in a file', async () => {
    const kept: KeptKey = { place: 'file', text: KEY };
    expect(await open().read(kept)).toEqual({ kind: 'key', key: KEY, stale: false });
  });

  it('reports a key of another keychain as missing, without throwing', async () => {
    const kept = await keychainOfSystem().place.keep(KEY);
    expect(kept.place).toBe('keychain');
    expect((await open().read(kept)).kind).toBe('missing');
    expect((await open().read({ place: 'keychain', sealed: 'AAAA' })).kind).toBe('missing');
  });
});

it('the text that a keychain encrypts does not contain the key', async () => {
  const kept = await keychainOfSystem().place.keep(KEY);
  const { sealed } = kept as Extract<KeptKey, { place: 'keychain' }>;
  expect(Buffer.from(sealed, 'base64').includes(KEY)).toBe(false);
});

it('a key is not stored in a keychain that cannot return it', async () => {
  const { storage, place } = keychainOfSystem();
  storage.decryptStringAsync = () => Promise.reject(new Error('no'));
  expect(await place.keep(KEY)).toEqual({ place: 'file', text: KEY });
});

it('a locked keychain is reported as unreachable, and a replaced one as lost', async () => {
  const { storage, place } = keychainOfSystem();
  const kept = await place.keep(KEY);
  storage.mode = 'locked';
  expect(await place.read(kept)).toEqual({ kind: 'missing', reason: 'unreachable' });
  storage.mode = 'silent';
  expect(await place.read(kept)).toEqual({ kind: 'missing', reason: 'unreachable' });
  // Outside a desktop session Electron finds no keychain, so the key stays where it was.
  storage.mode = 'basic_text';
  expect(await place.read(kept)).toEqual({ kind: 'missing', reason: 'unreachable' });
  storage.mode = 'keychain';
  storage.lose();
  expect(await place.read(kept)).toEqual({ kind: 'missing', reason: 'lost' });
});
