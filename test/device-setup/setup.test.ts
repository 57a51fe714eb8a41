/** Saving a set-up: what is stored, what is refused, and changes by others. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SetupDraft } from '../../src-main/contract/setup.ts';
import { createUploads } from '../../src-main/core/foundations/store/uploads.ts';
import { plainSettings } from '../../src-main/core/stand/visit/settings.ts';
import { createPinEntry } from '../../src-main/core/team/staff/pin-entry.ts';
import { createStaffFile, emptyRecord, type StaffRecord } from '../../src-main/core/team/staff/staff-file.ts';
import { givenKey } from '../../src-main/device-key/device-key.ts';
import { createFilePlace } from '../../src-main/device-key/key-place.ts';
import { readPlatformFile } from '../../src-main/device-setup/platform-file.ts';
import { createSetup, type PresentAccess } from '../../src-main/device-setup/setup.ts';
import { writeSetup } from '../../src-main/device-setup/setup-file.ts';
import { handClock, ownFolder, rememberingLog } from '../core/fixture.ts';
import { realRandom } from '../core/real-parts.ts';
import { keychainOfSystem } from '../device-key/keychain-parts.ts';
import { drawHere } from '../drawing/draw-here.ts';

const ours: PresentAccess = {
  address: 'https://p.example/v2',
  expo: 'E1',
  privateHttp: false,
  key: givenKey('start', 'the-kept-key'),
  origin: 'screen',
};
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const open = (more: Partial<Parameters<typeof createSetup>[0]> = {}) => {
  const folder = ownFolder();
  const uploads = createUploads(realRandom);
  const hidden: string[] = [];
  const setup = createSetup({
    draw: drawHere,

    folder,
    uploads,
    clock: handClock(),
    random: realRandom,
    log: rememberingLog(),
    access: () => ours,
    usualStand: plainSettings,
    heldEvent: () => null,
    keyPlace: createFilePlace(),
    encryption: () => 'open',
    hide: (secret) => void hidden.push(secret),
    ...more,
  });
  const path = join(folder, 'stand.json');
  const stand = () => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return { setup, uploads, folder, path, stand, hidden };
};
const draftOf = (more: Partial<SetupDraft> = {}): SetupDraft => ({
  access: null,
  stand: { ...plainSettings(), touchpoint: 'T1' },
  logo: null,
  attract: null,
  pins: null,
  ...more,
});
const access = { address: 'https://p.example/v2', key: 'a-new-key', privateHttp: false, expo: 'E1' };
const pins = { name: 'Mira', team: '1357', technician: '24680' };
const recordOf = (folder: string): StaffRecord => {
  const found = createStaffFile(folder).read();
  if (found === 'damaged') throw new Error('staff.json is damaged');
  return found;
};
const entryOf = (folder: string) =>
  createPinEntry({
    clock: handClock(),
    log: rememberingLog(),
    file: createStaffFile(folder),
    demo: null,
  });

describe('a first set-up', () => {
  it('stores event, key, stand and both PINs, and never returns the key', async () => {
    const { setup, stand, folder, hidden } = open({ access: () => null });
    expect(await setup.save(draftOf({ access, pins }), 'none', false)).toEqual({
      kind: 'saved',
      aside: null,
    });
    expect(stand()).toEqual({ touchpoint: 'T1' });
    expect(JSON.parse(readFileSync(join(folder, 'platform.json'), 'utf8'))).toMatchObject(access);
    expect(hidden).toEqual(['a-new-key']);
    const staff = createStaffFile(folder).read();
    expect(staff).toMatchObject({ members: [{ name: 'Mira' }] });
    expect(JSON.stringify(staff)).not.toMatch(/1357|24680/);
    expect(JSON.stringify(await setup.read())).not.toContain('key"');
  });

  it('stores nothing without PINs, key or event', async () => {
    const { setup, path, folder } = open({ access: () => null });
    const save = (draft: Partial<SetupDraft>) => setup.save(draftOf(draft), 'none', false);
    expect(await save({ access })).toEqual({ kind: 'refused', reason: 'pins' });
    expect(await save({ pins })).toEqual({ kind: 'refused', reason: 'access' });
    expect(await save({ pins, access: { ...access, key: null } })).toMatchObject({ reason: 'access' });
    expect(existsSync(path) || existsSync(join(folder, 'platform.json'))).toBe(false);
  });
});

describe('a keychain', () => {
  it('stores the key, and platform.json records that', async () => {
    const { place } = keychainOfSystem();
    const { setup, folder } = open({ keyPlace: place });
    await setup.save(draftOf({ access }), 'none', false);
    const kept = readFileSync(join(folder, 'platform.json'), 'utf8');
    expect([JSON.parse(kept).version, kept.includes('a-new-key')]).toEqual([2, false]);
    expect((await setup.read()).keyPlace).toBe('keychain');
    expect(readPlatformFile(folder)).toMatchObject({ expo: 'E1', key: { place: 'keychain' } });
  });

  it('is reported when it has lost the key that is needed, and a newly typed key replaces it', async () => {
    const lost = { read: () => Promise.resolve(null), state: ours.key.state };
    const { setup, folder } = open({ access: () => ({ ...ours, key: lost }) });
    const asked = { address: ours.address, privateHttp: false };
    expect(await setup.accessOf({ ...asked, key: null })).toBe('keyMissing');
    expect(await setup.accessOf({ ...asked, key: 'typed' })).toMatchObject({ key: 'typed' });
    const save = (key: string | null) => setup.save(draftOf({ access: { ...access, key } }), 'none', true);
    expect(await save(null)).toEqual({ kind: 'refused', reason: 'access' });
    expect(await save('typed')).toMatchObject({ kind: 'saved' });
    expect(readPlatformFile(folder)).toMatchObject({ key: { place: 'file', text: 'typed' } });
  });
});

describe('a stand.json that was changed by hand meanwhile', () => {
  it('is detected, and both versions are kept', async () => {
    const { setup, folder, path, stand } = open();
    writeFileSync(path, '{ "email": true }');
    const { version } = await setup.read();
    writeFileSync(path, '{ "showCompany": true }');
    expect(await setup.save(draftOf(), version, false)).toEqual({ kind: 'changed' });
    expect(stand()).toEqual({ showCompany: true });
    expect((await setup.read()).stand).toMatchObject({ showCompany: true, email: false });
    const saved = await setup.save(draftOf(), version, true);
    expect(stand()).toEqual({ touchpoint: 'T1' });
    const aside = saved.kind === 'saved' ? saved.aside : null;
    expect(readFileSync(join(folder, aside ?? ''), 'utf8')).toBe('{ "showCompany": true }');
  });

  it('is reported with its faults if it is invalid', async () => {
    const { setup, path } = open();
    writeFileSync(path, '{ "colour": "red" }');
    const { faults, stand } = await setup.read();
    expect(faults.join()).toContain('there is no setting "colour"');
    expect(stand).toEqual(plainSettings());
  });
});

describe('an invalid set-up', () => {
  it('is refused with every fault and without a change', async () => {
    const { setup, path } = open();
    const wrong = { ...plainSettings(), undoSeconds: 2, brand: { colour: 'red', logo: null } };
    expect(await setup.save(draftOf({ stand: wrong }), 'none', false)).toMatchObject({
      kind: 'faults',
      faults: [expect.stringContaining('brand, colour'), expect.stringContaining('undoSeconds')],
    });
    expect(existsSync(path)).toBe(false);
  });

  it("is refused if it is for another event than the device's facts", async () => {
    const { setup, folder } = open({ heldEvent: () => 'E1' });
    const other = draftOf({ access: { ...access, expo: 'E2' } });
    expect(await setup.save(other, 'none', false)).toEqual({ kind: 'otherEvent', kept: 'E1' });
    expect(existsSync(join(folder, 'platform.json'))).toBe(false);
  });

  it('is refused if its access differs from the command line, and gets no stored key for another address', async () => {
    const { setup } = open();
    const asked = (address: string) => setup.accessOf({ address, key: null, privateHttp: false });
    expect(await asked('https://p.example/v2/')).toMatchObject({ key: 'the-kept-key' });
    expect(await asked('https://evil.example/v2')).toMatchObject({ key: '' });
    const started = open({ access: () => ({ ...ours, origin: 'start' }) });
    expect(await started.setup.save(draftOf({ access }), 'none', false)).toEqual({
      kind: 'refused',
      reason: 'access',
    });
  });
});

describe('pictures', () => {
  it('are stored next to the stand, without changing existing files', async () => {
    const { setup, uploads, folder, stand } = open();
    const logo = uploads.put(null, PNG) ?? '';
    const first = uploads.put(null, PNG) ?? '';
    const chosen = draftOf({ logo: { upload: logo }, attract: [{ name: 'b.png', upload: first }] });
    expect(await setup.save(chosen, 'none', false)).toMatchObject({ kind: 'saved' });
    const { attract, brand } = stand() as { attract: string; brand: { logo: string } };
    expect(readFileSync(join(folder, brand.logo))).toEqual(PNG);
    const read = await setup.read();
    expect(read.attract).toMatchObject([{ name: '01-b.png', picture: { width: 1 } }]);
    expect(read.logo).toMatchObject({ width: 1 });

    const second = uploads.put(null, PNG) ?? '';
    const files = [
      { name: 'a.png', upload: second },
      { name: '01-b.png', upload: null },
    ];
    const more = draftOf({ stand: { ...read.stand }, attract: files });
    expect(await setup.save(more, read.version, false)).toMatchObject({ kind: 'saved' });
    expect((await setup.read()).attract.map(({ name }) => name)).toEqual(['01-a.png', '02-b.png']);
    expect(existsSync(join(folder, attract, '01-b.png'))).toBe(true);
  });

  it('are refused before anything is stored if they are invalid or missing', async () => {
    const { setup, uploads, path } = open();
    expect(await setup.picture(uploads.put(null, Buffer.from('no picture')) ?? '')).toBeNull();
    const refused = { kind: 'refused', reason: 'upload' };
    const save = (more: Partial<SetupDraft>) => setup.save(draftOf(more), 'none', false);
    expect(await save({ logo: { upload: 'gone' } })).toEqual(refused);
    const upload = uploads.put(null, PNG) ?? '';
    expect(await save({ attract: [{ name: '../../x.png', upload }] })).toEqual(refused);
    expect(await save({ attract: [{ name: 'x.exe', upload }] })).toEqual(refused);
    expect(existsSync(path)).toBe(false);
  });
});

describe('a set-up for the next device', () => {
  it('contains this set-up, with the key only if requested, and changes nothing until it is saved', async () => {
    const { setup, uploads } = open();
    await setup.save(draftOf({ logo: { upload: uploads.put(null, PNG) ?? '' } }), 'none', false);
    expect((await setup.write({ withKey: false, withPins: false }))?.text).not.toContain('the-kept-key');
    const { text = '' } = (await setup.write({ withKey: true, withPins: false })) ?? {};
    const next = open({ access: () => null });
    const taken = await next.setup.take(next.uploads.put(null, Buffer.from(text)) ?? '');
    expect(taken).toMatchObject({
      kind: 'setup',
      expo: 'E1',
      key: 'the-kept-key',
      stand: { touchpoint: 'T1' },
      pins: null,
    });
    expect(taken.kind === 'setup' && taken.logo?.picture).toMatchObject({ width: 1 });
    expect(existsSync(next.path)).toBe(false);
  });

  it('lets the next device be saved without typing its PINs, and staff sign in with them', async () => {
    const { setup, folder } = open();
    const asked = { withKey: true, withPins: true };
    expect(await setup.write(asked)).toBeNull();
    await setup.save(draftOf({ pins }), 'none', false);
    expect((await setup.write({ withKey: true, withPins: false }))?.text).not.toMatch(/salt|hash/);
    const { text = '' } = (await setup.write(asked)) ?? {};
    expect(text).not.toMatch(/1357|24680|Mira/);
    const next = open({ access: () => null });
    const upload = next.uploads.put(null, Buffer.from(text)) ?? '';
    const taken = await next.setup.take(upload);
    expect(taken).toMatchObject({ kind: 'setup', pins: upload });
    expect(JSON.stringify(taken)).not.toMatch(/salt|hash/);
    const stand = { ...plainSettings(), touchpoint: 'T2' };
    const draft = draftOf({ access, stand, pins: { upload } });
    expect(await next.setup.save(draft, 'none', false)).toEqual({ kind: 'saved', aside: null });
    const { pin, technicianPin } = recordOf(folder);
    expect(recordOf(next.folder)).toEqual({ ...emptyRecord, pin, technicianPin });
    for (const [typed, technician] of [['1357', false] as const, ['24680', true] as const])
      expect(await entryOf(next.folder).attempt(typed)).toEqual({ answer: { kind: 'in' }, technician });
    expect((await entryOf(next.folder).attempt('9999')).answer.kind).toBe('wrong');
  });

  it('stores nothing if it lacks the PINs that it should contain', async () => {
    const { setup, uploads, path, folder } = open({ access: () => null });
    const platform = { ...access, key: null };
    const without = writeSetup({ platform, stand: plainSettings(), pins: null, logo: null, attract: [] });
    for (const upload of ['gone', uploads.put(null, Buffer.from(without)) ?? '']) {
      const save = setup.save(draftOf({ access, pins: { upload } }), 'none', false);
      expect(await save).toEqual({ kind: 'refused', reason: 'upload' });
    }
    expect([existsSync(path), recordOf(folder)]).toEqual([false, emptyRecord]);
  });

  it('is refused on a device of another event', async () => {
    const platform = { ...access, expo: 'E2', key: null };
    const text = writeSetup({ platform, stand: plainSettings(), pins: null, logo: null, attract: [] });
    const take = ({ setup, uploads }: ReturnType<typeof open>) =>
      setup.take(uploads.put(null, Buffer.from(text)) ?? '');
    expect(await take(open({ heldEvent: () => 'E1' }))).toMatchObject({ reason: 'otherEvent' });
    const started = open({ access: () => ({ ...ours, origin: 'start' }) });
    expect(await take(started)).toMatchObject({ reason: 'otherEvent' });
    expect(await take(open())).toMatchObject({ kind: 'setup' });
  });
});

it('an upload is accepted only up to a size limit', () => {
  const uploads = createUploads(realRandom);
  const piece = Buffer.alloc(15_000_000);
  const upload = uploads.put(null, piece) ?? '';
  expect(uploads.put(upload, piece)).toBe(upload);
  expect(uploads.put(upload, piece)).toBeNull();
  expect(uploads.bytes(upload)).toBeNull();
  expect(uploads.put('never', Buffer.alloc(1))).toBeNull();
});
