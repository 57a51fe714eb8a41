/** A device set up on its screen by the file of a box: what it offers, what is kept, and each reason against it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainSettings } from '../../src-main/core/stand/settings.ts';
import { givenKey } from '../../src-main/device-key/device-key.ts';
import { createFilePlace } from '../../src-main/device-key/key-place.ts';
import { createSetup, type PresentAccess, type SetupPorts } from '../../src-main/device-setup/setup.ts';
import { createUploads } from '../../src-main/device-setup/uploads.ts';
import { ownFolder, rememberingLog } from '../core/fixture.ts';
import { realClock, realRandom } from '../core/real-parts.ts';
import { openBox } from '../provision/box-double.ts';

const open = (more: Partial<SetupPorts> = {}) => {
  const folder = ownFolder();
  const uploads = createUploads(realRandom);
  const hidden: string[] = [];
  const setup = createSetup({
    ...{ folder, uploads, clock: realClock, random: realRandom, log: rememberingLog() },
    access: () => null,
    usualStand: plainSettings,
    heldEvent: () => null,
    keyPlace: createFilePlace(),
    hide: (secret) => void hidden.push(secret),
    ...more,
  });
  const put = (text: string) => uploads.put(null, Buffer.from(text)) ?? '';
  const read = (name: string) =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;
  const isUntouched = () => !existsSync(join(folder, 'platform.json'));
  return { setup, folder, put, read, hidden, isUntouched };
};

describe('the file of a box on the screen', () => {
  it('says whose it is and which devices there are, and asks the box for nothing yet', async () => {
    const box = await openBox();
    const { setup, put, isUntouched } = open();
    const upload = put(box.file(['D01', 'D02']));
    expect(await setup.take(upload)).toEqual({
      ...{ kind: 'box', upload, box: 'Hall 7', fingerprint: box.fingerprint },
      devices: [
        { id: 'D01', name: 'Robots D01' },
        { id: 'D02', name: 'Robots D02' },
      ],
    });
    expect([box.asked, isUntouched()]).toEqual([[], true]);
  });

  it('sets the device up as the one that was chosen, with a key that the log never shows', async () => {
    const box = await openBox();
    const { setup, put, read, folder, hidden } = open();
    writeFileSync(join(folder, 'stand.json'), '{ "email": true }');
    const upload = put(box.file(['D01', 'D02']));
    expect(await setup.enrol(upload, 'D02')).toEqual({ kind: 'enrolled' });
    const key = box.enrolled.get('D02') ?? '';
    expect(read('platform.json')).toMatchObject({ address: box.address, expo: 'E1', key });
    expect(read('stand.json')).toEqual({ touchpoint: 'T-D02', email: true, showCompany: true });
    expect(readdirSync(folder).filter((name) => /^stand-.*\.json$/.test(name))).toHaveLength(1);
    expect(hidden).toEqual([key]);
  });

  it('is refused, and nothing changed, by a device of another event or one that its start set up', async () => {
    const box = await openBox();
    const text = box.file(['D01']);
    const kept: PresentAccess = {
      ...{ address: 'https://p.example/v2', expo: 'E1', privateHttp: false, origin: 'start' },
      key: givenKey('start', 'a-key'),
    };
    for (const [device, reason] of [
      [open({ heldEvent: () => 'E9' }), 'otherEvent'],
      [open({ access: () => kept }), 'startSays'],
    ] as const) {
      const upload = device.put(text);
      expect(await device.setup.take(upload)).toMatchObject({ kind: 'refused', reason });
      expect(await device.setup.enrol(upload, 'D01')).toMatchObject({ kind: 'refused', reason });
      expect(device.isUntouched()).toBe(true);
    }
    expect(box.asked).toEqual([]);
  });

  it.each([
    [409, 'used'],
    [401, 'revoked'],
    [410, 'expired'],
    [404, 'noBox'],
    [500, 'noAnswer'],
  ])('is refused where the box answers %i: %s', async (status, reason) => {
    const box = await openBox();
    box.moods.status = status;
    const { setup, put, isUntouched } = open();
    expect(await setup.enrol(put(box.file(['D01'])), 'D01')).toMatchObject({ kind: 'refused', reason });
    expect(isUntouched()).toBe(true);
  });

  it('is refused where box.json is damaged, or the file names no such device', async () => {
    const box = await openBox();
    const { setup, put, folder } = open();
    const upload = put(box.file(['D01']));
    expect(await setup.enrol(upload, 'D09')).toMatchObject({ kind: 'refused', reason: 'noDevice' });
    writeFileSync(join(folder, 'box.json'), '{');
    expect(await setup.take(upload)).toMatchObject({
      kind: 'refused',
      faults: [expect.stringContaining('box.json cannot be used')],
    });
  });
});
