/**
 * Photos and voice notes on a complete device: stored, read, discarded, erased, exported, and only for one partner.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { LARGEST_VOICE_BYTES, LONGEST_VOICE_MS } from '../../../../src-main/contract/attachment-limits.ts';
import { backUp, onDisk } from '../../data-on-disk.ts';
import { ownFolder, until } from '../../fixture.ts';
import { leadsOn, staffScreen } from '../../screen.ts';
import { capturedOf, fill, openStandKiosk, smallFair } from '../../stand/visit/stand-kiosk.ts';

const BADGE = '04AA00000000A1';
const OTHER = '04AA00000000A2';
/** The beginning of a browser's WebM file, followed by sound data that is easy to find on a disk. */
const SOUND = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.from('SPOKEN WORDS '.repeat(99))]);

const picture = (width = 800, height = 500) =>
  sharp({ create: { width, height, channels: 3, background: '#356' } })
    .withExif({ IFD0: { Artist: 'CAMERA OF ZACHARIAS' } })
    .jpeg()
    .toBuffer();

/** A PNG that declares 10,000 by 10,000 pixels (PNG specification, section 11.2.1). */
const hundredMegapixels = (): Buffer => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const;
    ends[0].writeUInt32BE(data.length);
    ends[1].writeUInt32BE(crc32(body));
    return Buffer.concat([ends[0], body, ends[1]]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(10_000, 0);
  header.writeUInt32BE(10_000, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    ...[signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(10_001)))],
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const open = async (folder = ownFolder(), touchpoint = 'lead1') => {
  const device = openStandKiosk({
    ...{ folder, technician: true, stand: { touchpoint } },
    prepare: (mirror) => {
      const fair = smallFair();
      const elsewhere = { id: 'lead2', name: 'Other stand', purpose: 'lead', partnerID: 'p2' };
      fill(mirror, { ...fair, touchpoints: [...(fair.touchpoints ?? []), elsewhere] });
    },
  });
  const screen = await staffScreen(device.kiosk);
  const files = screen.leads.attachments;
  const put = async (bytes: Uint8Array): Promise<string> => {
    let upload: string | null = null;
    for (let at = 0; at === 0 || at < bytes.length; at += 200_000) {
      const piece = Buffer.from(bytes.subarray(at, at + 200_000)).toString('base64');
      ({ upload } = await files.put({ upload, bytes: piece }));
    }
    return upload ?? '';
  };
  return {
    ...device,
    screen,
    files,
    put,
    photo: async (lead: string, bytes: Uint8Array) => files.photo({ lead, upload: await put(bytes) }),
    voice: async (lead: string, bytes: Uint8Array, more: object = {}) =>
      files.voice({ lead, upload: await put(bytes), ms: 4_000, of: 'team', agreed: false, ...more }),
    kept: () => {
      const place = join(device.folder, 'attachments');
      return existsSync(place) ? readdirSync(place) : [];
    },
  };
};

const factOf = (kept: { readonly kind: string; readonly factId?: string }): string => {
  if (kept.kind !== 'kept') throw new Error(`Expected a kept file, got ${JSON.stringify(kept)}`);
  return kept.factId ?? '';
};

test('keeps a photo as pixels and a voice note unchanged, each under its lead with its hash in a fact', async () => {
  const device = await open();
  const { leadId } = capturedOf(await device.tap(BADGE));
  const photo = factOf(await device.photo(leadId, await picture()));
  const voice = factOf(await device.voice(leadId, SOUND, { of: 'visitor', agreed: true }));
  const detail = await device.screen.leads.one({ lead: leadId });
  expect(detail?.attachments).toMatchObject([
    { factId: photo, kind: 'photo', ms: null, ofVisitor: false, elsewhere: false },
    { factId: voice, kind: 'voice', ms: 4_000, ofVisitor: true, elsewhere: false },
  ]);
  const read = await device.files.read({ factId: photo });
  const drawn = await sharp(Buffer.from(read?.bytes ?? '', 'base64')).metadata();
  expect([read?.type, drawn.format, drawn.width, drawn.exif]).toEqual(['image/webp', 'webp', 800, undefined]);
  expect(onDisk(device.folder)).not.toContain('CAMERA OF ZACHARIAS');
  expect(await device.files.read({ factId: voice })).toEqual({
    ...{ type: 'audio/webm', bytes: SOUND.toString('base64') },
  });
  expect(device.kept()).toHaveLength(2);
  expect((await device.files.sum()).files).toBe(2);
  // The platform receives the hash of a file, but never the file.
  expect(device.lines().at(-1)?.payload?.fields).toMatchObject({ attachment: { bytes: SOUND.length } });
});

