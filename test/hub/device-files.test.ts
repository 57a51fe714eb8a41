/**
 * The files that `devices add` writes: their names are readable and valid on every system, and if one file cannot be
 * written, none remains.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDeviceFiles, type DeviceFiles, writeDeviceFiles } from '../../src-hub/device-files.ts';
import { placeOf } from '../../src-hub/devices-command.ts';
import { makeSigningKey, readProvision } from '../../src-main/provision/provision-file.ts';
import { ownFolder } from '../core/fixture.ts';

const NOW = 1_790_000_000_000;
const signing = makeSigningKey();
const content = {
  ...{ expo: 'E1', address: 'http://192.168.1.10:8820/create/v2', hub: 'Hall 7' },
  issuedAt: new Date(NOW).toISOString(),
  expiresAt: new Date(NOW + 86_400_000).toISOString(),
  devices: ['01', '02'].map((number) => ({
    ...{ id: `D${number}`, name: `Robots ${number}`, key: `one-time-key-of-${number}`, partner: 'P1' },
    ...{ touchpoint: `T${number}`, purpose: 'lead' as const },
  })),
};
const wishes = {
  ...{ event: 'Automation Days', timezone: 'Europe/Berlin', language: 'en' as const },
  partners: new Map([['P1', 'Nordwind <AG>']]),
};
const write = (files: Partial<DeviceFiles>) => {
  const all = { out: undefined, each: undefined, sheet: undefined, ...files };
  checkDeviceFiles(all);
  writeDeviceFiles(all, content, signing.privateKey, wishes);
};

/** Writes the file of one device and returns the file's name. */
const nameWritten = (id: string, touchpoint: string, name: string): string => {
  const each = join(ownFolder(), 'each');
  const device = { id, touchpoint, name, key: 'one-time-key-of-it', partner: 'P1', purpose: 'lead' as const };
  const files = { out: undefined, each, sheet: undefined };
  writeDeviceFiles(files, { ...content, devices: [device] }, signing.privateKey, wishes);
  return readdirSync(each).join();
};

it.each([['raffle'], [undefined], [7]])(
  'refuses a touchpoint with the unknown purpose %j and names the touchpoint',
  (purpose) => {
    expect(() => placeOf({ id: 'T9', doc: { purpose } })).toThrow(
      /T9.*known purposes are lead, content, checkin/,
    );
    expect(placeOf({ id: 'T9', doc: { purpose: 'checkin' } })).toMatchObject({ purpose: 'checkin' });
  },
);

describe('the name of a file', () => {
  it.each([
    ['T01', 'Lead capture', 'T01 Lead capture (D1).touchpoint'],
    ['CON', 'x', 'CON x (D1).touchpoint'],
    ['NUL.txt', 'a/b\\c:d*e?', 'NUL-txt a b c d e (D1).touchpoint'],
    ['..', '..', '-- -- (D1).touchpoint'],
    ['T01', 'Löwen 机器人', 'T01 Löwen 机器人 (D1).touchpoint'],
    ['T01', 'evil\u202Etnioph\n', 'T01 evil tnioph (D1).touchpoint'],
  ])('is valid on every system for %j and %j', (touchpoint, name, expected) => {
    expect(nameWritten('D1', touchpoint, name)).toBe(expected);
  });

  it('has fewer than 256 bytes in every script', () => {
    for (const [touchpoint, name] of [
      ['T'.repeat(64), '🤖'.repeat(40)],
      ['🤖'.repeat(60), '🤖'.repeat(40)],
    ] as const)
      expect(Buffer.byteLength(nameWritten('D0123456789', touchpoint, name))).toBeLessThan(256);
  });
});

describe('the files of devices', () => {
  it('are one for all devices, one for each and a sheet, and only their owner can read them', () => {
    const folder = ownFolder();
    const [out, each, sheet] = [join(folder, 'all.json'), join(folder, 'each'), join(folder, 'sheet.html')];
    write({ out, each, sheet });
    const names = readdirSync(each).toSorted();
    expect(names).toEqual(['T01 Robots 01 (D01).touchpoint', 'T02 Robots 02 (D02).touchpoint']);
    const devices = (path: string) => {
      const read = readProvision(readFileSync(path, 'utf8'), NOW, signing.fingerprint);
      return read.kind === 'provision' ? read.content.devices.map(({ id }) => id) : read.reason;
    };
    expect(devices(out)).toEqual(['D01', 'D02']);
    expect(names.map((name) => devices(join(each, name)))).toEqual([['D01'], ['D02']]);
    const html = readFileSync(sheet, 'utf8');
    expect(html).toContain('Nordwind &lt;AG&gt;');
    expect(html).toContain(signing.fingerprint);
    expect(html).not.toContain('one-time-key');
    for (const path of [out, sheet, each, join(each, names[0] ?? '')])
      expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('are removed if one of them cannot be written', () => {
    const folder = ownFolder();
    const [out, each] = [join(folder, 'all.json'), join(folder, 'each')];
    expect(() => write({ out, each, sheet: join(folder, 'nowhere', 'sheet.html') })).toThrow('ENOENT');
    expect([existsSync(out), existsSync(each)]).toEqual([false, false]);
  });

  it('never overwrite a file, and at least one target must be given', () => {
    const folder = ownFolder();
    mkdirSync(join(folder, 'each'));
    writeFileSync(join(folder, 'sheet.html'), 'mine');
    expect(() => write({})).toThrow('--out FILE, --each FOLDER or --sheet FILE');
    expect(() => write({ each: join(folder, 'each') })).toThrow('exists already');
    expect(() => write({ sheet: join(folder, 'sheet.html') })).toThrow('exists already');
  });
});
