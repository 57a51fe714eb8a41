/** The page with the contents taken with a tap: what it shows, to whom, and for how long. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseServeOptions } from '../../src-platform/options.ts';
import { type RunningPlatform, startPlatform } from './running-platform.ts';

const amelie = '04A1B2C3D4E5F6';
const publicUrl = 'https://events.example.org';
/** The time of the platform in milliseconds. */
let time = Date.now();

let platform: RunningPlatform;
let contents: readonly { readonly id: string; readonly name: string }[];
beforeAll(async () => {
  platform = await startPlatform({ publicUrl, now: () => new Date(time) });
  contents = (await platform.request('GET', '/contents/AD2026?partnerId=AD2026P001')).json;
});
afterAll(() => platform.stop());

let seq = 0;
const item = (more: object) => {
  seq += 1;
  const at = new Date(time).toISOString();
  const place = { touchpointID: 'AD2026T01', badge: amelie, source: 'nfc' };
  return { id: randomUUID(), kind: 'tap', at, seq, ...place, ...more };
};
const send = async (...items: unknown[]) => {
  const answer = await platform.request('POST', '/actions/AD2026', { body: items });
  expect(answer.json.map(({ result }: { result: string }) => result)).toEqual(items.map(() => 'created'));
};
const contentAt = (index: number) => contents[index] ?? { id: '', name: '' };
const collect = (bag: string, index: number, more: object = {}) =>
  item({ kind: 'collect', contentID: contentAt(index).id, fields: { bag }, ...more });
const pageOf = async (tap: string, language = 'en') => {
  const headers = { 'accept-language': language };
  const answer = await fetch(`${platform.origin}/bag/AD2026/${tap}`, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
/** Names of the contents on the page of `tap`. */
const namesOn = async (tap: string) =>
  [...(await pageOf(tap)).text.matchAll(/<bdi class="name"[^>]*>([^<]*)/g)].map(([, name]) => name);

describe('the public address of a platform', () => {
  it('is a web address, without a slash at its end', () => {
    expect(parseServeOptions(['--public-url', 'https://events.example.org/'])?.publicUrl).toBe(publicUrl);
    expect(parseServeOptions([])?.publicUrl).toBeNull();
    for (const address of ['events', 'ftp://events.example.org', 'https://events.example.org/?a=b'])
      expect(() => parseServeOptions(['--public-url', address])).toThrow('--public-url');
  });
});

describe('the page of a bag', () => {
  it('has its address in the detailed form of its event, if the platform has such pages', async () => {
    const { json } = await platform.request('GET', '/expos/AD2026');
    expect(json.bagUrl).toBe(`${publicUrl}/bag/AD2026`);
    const other = await startPlatform();
    expect((await other.request('GET', '/expos/AD2026')).json.bagUrl).toBeUndefined();
    expect((await fetch(`${other.origin}/bag/AD2026/${randomUUID()}`)).headers.get('content-type')).toMatch(
      /json/,
    );
    await other.stop();
  });

  it('shows exactly the contents taken with its tap, with pictures and links, and nothing about a person', async () => {
    const [tap, other] = [item({}), item({})];
    await send(tap, collect(tap.id, 0), other, collect(other.id, 1), collect(tap.id, 2));
    expect(await namesOn(tap.id)).toEqual([contentAt(0).name, contentAt(2).name]);
    expect(await namesOn(other.id)).toEqual([contentAt(1).name]);
    const { text, headers, status } = await pageOf(tap.id);
    expect(status).toBe(200);
    expect(text).toMatch(/<a href="https:\/\//);
    expect(text).not.toMatch(/Am[eé]lie|04A1B2C3|AD2026V/i);
    expect(text).not.toContain('<script');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('shows the content of a touchpoint that the tap itself collects', async () => {
    const tap = item({});
    await send(tap, item({ kind: 'collect', contentID: contentAt(0).id }));
    expect(await namesOn(tap.id)).toEqual([contentAt(0).name]);
  });

  it('does not show contents that were returned, and disappears when the tap is undone', async () => {
    const tap = item({});
    const [kept, putBack] = [collect(tap.id, 0), collect(tap.id, 1)];
    await send(tap, kept, putBack, item({ kind: 'undo', undoes: putBack.id }));
    expect(await namesOn(tap.id)).toEqual([contentAt(0).name]);
    await send(item({ kind: 'undo', undoes: kept.id }), item({ kind: 'undo', undoes: tap.id }));
    expect(await pageOf(tap.id)).toMatchObject({ status: 410, text: expect.stringContaining('taken back') });
  });

  it('says that a tap may still be on its way, and reloads automatically', async () => {
    const { status, text } = await pageOf(randomUUID());
    expect(status).toBe(404);
    expect(text).toContain('on its way');
    expect(text).toContain('http-equiv="refresh"');
    expect((await pageOf('1')).status).toBe(404);
    expect((await fetch(`${platform.origin}/bag/NOPE/${randomUUID()}`)).status).toBe(404);
  });

  it('is in the language of the phone', async () => {
    const tap = item({});
    await send(tap, collect(tap.id, 0));
    expect((await pageOf(tap.id, 'xx, de-CH;q=0.9, en;q=0.8')).text).toContain('Das haben Sie mitgenommen');
    expect((await pageOf(tap.id, 'ar')).text).toContain('dir="rtl"');
    expect((await pageOf(tap.id, '')).text).toContain('What you took along');
  });

  it('escapes the texts of a content', async () => {
    const name = `<img src=x onerror="alert(1)">`;
    const body = { category: 'product', name, image: 'javascript:alert(1)' };
    const made = await platform.request('POST', '/contents/AD2026?partnerId=AD2026P001', { body });
    expect(made.status, made.text).toBe(200);
    const tap = item({});
    await send(tap, item({ kind: 'collect', contentID: made.json.id, fields: { bag: tap.id } }));
    const { text } = await pageOf(tap.id);
    expect(text).toContain('&lt;img src=x');
    expect(text).not.toMatch(/<img src=x|javascript:/);
  });

  it('is erased with its person', async () => {
    const code = '04AABBCCDDEEFF';
    const body = { lastName: 'Gone', registrationState: 'registered', badges: [{ type: 'nfc', code }] };
    const { id } = (await platform.request('POST', '/visitors/AD2026', { body })).json;
    const tap = item({ badge: code });
    await send(tap, collect(tap.id, 0, { badge: code }));
    expect(await namesOn(tap.id)).toHaveLength(1);
    expect((await platform.request('DELETE', `/visitors/AD2026/${id}`)).status).toBe(200);
    expect((await pageOf(tap.id)).status).toBe(410);
  });

  it('disappears when the event is over', async () => {
    const tap = item({});
    await send(tap, collect(tap.id, 0));
    expect((await pageOf(tap.id)).status).toBe(200);
    time += 90 * 86_400_000;
    expect(await pageOf(tap.id)).toMatchObject({ status: 410, text: expect.stringContaining('over') });
  });
});
