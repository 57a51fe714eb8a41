/** Pictures of the stand: scaled, stored for times without a network, and limited in size. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPictures } from '../../../../src-main/core/event/pictures/pictures.ts';
import { createPictureSource } from '../../../../src-main/core/foundations/api/picture-source.ts';
import { PICTURE_REST_MS } from '../../../../src-main/core/foundations/time/windows.ts';
import { scalePicture } from '../../../../src-main/drawing/scale.ts';
import { drawHere } from '../../../drawing/draw-here.ts';
import { handClock, ownFolder, rememberingLog } from '../../fixture.ts';

const plain = (width: number, height: number, colour = '#1f4bd8') =>
  sharp({ create: { width, height, channels: 3, background: colour }, limitInputPixels: false })
    .png()
    .toBuffer();
const svg = (inside: string, hub = '0 0 100 50') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${hub}">${inside}</svg>`);
const dataAddress = (bytes: Buffer, kind = 'image/png') => `data:${kind};base64,${bytes.toString('base64')}`;

/** A server of `files` that records the requests. It answers when `together` requests are open at the same time. */
const serve = async (files: Record<string, Buffer | number>, together = 1) => {
  const asked: { path: string; headers: Record<string, unknown> }[] = [];
  const held: (() => void)[] = [];
  let most = 0;
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    const file = files[request.url ?? ''];
    held.push(() => {
      if (file === undefined || typeof file === 'number') response.writeHead(file ?? 404).end();
      else response.writeHead(200, { 'content-type': 'image/png' }).end(file);
    });
    most = Math.max(most, held.length);
    // Waits one turn of the event loop for further requests.
    if (held.length !== together) return;
    setImmediate(() => {
      for (const answer of held.splice(0)) answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, asked, most: () => most };
};

const open = (folder = ownFolder(), limit?: number, draw = drawHere) => {
  const clock = handClock();
  const source = createPictureSource();
  onTestFinished(source.close);
  const log = rememberingLog();
  const pictures = createPictures({
    folder: join(folder, 'pictures'),
    source,
    draw,
    clock,
    log,
    ...(limit === undefined ? {} : { limit }),
  });
  const fetch = (addresses: readonly string[], revision = '1') =>
    pictures.fetch(
      addresses.map((address) => ({ address, revision, isFile: false })),
      60_000,
      new AbortController().signal,
    );
  return { folder, clock, log, ...pictures, fetch };
};

describe('scaling', () => {
  it('reduces a logo of 8,000 × 8,000 to the size of a screen', async () => {
    const scaled = await scalePicture(await plain(8_000, 8_000));
    expect(scaled).toMatchObject({
      small: { width: 640, height: 640 },
      large: { width: 1_600, height: 1_600 },
    });
  }, 120_000);

  it('keeps the size and proportions of a small picture', async () => {
    const scaled = await scalePicture(await plain(300, 100));
    expect(scaled).toMatchObject({ small: { width: 300, height: 100 }, large: { width: 300, height: 100 } });
  });

  it('refuses a picture that would unpack to 144 megapixels', async () => {
    const bomb = await plain(12_000, 12_000);
    expect(await scalePicture(bomb)).toBeNull();
  }, 120_000);

  it('renders an SVG sharply and returns only pixels', async () => {
    const scaled = await scalePicture(
      svg('<script>alert(1)</script><rect width="100" height="50" fill="red"/>'),
    );
    expect(scaled).toMatchObject({ large: { width: 1_600, height: 800 } });
    const { format } = await sharp(scaled?.large.bytes).metadata();
    expect(format).toBe('webp');
    expect(Buffer.from(scaled?.large.bytes ?? []).includes('alert')).toBe(false);
  });

  it.each([
    ['text', Buffer.from('no picture')],
    ['nothing', Buffer.alloc(0)],
    ['an SVG of a huge size', svg('', '0 0 1e9 1e9')],
  ])('returns null for %s', async (_what, bytes) => {
    expect(await scalePicture(bytes)).toBeNull();
  });

  it('returns null for a truncated picture', async () => {
    const whole = await plain(400, 400, '#123456');
    expect(await scalePicture(whole.subarray(0, whole.length - 60))).toBeNull();
  });
});

describe('pictures of the stand', () => {
  it('retries a picture once after it crashed the drawing process', async () => {
    const { origin, asked } = await serve({ '/a.png': await plain(9, 9) });
    let drawn = 0;
    const { fetch, clock, nameOf } = open(ownFolder(), undefined, () => {
      drawn += 1;
      return Promise.resolve('crashed');
    });
    for (let round = 0; round < 5; round += 1) {
      await fetch([`${origin}/a.png`]);
      clock.pass(PICTURE_REST_MS);
    }
    expect([drawn, asked.length, nameOf(`${origin}/a.png`)]).toEqual([2, 2, null]);
  });

  it('retries a picture later while there is no drawing process', async () => {
    const { origin } = await serve({ '/a.png': await plain(9, 9) });
    let isThere = false;
    const { fetch, clock, nameOf } = open(ownFolder(), undefined, (source) =>
      isThere ? drawHere(source) : Promise.resolve('unavailable'),
    );
    await fetch([`${origin}/a.png`]);
    isThere = true;
    clock.pass(PICTURE_REST_MS);
    await fetch([`${origin}/a.png`]);
    expect(nameOf(`${origin}/a.png`)).not.toBeNull();
  });

  it('are available after a restart without a network', async () => {
    const { origin } = await serve({ '/a.png': await plain(900, 900) });
    const first = open();
    await first.fetch([`${origin}/a.png`]);
    const second = open(first.folder);
    const name = second.nameOf(`${origin}/a.png`);
    const picture = await second.read(name ?? '', 'small');
    expect(picture).toMatchObject({ width: 640, height: 640 });
    expect(picture?.address).toMatch(/^data:image\/webp;base64,/);
  });

  it('are requested without a key, a cookie or a referrer, two at a time', async () => {
    const one = await plain(20, 20);
    const names = Array.from({ length: 6 }, (_, index) => `/${index}.png`);
    const { origin, asked, most } = await serve(Object.fromEntries(names.map((name) => [name, one])), 2);
    await open().fetch(names.map((name) => origin + name));
    expect(asked).toHaveLength(6);
    expect(most()).toBe(2);
    for (const { headers } of asked) expect(headers).not.toHaveProperty('authorization');
    for (const { headers } of asked) expect(headers).not.toHaveProperty('cookie');
    for (const { headers } of asked) expect(headers).not.toHaveProperty('referer');
  });

  it('can be data URLs', async () => {
    const { fetch, nameOf } = open();
    const addresses = [
      dataAddress(await plain(10, 10)),
      `data:image/svg+xml,${encodeURIComponent(svg('<rect width="9" height="9"/>').toString())}`,
    ];
    await fetch(addresses);
    for (const address of addresses) expect(nameOf(address)).not.toBeNull();
  });

  it('are not requested again after they were broken, until their record changes', async () => {
    const { origin, asked } = await serve({ '/broken.png': Buffer.from('no picture'), '/gone.png': 404 });
    const { fetch, nameOf, log } = open();
    const addresses = [`${origin}/broken.png`, `${origin}/gone.png`];
    await fetch(addresses);
    const reasons = log.said.map(({ details }) => (details as { readonly why: string }).why);
    expect(reasons.toSorted()).toEqual(['broken', 'refused']);
    await fetch(addresses);
    expect(asked).toHaveLength(2);
    expect(addresses.map(nameOf)).toEqual([null, null]);
    await fetch(addresses, '2');
    expect(asked).toHaveLength(4);
  });

  it('are requested again later, not at once, if they were unreachable', async () => {
    const files: Record<string, Buffer | number> = { '/a.png': 503 };
    const { origin, asked } = await serve(files);
    const { fetch, nameOf, clock } = open();
    await fetch([`${origin}/a.png`]);
    await fetch([`${origin}/a.png`]);
    expect(asked).toHaveLength(1);
    files['/a.png'] = await plain(10, 10);
    clock.pass(300_001);
    await fetch([`${origin}/a.png`]);
    expect(nameOf(`${origin}/a.png`)).not.toBeNull();
  });

  it('are shown in the old revision until the new one is available', async () => {
    const files: Record<string, Buffer | number> = { '/a.png': await plain(10, 10) };
    const { origin } = await serve(files);
    const { fetch, nameOf, read, clock } = open();
    await fetch([`${origin}/a.png`]);
    files['/a.png'] = 503;
    await fetch([`${origin}/a.png`], '2');
    const older = nameOf(`${origin}/a.png`);
    expect(older).not.toBeNull();
    files['/a.png'] = await plain(30, 30);
    clock.pass(300_001);
    await fetch([`${origin}/a.png`], '3');
    expect(await read(nameOf(`${origin}/a.png`) ?? '', 'large')).toMatchObject({ width: 30 });
    // A page that caches pictures by name requests the new one.
    expect(nameOf(`${origin}/a.png`)).not.toBe(older);
  });

  it('are refused if they are larger than ten megabytes or have another kind of address', async () => {
    const { origin } = await serve({ '/large.png': Buffer.alloc(11 * 1024 * 1024) });
    const { fetch, nameOf } = open();
    const addresses = [
      `${origin}/large.png`,
      'file:///etc/hostname',
      'ftp://example.org/a.png',
      '/etc/hostname',
    ];
    await fetch(addresses);
    expect(addresses.map(nameOf)).toEqual([null, null, null, null]);
  });

  it('are removed oldest first beyond the limit, and not fetched repeatedly', async () => {
    const noise = (seed: number) =>
      sharp(Buffer.from(Array.from({ length: 96 * 96 * 3 }, (_, index) => (index * seed * 7919) % 251)), {
        raw: { width: 96, height: 96, channels: 3 },
      })
        .png()
        .toBuffer();
    const addresses = await Promise.all([3, 5, 7].map(async (seed) => dataAddress(await noise(seed))));
    const { fetch, clock, nameOf } = open(ownFolder(), 30_000);
    for (const address of addresses) {
      await fetch([address]);
      clock.pass(1_000);
    }
    expect(nameOf(addresses[0] ?? '')).toBeNull();
    expect(nameOf(addresses[2] ?? '')).not.toBeNull();
    await fetch(addresses);
    expect((await fetch(addresses)).fetched).toBe(0);
  });

  it('never include a file that is not one of our pictures', async () => {
    const { read } = open();
    for (const name of ['../journal.db', '..%2fjournal', 'x', ''])
      expect(await read(name, 'small')).toBeNull();
  });
});
