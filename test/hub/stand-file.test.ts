/**
 * Turns the saved set-up of a device into the one that a hub distributes, without key, PINs and touchpoint. A file that
 * cannot be used is refused with one sentence.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readStandFile } from '../../src-hub/stand-file.ts';
import { plainSettings } from '../../src-main/core/stand/visit/settings.ts';
import { readSetup, writeSetup } from '../../src-main/device-setup/setup-file.ts';
import { LONGEST_STAND } from '../../src-platform/hub/stands.ts';
import { ownFolder } from '../core/fixture.ts';

const kept = { salt: 'ab'.repeat(16), hash: 'cd'.repeat(32), cost: 2 ** 15 };
const saved = (bytes: number) =>
  writeSetup({
    platform: { address: 'https://p.example/v2', expo: 'E1', privateHttp: false, key: 'a-secret-key' },
    stand: { ...plainSettings(), touchpoint: 'T1', headline: { en: 'Robots' } },
    pins: { team: kept, technician: kept },
    logo: { name: 'logo', bytes: new Uint8Array(bytes) },
    attract: [],
  });
const read = (text: string, expo = 'E1') => {
  const path = join(ownFolder(), 'saved.json');
  writeFileSync(path, text);
  return readStandFile(path, expo);
};

it('the distributed set-up contains the stand, but no key, PINs or touchpoint', () => {
  const text = read(saved(10));
  expect(text).not.toMatch(/a-secret-key|abab|cdcd/);
  expect(readSetup(text)).toMatchObject({
    kind: 'setup',
    content: { platform: { key: null }, pins: null, stand: { touchpoint: null, headline: { en: 'Robots' } } },
  });
});

it('a file is refused if it belongs to another event, or is damaged, too large or missing', () => {
  expect(() => read(saved(10), 'E2')).toThrow('is the set-up of another event, E1.');
  expect(() => read(saved(10).replace('Robots', 'Robbers'))).toThrow('is no whole set-up of a device');
  expect(() => read('{ "headline": {} }')).toThrow('is no whole set-up of a device');
  expect(() => read(saved(LONGEST_STAND))).toThrow('pictures and films of at most 4 MB');
  expect(() => readStandFile(join(ownFolder(), 'gone.json'), 'E1')).toThrow('cannot be read (ENOENT)');
});