test('refuses invalid photos and voice notes with the reason, and keeps no part of them', async () => {
  const device = await open();
  const { leadId } = capturedOf(await device.tap(BADGE));
  const bomb = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script>',
  );
  for (const bytes of [Buffer.from('no picture'), Buffer.alloc(0), bomb, hundredMegapixels()])
    expect(await device.photo(leadId, bytes)).toEqual({ kind: 'refused', reason: 'notPicture' });
  const refused = (reason: string) => ({ kind: 'refused', reason });
  expect(await device.voice(leadId, Buffer.from('no sound'))).toEqual(refused('notSound'));
  expect(await device.voice(leadId, SOUND, { ms: LONGEST_VOICE_MS + 60_000 })).toEqual(refused('tooLong'));
  const long = Buffer.concat([SOUND, Buffer.alloc(LARGEST_VOICE_BYTES)]);
  expect(await device.voice(leadId, long)).toEqual(refused('tooLong'));
  expect(await device.voice(leadId, SOUND, { of: 'visitor' })).toEqual(refused('notAgreed'));
  expect(
    await device.files.voice({ lead: leadId, upload: 'none', ms: 1, of: 'team', agreed: false }),
  ).toEqual(refused('lost'));
  expect(await device.photo('nobody', await picture())).toEqual({ kind: 'unknown' });
  expect(device.kept()).toEqual([]);
  expect((await device.screen.leads.one({ lead: leadId }))?.attachments).toEqual([]);
});

test('stops an endless upload at the limit, and forgets it', async () => {
  const device = await open();
  const piece = Buffer.alloc(200_000).toString('base64');
  let upload: string | null = null;
  let pieces = 0;
  do {
    ({ upload } = await device.files.put({ upload, bytes: piece }));
    pieces += 1;
  } while (upload !== null);
  expect(pieces).toBe(201);
});

test('removes the file when its note is discarded, and does not return a file that was changed on the disk', async () => {
  const device = await open();
  const { leadId } = capturedOf(await device.tap(BADGE));
  const first = factOf(await device.voice(leadId, SOUND));
  const second = factOf(await device.voice(leadId, Buffer.concat([SOUND, Buffer.from('more')])));
  await device.screen.leads.undo({ factId: first });
  expect(device.kept()).toHaveLength(1);
  expect(await device.files.read({ factId: first })).toBeNull();
  expect((await device.screen.leads.one({ lead: leadId }))?.attachments).toHaveLength(1);
  writeFileSync(join(device.folder, 'attachments', device.kept()[0] ?? ''), SOUND);
  expect(await device.files.read({ factId: second })).toBeNull();
});

test('erases photos and voice notes with the person, in every file of the data folder', async () => {
  const device = await open();
  const { leadId } = capturedOf(await device.tap(BADGE));
  const other = capturedOf(await device.tap(OTHER)).leadId;
  await device.photo(leadId, await picture());
  await device.voice(leadId, SOUND);
  const kept = Buffer.concat([SOUND, Buffer.from('of the other one')]);
  const others = factOf(await device.voice(other, kept));
  await backUp(device.folder);
  const names = device.kept();
  const erased = await device.screen.erasure.forget({ lead: leadId });
  expect(erased).toMatchObject({
    kind: 'erased',
    protocol: { places: expect.arrayContaining([{ place: 'attachments', state: 'removed', why: null }]) },
  });
  expect(device.kept()).toHaveLength(1);
  const gone = names.filter((name) => !device.kept().includes(name));
  const disk = onDisk(device.folder);
  expect(gone.filter((name) => disk.includes(name))).toEqual([]);
  expect(await device.files.read({ factId: others })).not.toBeNull();
  let isWiped = false;
  const wiped = device.screen.erasure.wipe({ force: true }).finally(() => {
    isWiped = true;
  });
  await until('everybody is erased', () => {
    device.pass(10);
    return isWiped;
  });
  expect(await wiped).toMatchObject({ kind: 'erased' });
  expect(onDisk(device.folder)).not.toContain('SPOKEN WORDS');
});

