/** Phones of the team over real https: who is admitted, by what, for how long, and to which calls. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { AppClient } from '../../src-main/commands/tap/app-connection.ts';
import type { Network } from '../../src-main/machine/networks.ts';
import { createPhones, type Phones } from '../../src-main/phones/phones.ts';
import { handClock, ownFolder, rememberingLog, until } from '../core/fixture.ts';
import { realRandom } from '../core/real-parts.ts';
import { TECHNICIAN } from '../core/screen.ts';
import { fill, openStandKiosk, smallFair } from '../core/stand/visit/stand-kiosk.ts';

const MINUTE = 60_000;
const HERE: readonly Network[] = [{ address: '127.0.0.1', prefix: 8 }];
const PAGE = { find: () => ({ type: 'text/html', bytes: Buffer.from('the page') }) };

type Answer = {
  readonly status: number;
  readonly body: string;
  readonly cookie: string;
  readonly to: string;
};

/** The answer to a request. Status 0: the connection ended without an answer. */
const ask = (address: string, headers: RequestOptions['headers'] = {}): Promise<Answer> =>
  new Promise((resolve) => {
    const asked = request(address, { headers, rejectUnauthorized: false, agent: false }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      const { 'set-cookie': [cookie = ''] = [], location: to = '' } = answer.headers;
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body, cookie, to }));
    });
    asked.once('error', () => resolve({ status: 0, body: '', cookie: '', to: '' }));
    asked.end();
  });

/** The connection of a phone's page. `refused`: the status with which it was refused. */
const connect = (origin: string, cookie: string, from = origin) =>
  new Promise<{ client: AppClient; ended: () => boolean; refused: number | null }>((resolve) => {
    const socket = new WebSocket(`${origin.replace('https', 'wss')}/rpc`, {
      headers: { cookie, origin: from },
      rejectUnauthorized: false,
    });
    onTestFinished(() => socket.terminate());
    const client = createORPCClient<AppClient>(new RPCLink({ websocket: socket as never }));
    const ended = () => socket.readyState === socket.CLOSED;
    socket.once('error', () => undefined);
    socket.once('open', () => resolve({ client, ended, refused: null }));
    socket.once('unexpected-response', (_asked, { statusCode = 0 }) =>
      resolve({ client, ended, refused: statusCode }),
    );
  });

/** A stand with phones switched on. Jo is signed in on the laptop; Ann has the phone. */
const openStand = async (folder = ownFolder()) => {
  const kiosk = openStandKiosk({
    folder,
    stand: { touchpoint: 'lead1' },
    technician: true,
    prepare: (mirror) => fill(mirror, smallFair()),
  });
  const laptop = await kiosk.staff();
  const team = await laptop.staff.team();
  const ann =
    team.members.find(({ name }) => name === 'Ann') ?? (await laptop.staff.addMember({ name: 'Ann' }));
  const clock = handClock();
  let partner = kiosk.kiosk.partner();
  const start = (networks = HERE): Phones => {
    const phones = createPhones({
      ...{ clock, folder, random: realRandom, log: rememberingLog() },
      kiosk: { ...kiosk.kiosk, partner: () => partner },
      files: () => PAGE,
      networks: () => networks,
    });
    onTestFinished(phones.stop);
    return phones;
  };
  const phones = start();
  await phones.turn(true);
  const code = (member = ann.id) => phones.pair(member)?.links[0] ?? '';
  const originOf = (of: Phones) => `https://${of.read().open?.addresses[0] ?? ''}`;
  return {
    ...kiosk,
    laptop,
    ann,
    clock,
    phones,
    start,
    code,
    originOf,
    origin: originOf(phones),
    /** Pairs a phone. Returns its cookie. */
    pair: async (): Promise<string> => (await ask(code())).cookie.split(';')[0] ?? '',
    moveTo: (next: string) => {
      partner = next;
    },
  };
};

