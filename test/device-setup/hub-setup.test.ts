/** Set-up on the screen with a hub's file or code: what is offered, what is stored, and each refusal. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '@orpc/server';
import { describe, expect, it } from 'vitest';
import { createUploads } from '../../src-main/core/foundations/store/uploads.ts';
import { plainSettings } from '../../src-main/core/stand/visit/settings.ts';
import { givenKey } from '../../src-main/device-key/device-key.ts';
import { createFilePlace } from '../../src-main/device-key/key-place.ts';
import { createCameraUse } from '../../src-main/device-setup/camera-use.ts';
import { createGivenFile } from '../../src-main/device-setup/given-file.ts';
import { createReaderTrial } from '../../src-main/device-setup/reader-test.ts';
import { createSetup, type PresentAccess } from '../../src-main/device-setup/setup.ts';
import { writeSetup } from '../../src-main/device-setup/setup-file.ts';
import { createSetupRouter } from '../../src-main/device-setup/setup-router.ts';
import { writeCode } from '../../src-main/provision/provision-code.ts';
import { createSharing } from '../../src-main/sharing/sharing.ts';
import { ownFolder, rememberingLog } from '../core/fixture.ts';
import { realClock, realRandom } from '../core/real-parts.ts';
import { drawHere } from '../drawing/draw-here.ts';
import { openHub } from '../provision/hub-double.ts';

const open = (more: Partial<Parameters<typeof createSetup>[0]> = {}) => {
  const folder = ownFolder();
  const uploads = createUploads(realRandom);
  const hidden: string[] = [];
  const setup = createSetup({
    draw: drawHere,

    folder,
    uploads,
    clock: realClock,
    random: realRandom,
    log: rememberingLog(),
    access: () => null,
    usualStand: plainSettings,
    heldEvent: () => null,
    keyPlace: createFilePlace(),
    encryption: () => 'open',
    hide: (secret) => void hidden.push(secret),
    ...more,
  });
  const put = (text: string) => uploads.put(null, Buffer.from(text)) ?? '';
  const read = (name: string) =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;
  const isUntouched = () => !existsSync(join(folder, 'platform.json'));
  return { setup, folder, put, read, hidden, isUntouched };
};

describe('the file of a hub on the screen', () => {
  it('shows its hub and devices without a request to the hub', async () => {
    const hub = await openHub();
    const { setup, put, isUntouched } = open();
    const upload = put(hub.file(['D01', 'D02']));
    expect(await setup.take(upload)).toEqual({
      kind: 'hub',
      upload,
      hub: 'Hall 7',
      fingerprint: hub.fingerprint,
      devices: [
        { id: 'D01', name: 'Robots D01' },
        { id: 'D02', name: 'Robots D02' },
      ],
    });
    expect([hub.asked, isUntouched()]).toEqual([[], true]);
  });

  it('sets the device up as the chosen one, with a key that is never in the log', async () => {
    const hub = await openHub();
    const { setup, put, read, folder, hidden } = open();
    writeFileSync(join(folder, 'stand.json'), '{ "email": true }');
    const upload = put(hub.file(['D01', 'D02']));
    expect(await setup.enrol(upload, 'D02')).toEqual({ kind: 'enrolled' });
    const key = hub.enrolled.get('D02') ?? '';
    expect(read('platform.json')).toMatchObject({ address: hub.address, expo: 'E1', key });
    expect(read('stand.json')).toEqual({ touchpoint: 'T-D02', email: true, showCompany: true });
    expect(readdirSync(folder).filter((name) => /^stand-.*\.json$/.test(name))).toHaveLength(1);
    expect(hidden).toEqual([key]);
  });

  it('is refused without any change on a device of another event, or with an event on the command line', async () => {
    const hub = await openHub();
    const text = hub.file(['D01']);
    const kept: PresentAccess = {
      address: 'https://p.example/v2',
      expo: 'E1',
      privateHttp: false,
      origin: 'start',
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
    expect(hub.asked).toEqual([]);
  });

  it.each([
    [409, 'used'],
    [401, 'revoked'],
    [410, 'expired'],
    [404, 'noHub'],
    [500, 'noAnswer'],
  ])('is refused when the hub answers %i: %s', async (status, reason) => {
    const hub = await openHub();
    hub.moods.status = status;
    const { setup, put, isUntouched } = open();
    expect(await setup.enrol(put(hub.file(['D01'])), 'D01')).toMatchObject({ kind: 'refused', reason });
    expect(isUntouched()).toBe(true);
  });

  it('is refused when box.json is damaged, or the file has no such device', async () => {
    const hub = await openHub();
    const { setup, put, folder } = open();
    const upload = put(hub.file(['D01']));
    expect(await setup.enrol(upload, 'D09')).toMatchObject({ kind: 'refused', reason: 'noDevice' });
    writeFileSync(join(folder, 'box.json'), '{');
    expect(await setup.take(upload)).toMatchObject({
      kind: 'refused',
      faults: [expect.stringContaining('box.json cannot be used')],
    });
  });
});

describe('the code of a sheet', () => {
  const past = { issuedAt: '2026-01-01T00:00:00Z', expiresAt: '2026-01-02T00:00:00Z' };

  it("sets the device up like the device's file, with the same enrolment", async () => {
    const hub = await openHub();
    const { setup, put, read } = open();
    const file = hub.file(['D01']);
    const offer = setup.takeCode(` ${writeCode(file)}\n`);
    if (offer.kind !== 'hub') throw new Error(`Expected an offer, got ${offer.kind}`);
    expect(offer).toMatchObject({
      fingerprint: hub.fingerprint,
      devices: [{ id: 'D01', name: 'Robots D01' }],
    });
    expect(hub.asked).toEqual([]);
    // After a lost answer, file and code request the same key.
    hub.moods.silent = true;
    expect(await setup.enrol(put(file), 'D01')).toMatchObject({ reason: 'noAnswer' });
    hub.moods.silent = false;
    expect(await setup.enrol(offer.upload, 'D01')).toEqual({ kind: 'enrolled' });
    expect(read('stand.json')).toEqual({ touchpoint: 'T-D01', showCompany: true });
    const other = open();
    const again = other.setup.takeCode(writeCode(file));
    const used = again.kind === 'hub' ? await other.setup.enrol(again.upload, 'D01') : again;
    expect(used).toMatchObject({ kind: 'refused', reason: 'used' });
  });

  it('is refused with a reason, and nothing of it is stored', async () => {
    const [hub, stranger] = [await openHub(), await openHub()];
    const { setup, put } = open();
    await setup.enrol(put(hub.file(['D01'])), 'D01');
    const code = writeCode(hub.file(['D02']));
    const altered = writeCode(hub.file(['D02']).replace('T-D02', 'T-D03'));
    for (const [given, reason] of [
      ['04A1B2C3D4E5F6', 'notOurs'],
      ['BEGIN:VCARD\nFN:Amelie\nEND:VCARD', 'notOurs'],
      [code.slice(0, code.length / 2), 'cut'],
      [altered, 'altered'],
      [code.replace(':1:', ':2:'), 'newer'],
      [writeCode(hub.file(['D02'], past)), 'expired'],
      [writeCode(stranger.file(['D02'])), 'otherHub'],
      [writeCode('{"touchpointSetUp":1}'), 'notOurs'],
    ])
      expect(setup.takeCode(given ?? '')).toEqual({ kind: 'refused', reason, faults: [] });
    const held = open({ heldEvent: () => 'E9' });
    expect(held.setup.takeCode(code)).toMatchObject({ reason: 'otherEvent' });
    expect(hub.asked).toHaveLength(1);
  });
});

describe('a set-up that the hub distributes', () => {
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
  const stand = {
    ...plainSettings(),
    headline: { en: 'Robots to go', de: 'Roboter zum Mitnehmen' },
    brand: { colour: '#0e7a6b', logo: 'logo-of-another' },
    attract: 'attract-of-another',
  };
  const text = writeSetup({
    platform: { address: '', expo: 'E1', privateHttp: false, key: null },
    stand,
    pins: null,
    logo: { name: 'logo-of-another', bytes: Buffer.from('a logo') },
    attract: [
      { name: '01-b.png', bytes: Buffer.from('one') },
      { name: '02-a.png', bytes: Buffer.from('two') },
    ],
  });

  it('provides settings, languages and pictures, with the touchpoint of the file', async () => {
    const hub = await openHub();
    hub.stands.set(digestOf(text), text);
    const { setup, put, read, folder } = open();
    writeFileSync(join(folder, 'stand.json'), '{ "email": true }');
    expect(await setup.enrol(put(hub.file(['D01'], { stand: digestOf(text) })), 'D01')).toEqual({
      kind: 'enrolled',
    });
    const kept = read('stand.json') as { brand: { logo: string }; attract: string };
    expect(kept).toMatchObject({ touchpoint: 'T-D01', headline: stand.headline, showCompany: true });
    expect(kept).not.toHaveProperty('email');
    expect(readFileSync(join(folder, kept.brand.logo), 'utf8')).toBe('a logo');
    const films = readdirSync(join(folder, kept.attract)).toSorted();
    expect(films.map((name) => readFileSync(join(folder, kept.attract, name), 'utf8'))).toEqual([
      'one',
      'two',
    ]);
  });

  it('leaves the file of the device usable and changes nothing if its hash differs or it is missing', async () => {
    const hub = await openHub();
    const { setup, put, isUntouched } = open();
    const upload = put(hub.file(['D01'], { stand: digestOf(text) }));
    expect(await setup.enrol(upload, 'D01')).toMatchObject({ kind: 'refused', reason: 'noStand' });
    // The set-up is valid, but its hash is not the one that the hub signed.
    const platform = { address: '', expo: 'E1', privateHttp: false, key: null };
    hub.stands.set(
      digestOf(text),
      writeSetup({ platform, stand: plainSettings(), pins: null, logo: null, attract: [] }),
    );
    expect(await setup.enrol(upload, 'D01')).toMatchObject({ kind: 'refused', reason: 'noStand' });
    expect([hub.enrolled.size, isUntouched()]).toEqual([0, true]);
    hub.stands.set(digestOf(text), text);
    expect(await setup.enrol(upload, 'D01')).toEqual({ kind: 'enrolled' });
  });
});

describe('the camera', () => {
  it('is in use only while the technician has the code scanner open', async () => {
    const camera = createCameraUse();
    const changes: boolean[] = [];
    camera.onChange(() => changes.push(camera.isUsed('camera')));
    const { setup } = open();
    const uploads = createUploads(realRandom);
    const routerFor = (technician: boolean) =>
      createSetupRouter({
        setup,
        sharing: createSharing({
          ...{ folder: ownFolder(), clock: realClock, random: realRandom, log: rememberingLog() },
          ...{ keyPlace: createFilePlace(), hide: () => undefined, spawn: undefined, access: () => null },
          ...{ writeSetup: () => Promise.resolve(null), onChanged: () => undefined },
        }),
        camera,
        uploads,
        given: createGivenFile(uploads),
        clock: realClock,
        onSaved: () => undefined,
        state: { mode: 'running', failed: null },
        trial: createReaderTrial(realClock, 'off'),
        staff: {
          state: () => ({ pin: 'set' }) as never,
          session: () => ({ technician }) as never,
        },
      });
    const stop = new AbortController();
    const context = { page: {} };
    const watch = (technician: boolean) =>
      call(routerFor(technician).camera, undefined, { context, signal: stop.signal });
    await expect(watch(false)).rejects.toThrow();
    expect(camera.isUsed('camera')).toBe(false);
    const [one, other] = [await watch(true), await watch(true)];
    expect([await one.next(), await other.next()]).toHaveLength(2);
    expect(camera.isUsed('camera')).toBe(true);
    const rest = [one.next(), other.next()];
    stop.abort();
    await Promise.allSettled(rest);
    expect([camera.isUsed('camera'), changes]).toEqual([false, [true, false]]);
  });
});