test('removes files without a fact at a start, and keeps every file that a fact names', async () => {
  const device = await open();
  const { leadId } = capturedOf(await device.tap(BADGE));
  const voice = factOf(await device.voice(leadId, SOUND));
  await device.stop();
  const place = join(device.folder, 'attachments');
  writeFileSync(join(place, '01000000-0000-7000-8000-000000000001.webm'), SOUND);
  writeFileSync(join(place, '01000000-0000-7000-8000-000000000002.webp.part'), SOUND);
  const again = await open(device.folder);
  expect(again.kept()).toHaveLength(1);
  expect(await again.files.read({ factId: voice })).not.toBeNull();
});

test('does not show, count or play the files of another partner (docs/laws.md#law-14)', async () => {
  const device = await open();
  const { leadId } = capturedOf(await device.tap(BADGE));
  const voice = factOf(await device.voice(leadId, SOUND));
  await device.stop();
  const next = await open(device.folder, 'lead2');
  await leadsOn(next.screen);
  expect(await next.files.read({ factId: voice })).toBeNull();
  expect(await next.files.sum()).toEqual({ files: 0, bytes: 0 });
  expect(await next.voice(leadId, SOUND)).toEqual({ kind: 'unknown' });
  expect(await next.photo(leadId, await picture())).toEqual({ kind: 'unknown' });
  expect(await next.screen.leads.undo({ factId: voice })).toEqual({ kind: 'unknown' });
  expect(next.kept()).toHaveLength(1);
});

test('gives a page without a session nothing', async () => {
  const device = await open();
  const { leadId } = capturedOf(await device.tap(BADGE));
  const voice = factOf(await device.voice(leadId, SOUND));
  const page = device.screen;
  await page.staff.lock({ off: false });
  await expect(device.files.read({ factId: voice })).rejects.toThrow();
  await expect(device.voice(leadId, SOUND)).rejects.toThrow();
  await expect(device.files.use({ device: 'microphone' })).rejects.toThrow();
});

test('exports the files next to the sheet, which contains their names', async () => {
  const device = await open();
  const { leadId } = capturedOf(await device.tap(BADGE));
  await device.photo(leadId, await picture());
  await device.voice(leadId, SOUND);
  const started = await device.screen.exports.start({
    ...{ kind: 'salesforce', place: null, language: 'en', withFiles: true },
  });
  if (started.kind !== 'started') throw new Error('Expected an export');
  await until('the export is done', async () => {
    for await (const job of await device.screen.exports.watch({ id: started.job.id }))
      if (job.result !== null) return job.result.kind === 'done';
    return false;
  });
  const pieces: Buffer[] = [];
  for await (const { bytes } of await device.screen.exports.download({ id: started.job.id }))
    pieces.push(Buffer.from(bytes, 'base64'));
  const zip = unzipSync(Buffer.concat(pieces));
  const names = Object.keys(zip);
  expect(names).toEqual([
    'leads-salesforce.csv',
    expect.stringMatching(/^First v1 Last v1 photo [0-9a-f]{8}\.webp$/u),
    expect.stringMatching(/^First v1 Last v1 voice [0-9a-f]{8}\.webm$/u),
  ]);
  const sheet = Buffer.from(zip['leads-salesforce.csv'] ?? []).toString();
  expect(names.slice(1).filter((name) => !sheet.includes(name))).toEqual([]);
  expect(Buffer.from(zip[names[2] ?? ''] ?? []).equals(SOUND)).toBe(true);
});