describe('phones of the team', () => {
  it('are served only while staff have switched them on, and only in the laptop’s own network', async () => {
    const { phones, start, origin } = await openStand();
    expect((await ask(origin)).status).toBe(403);
    await phones.turn(false);
    expect((await ask(origin)).status).toBe(0);
    expect(phones.pair('anybody')).toBeNull();
    const elsewhere = start([{ address: '10.20.30.40', prefix: 24 }]);
    const { open } = await elsewhere.turn(true);
    expect((await ask(`https://127.0.0.1:${open?.addresses[0]?.split(':')[1]}`)).status).toBe(0);
    expect(await start([]).turn(true)).toMatchObject({ open: null, fault: 'noNetwork' });
  });

  it('get nothing under another host name, from another origin or without a cookie', async () => {
    const { origin, pair } = await openStand();
    const cookie = await pair();
    expect(await ask(origin, { cookie })).toMatchObject({ status: 200, body: 'the page' });
    expect((await ask(origin, { cookie, host: 'rebound.example' })).status).toBe(421);
    expect((await ask(origin, { cookie, origin: 'https://other.example' })).status).toBe(403);
    expect((await ask(origin, { cookie: `${cookie}x` })).body).toContain('not paired');
    expect((await connect(origin, cookie, 'https://other.example')).refused).toBe(403);
    expect((await connect(origin, '')).refused).toBe(401);
    expect((await connect(origin, cookie)).refused).toBeNull();
  });
});

describe('a code', () => {
  it('pairs one phone within five minutes, unless a newer code replaces it', async () => {
    const { code, clock, phones } = await openStand();
    const first = code();
    expect((await ask(first, { 'sec-purpose': 'prefetch' })).status).toBe(503);
    const { status, to, cookie } = await ask(first, { date: 'Fri, 20 Nov 2026 09:00:00 GMT' });
    expect({ status, to }).toEqual({ status: 303, to: '/' });
    const seconds = (new Date(clock.now()).setHours(24, 0, 0, 0) - clock.now()) / 1_000;
    expect(cookie).toMatch(
      new RegExp(
        `^touchpoint-phone=[\\w-]{43}; Max-Age=${seconds}; Path=/; HttpOnly; Secure; SameSite=Strict$`,
      ),
    );
    expect((await ask(first)).status).toBe(403);
    const [late, replaced] = [code(), code()];
    expect((await ask(late)).status).toBe(403);
    clock.pass(5 * MINUTE);
    expect((await ask(replaced)).status).toBe(403);
    expect(phones.read().phones).toHaveLength(1);
  });

  it('is refused for a minute after ten wrong codes, even if it is right', async () => {
    const { code, clock, origin } = await openStand();
    for (let wrong = 0; wrong < 10; wrong += 1) expect((await ask(`${origin}/?pair=wrong`)).status).toBe(403);
    const right = code();
    expect((await ask(right)).status).toBe(429);
    clock.pass(MINUTE);
    expect((await ask(right)).status).toBe(303);
  });

  it('pairs a phone again, which replaces the first pairing', async () => {
    const { code, phones, origin, pair } = await openStand();
    const cookie = await pair();
    const { ended } = await connect(origin, cookie);
    expect((await ask(code(), { cookie })).status).toBe(303);
    expect(phones.read().phones).toHaveLength(1);
    await until('the connection of the first phone ends', ended);
    expect((await ask(origin, { cookie })).status).toBe(403);
  });
});

