/** Set-up with a hub's file on the command line: the result, and the sentence of each refusal. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { provisionFolder } from '../../src-main/device-setup/provisioned-start.ts';
import { ownFolder } from '../core/fixture.ts';
import { realClock, realRandom } from '../core/real-parts.ts';
import { ONE_TIME, openHub } from '../provision/hub-double.ts';

type Hub = Awaited<ReturnType<typeof openHub>>;

const device = () => {
  const folder = ownFolder();
  const path = join(ownFolder(), 'devices.json');
  const start = (text: string, id: string | null = null) => {
    writeFileSync(path, text);
    return provisionFolder(folder, realClock, realRandom, { file: path, device: id });
  };
  const read = (name: string) =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;
  const has = (name: string) => existsSync(join(folder, name));
  return { folder, path, start, read, has };
};
const refusal = (start: Promise<unknown>): Promise<string> =>
  start.then(
    () => 'it was taken',
    (error: Error) => error.message,
  );
const questions = ({ asked }: Hub) => asked.map(({ body }) => JSON.parse(body) as { key: string });

describe('a device that is given its file', () => {
  it('works with the hub, at its touchpoint, with a credential that is not in the file', async () => {
    const hub = await openHub();
    const { start, read, folder } = device();
    const text = hub.file(['D01']);
    expect(await start(text)).toContain(hub.fingerprint);
    const key = hub.enrolled.get('D01') ?? '';
    expect(read('platform.json')).toMatchObject({ address: hub.address, expo: 'E1', key, privateHttp: true });
    expect(read('stand.json')).toEqual({ touchpoint: 'T-D01', showCompany: true });
    expect(key).not.toBe(ONE_TIME('D01'));
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(text).not.toContain(key);
    expect(statSync(join(folder, 'box.json')).mode & 0o077).toBe(0);
    expect(readFileSync(join(folder, 'box.json'), 'utf8')).not.toContain(key);
  });

  it('ignores the same file at later starts, even if the hub fails or no id is given', async () => {
    const hub = await openHub();
    const { start, read } = device();
    const text = hub.file(['D01', 'D02']);
    await start(text, 'D02');
    const kept = read('platform.json');
    hub.moods.status = 500;
    expect(await start(text, 'D02')).toBeNull();
    expect(await start(text)).toBeNull();
    expect(read('platform.json')).toEqual(kept);
    expect(hub.asked).toHaveLength(1);
  });

  it('requests the same credential again after a lost answer', async () => {
    const hub = await openHub();
    const { start, read } = device();
    const text = hub.file(['D01']);
    hub.moods.silent = true;
    expect(await refusal(start(text))).toMatch(/^The hub does not answer/);
    hub.moods.silent = false;
    await start(text);
    const [first, second] = questions(hub);
    expect(second).toEqual(first);
    expect(read('platform.json').key).toBe(first?.key);
  });

  it('keeps the other settings of stand.json, and renames the old file', async () => {
    const hub = await openHub();
    const { start, read, folder } = device();
    writeFileSync(join(folder, 'stand.json'), '{ "email": true, "touchpoint": "T-other" }');
    await start(hub.file(['D01']));
    expect(read('stand.json')).toEqual({ touchpoint: 'T-D01', email: true, showCompany: true });
  });
});

describe('a file is refused in one sentence without a change', () => {
  const refusedAs = async (
    sentence: RegExp,
    change: (hub: Hub) => string,
    { id = null, asks = 0 }: { readonly id?: string | null; readonly asks?: number } = {},
  ) => {
    const hub = await openHub();
    const { start, has } = device();
    expect(await refusal(start(change(hub), id))).toMatch(sentence);
    expect([has('platform.json'), has('stand.json')]).toEqual([false, false]);
    expect(hub.asked).toHaveLength(asks);
  };
  const past = { issuedAt: '2026-01-01T00:00:00Z', expiresAt: '2026-01-02T00:00:00Z' };
  const future = { issuedAt: '2096-01-01T00:00:00Z', expiresAt: '2096-01-02T00:00:00Z' };
  const status = (code: number) => (hub: Hub) => {
    hub.moods.status = code;
    return hub.file(['D01']);
  };

  it('when it was altered', () =>
    refusedAs(/was changed/, (hub) => hub.file(['D01']).replace('T-D01', 'T-D02')));
  it('when it is truncated', () => refusedAs(/ends too early/, (hub) => hub.file(['D01']).slice(0, -9)));
  it('when it is not such a file', () => refusedAs(/is not a file of a hub/, () => '{"touchpointSetUp":1}'));
  it('when it has expired', () =>
    refusedAs(/has expired.* The clock of this computer says .* GMT\.$/, (hub) => hub.file(['D01'], past)));
  it('when a clock is wrong', () => refusedAs(/the clock of this/, (hub) => hub.file(['D01'], future)));
  it('when it is for several devices and no id was given', () =>
    refusedAs(/for 2 devices; name this one after --device: D01, D02$/, (hub) => hub.file(['D01', 'D02'])));
  it('when it does not contain the device', () =>
    refusedAs(/has no device with the id/, (hub) => hub.file(['D01']), { id: 'D09' }));
  it('when its stand is invalid', () =>
    refusedAs(/^The file .* has invalid settings of the stand\. undoSeconds: it must be/, (hub) => {
      const { devices } = JSON.parse(hub.file(['D01'])) as { devices: never[] };
      const wrong = devices.map((one: object) => ({ ...one, settings: { undoSeconds: 1 } }));
      return hub.file([], { devices: wrong as never });
    }));
  it('when its address is unencrypted and public', () =>
    refusedAs(/address to which a credential must not/, (hub) =>
      hub.file(['D01'], { address: 'http://hub.example/v2' }),
    ));
  it('when the hub says that it was used', () => refusedAs(/Another device/, status(409), { asks: 1 }));
  it('when the hub says that it has expired', () => refusedAs(/has expired/, status(410), { asks: 1 }));
  it('when the hub does not know it', () => refusedAs(/does not know this device/, status(401), { asks: 1 }));
  it('when no hub answers there', () => refusedAs(/is not a hub/, status(404), { asks: 1 }));

  it('when it was used on another device', async () => {
    const hub = await openHub();
    const text = hub.file(['D01']);
    await device().start(text);
    expect(await refusal(device().start(text))).toMatch(/^Another device was set up with this file already/);
  });

  it('when it belongs to another event or hub, or the folder holds something else', async () => {
    const [hub, stranger] = [await openHub(), await openHub()];
    const { start, folder, read } = device();
    await start(hub.file(['D01']));
    const kept = read('platform.json');
    expect(await refusal(start(hub.file(['D01'], { expo: 'E2' })))).toMatch(/for another event/);
    expect(await refusal(start(stranger.file(['D01'])))).toMatch(/to another hub .* move box\.json/);
    expect(read('platform.json')).toEqual(kept);
    rmSync(join(folder, 'platform.json'));
    writeFileSync(join(folder, 'journal.db'), '');
    expect(await refusal(start(hub.file(['D02'])))).toMatch(/holds facts of another set-up/);
  });

  it('when it cannot be read', async () => {
    const { folder, path } = device();
    mkdirSync(path);
    const option = { file: path, device: null };
    const start = provisionFolder(folder, realClock, realRandom, option);
    expect(await refusal(start)).toBe('The file after --provision cannot be read.');
  });
});
