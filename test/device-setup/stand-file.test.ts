/** `stand.json` as the set-up writes it, and changes by others. */
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import demoStand from '../../assets/demo/stand.json' with { type: 'json' };
import { plainSettings, readSettings, type StandSettings } from '../../src-main/core/stand/visit/settings.ts';
import { readPlatformFile, writePlatformFile } from '../../src-main/device-setup/platform-file.ts';
import { findStand, standText, writeStand } from '../../src-main/device-setup/stand-file.ts';
import { ownFolder } from '../core/fixture.ts';

const read = (value: unknown): StandSettings => {
  const found = readSettings(value);
  if (found.kind === 'faults') throw new Error(found.faults.join());
  return found.settings;
};

describe('the text of a stand.json', () => {
  it('reads back as the same settings, and contains no defaults', () => {
    const demo = read(demoStand);
    expect(read(JSON.parse(standText(demo)))).toEqual(demo);
    expect(standText(plainSettings())).toBe('{}\n');
    expect(Object.keys(JSON.parse(standText({ ...plainSettings(), email: true })))).toEqual(['email']);
  });

  it('has the same order for settings built in any order', () => {
    const one = read({ touchpoint: 'T', email: true, brand: { logo: 'l.png', colour: '#112233' } });
    const other = read({ brand: { colour: '#112233', logo: 'l.png' }, email: true, touchpoint: 'T' });
    expect(standText(one)).toBe(standText(other));
    expect(standText(one).split('\n')[1]).toBe('  "touchpoint": "T",');
  });
});

describe('writing stand.json', () => {
  it('keeps a file that was written by hand if its settings are equal', () => {
    const folder = ownFolder();
    const byHand = '{ "email":true }';
    writeFileSync(join(folder, 'stand.json'), byHand);
    expect(writeStand(folder, { ...plainSettings(), email: true }, true, 0)).toBeNull();
    expect(readFileSync(join(folder, 'stand.json'), 'utf8')).toBe(byHand);
  });

  it('renames a version that somebody else wrote, each time to a new name', () => {
    const folder = ownFolder();
    const path = join(folder, 'stand.json');
    writeFileSync(path, '{ "email": true }');
    const first = writeStand(folder, { ...plainSettings(), showCompany: true }, true, 0);
    expect(readFileSync(join(folder, first ?? ''), 'utf8')).toBe('{ "email": true }');
    writeFileSync(path, '{ broken');
    expect(findStand(folder)).toMatchObject({ kind: 'faults' });
    const second = writeStand(folder, plainSettings(), true, 0);
    expect(second).not.toBe(first);
    expect(readFileSync(join(folder, second ?? ''), 'utf8')).toBe('{ broken');
    expect(readFileSync(path, 'utf8')).toBe('{}\n');
  });

  it('has another version for each content of the file', () => {
    const folder = ownFolder();
    const none = findStand(folder).version;
    writeFileSync(join(folder, 'stand.json'), '{}');
    const plain = findStand(folder).version;
    writeFileSync(join(folder, 'stand.json'), '{ }');
    expect(new Set([none, plain, findStand(folder).version]).size).toBe(3);
  });
});

describe('the event chosen on the screen', () => {
  const event = { address: 'https://p.example/v2', expo: 'E1', privateHttp: false };
  const kept = { ...event, key: { place: 'file', text: 'a-key' } } as const;

  it('is stored with its key, readable only by its owner, even after a copy', () => {
    const folder = ownFolder();
    expect(readPlatformFile(folder)).toBeNull();
    writePlatformFile(folder, kept);
    const path = join(folder, 'platform.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    expect(readPlatformFile(folder)).toEqual(kept);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  it('is never taken for missing if the file is damaged, and never allows plain http', () => {
    const folder = ownFolder();
    const path = join(folder, 'platform.json');
    for (const damaged of [
      '',
      '{',
      '{"version":1}',
      JSON.stringify({ version: 3, ...event, key: 'a-key' }),
      JSON.stringify({ version: 2, ...event, key: 'a-key' }),
    ]) {
      writeFileSync(path, damaged);
      expect(() => readPlatformFile(folder)).toThrow(/cannot be used.*--set-up/);
    }
    writeFileSync(
      path,
      JSON.stringify({ version: 1, ...event, key: 'a-key', address: 'http://p.example/v2' }),
    );
    expect(() => readPlatformFile(folder)).toThrow(/cannot be used/);
  });
});