describe('a paired phone', () => {
  it('works for its member while another is on duty, and needs the PIN after it was locked or idle', async () => {
    const { origin, pair, tap, pass, lines } = await openStand();
    const { client } = await connect(origin, await pair());
    const first = await tap('04AA00000000A1');
    if (first.kind !== 'captured') throw new Error('Expected a captured tap');
    expect(await client.leads.edit({ lead: first.leadId, change: { rating: 4 } })).toMatchObject({
      kind: 'kept',
    });
    await client.staff.lock({ off: true });
    await tap('04AA00000000A2');
    expect(lines().map(({ kind, staff }) => [kind, staff])).toEqual([
      ['tap', 'Jo'],
      ['qualify', 'Ann'],
      ['tap', 'Jo'],
    ]);
    await expect(client.leads.words()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await client.staff.signIn({ pin: '0000' })).toMatchObject({ kind: 'wrong' });
    expect(await client.staff.signIn({ pin: TECHNICIAN.technicianPin })).toEqual({ kind: 'in' });
    for await (const { session } of await client.staff.watch()) {
      expect(session).toMatchObject({ member: { name: 'Ann' }, technician: false });
      break;
    }
    pass(10 * MINUTE);
    await expect(client.leads.words()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('reaches the work on leads and no other call', async () => {
    const { origin, pair } = await openStand();
    const { client } = await connect(origin, await pair());
    expect(await client.leads.page({})).toMatchObject({ leads: [] });
    const others: readonly (() => Promise<unknown>)[] = [
      () => client.exports.places(),
      () => client.erasure.protocols(),
      () => client.destinations.list(),
      () => client.delivery.deadLetters(),
      () => client.health.read(),
      () => client.setup.read(),
      () => client.phones.read(),
      () => client.taps.watch(),
      () => client.leads.changeHotRule({ rule: null }),
      () => client.leads.changeTarget({ target: 5 }),
      () => client.leads.mergeCompanies({ companies: ['a', 'b'], into: 'a' }),
      () => client.staff.changePin({ pin: '1234' }),
      () => client.staff.addMember({ name: 'Mallory' }),
    ];
    for (const call of others) await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  const ends: readonly [string, (stand: Awaited<ReturnType<typeof openStand>>) => unknown][] = [
    ['staff revoke it', ({ phones }) => phones.revoke(phones.read().phones[0]?.id ?? '')],
    ['staff switch the phones off', ({ phones }) => phones.turn(false).then(() => phones.turn(true))],
    ['its day is over', ({ clock }) => clock.pass(24 * 60 * MINUTE)],
    ['the laptop works for another partner', ({ moveTo }) => moveTo('p2')],
    ['its member leaves the team', ({ laptop, ann }) => laptop.staff.removeMember({ member: ann.id })],
  ];
  it.each(ends)('loses its access and its connection when %s', async (_when, end) => {
    const stand = await openStand();
    const cookie = await stand.pair();
    const { client, ended } = await connect(stand.origin, cookie);
    await client.leads.words();
    await end(stand);
    await expect(client.leads.words()).rejects.toThrow();
    expect((await ask(stand.origin, { cookie })).status).not.toBe(200);
    await until('the connection of the phone ends', ended);
    expect(stand.phones.read().phones).toEqual([]);
  });

  it('stays locked out if the disk refuses the revocation, and the page shows that until it is written', async () => {
    const stand = await openStand();
    const { folder, phones, start, originOf } = stand;
    const cookie = await stand.pair();
    const file = join(folder, 'phones.json');
    const before = readFileSync(file);
    // A file cannot replace a folder that is not empty.
    rmSync(file);
    mkdirSync(join(file, 'in the way'), { recursive: true });
    const [phone] = phones.read().phones;
    expect(phones.revoke(phone?.id ?? '')).toMatchObject({ fault: 'notKept', phones: [] });
    expect((await ask(stand.origin, { cookie })).status).toBe(403);
    rmSync(file, { recursive: true });
    writeFileSync(file, before);
    expect(await phones.turn(false)).toMatchObject({ fault: null, open: null });
    await phones.stop();
    const again = start();
    await again.turn(true);
    expect((await ask(originOf(again), { cookie })).status).toBe(403);
  });

  it('is recognised after a restart by the hash of its cookie, but not at another stand or after damage', async () => {
    const stand = await openStand();
    const { folder, phones, start, originOf } = stand;
    const cookie = await stand.pair();
    const file = join(folder, 'phones.json');
    expect(readFileSync(file, 'utf8')).not.toContain(cookie.split('=')[1]);
    for (const name of ['phones.json', 'phones-key.pem'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const { fingerprint = '' } = phones.read().open ?? {};
    await phones.stop();
    const again = start();
    again.start();
    await until('the phones are on again', () => again.read().open !== null);
    expect(again.read().open?.fingerprint).toBe(fingerprint);
    expect((await ask(originOf(again), { cookie })).status).toBe(200);
    const { client } = await connect(originOf(again), cookie);
    await expect(client.leads.words()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });

    const other = await openStand();
    expect((await ask(other.origin, { cookie })).status).toBe(403);
    await again.stop();
    writeFileSync(file, '{');
    const damaged = start();
    await damaged.turn(true);
    expect((await ask(originOf(damaged), { cookie })).status).toBe(403);
  });
});
