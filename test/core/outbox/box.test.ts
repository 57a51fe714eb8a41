/**
 * A device at the box in the hall: what only the box has is at the box, "confirmed" is what the platform has, and nothing is
 * lost when the box loses its disk or refuses the device.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src-main/core/api/client.ts';
import { createConnection } from '../../../src-main/core/api/connection.ts';
import { type Journal, openJournal } from '../../../src-main/core/journal/journal.ts';
import { createBox } from '../../../src-main/core/outbox/box.ts';
import { createSender } from '../../../src-main/core/outbox/sender.ts';
import type { Clock } from '../../../src-main/core/ports.ts';
import { ownFolder, rememberingLog, tapOf, until } from '../fixture.ts';
import { realClock, realRandom, stamperOf } from '../real-parts.ts';

type Place = 'at-box' | 'sent' | 'confirmed' | 'parked' | 'unknown';

/** A box over HTTP that keeps what it is sent, and says of it what the test wants. */
const openBox = async () => {
  const box = {
    is: true,
    fails: false,
    accepts: true,
    upstream: 'online',
    /** Where everything is that it holds. */
    place: 'at-box' as Place,
    held: new Map<string, string>(),
    posts: [] as string[],
  };
  const answerTo = (method: string, url: URL, body: string): readonly [number, unknown] => {
    if (!box.accepts) return [401, { title: 'Unauthorized' }];
    if (url.pathname === '/box') {
      if (box.fails) return [503, { title: 'Unavailable' }];
      const upstream = { state: box.upstream, since: 1_000 };
      return box.is
        ? [200, { box: true, name: 'Hall 7', epoch: 'e', upstream }]
        : [404, { title: 'Not found' }];
    }
    if (url.pathname === '/box/receipts/E1') {
      const ids = (url.searchParams.get('ids') ?? '').split(',');
      const placeOf = (id: string): Place => (box.held.has(id) ? box.place : 'unknown');
      return [200, { receipts: ids.map((id) => ({ id, state: placeOf(id), reason: 'touchpointID: gone' })) }];
    }
    if (url.pathname === '/expos/E1') return [200, { id: 'E1', revision: 1 }];
    if (method === 'GET') return [200, []];
    const items = JSON.parse(body) as { id: string }[];
    const results = items.map((item) => {
      const result = box.held.has(item.id) ? 'duplicate' : 'created';
      box.held.set(item.id, JSON.stringify(item));
      box.posts.push(item.id);
      return { id: item.id, result };
    });
    return [200, results];
  };
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const url = new URL(request.url ?? '', 'http://box');
        const [status, value] = answerTo(request.method ?? '', url, body);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { box, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

/** A sender to it, whose waits are a twentieth of what they are; `stop` ends it. */
const deliver = (journal: Journal, baseUrl: string) => {
  const clock: Clock = { ...realClock, sleep: (ms, signal) => realClock.sleep(ms / 20, signal) };
  const client = createClient({ baseUrl, key: 'k', password: '', expoId: 'E1' }, clock);
  const common = { client, expoId: 'E1', journal, clock, onChange: () => undefined };
  const box = createBox(common);
  const sender = createSender({
    ...{ ...common, box, random: realRandom, log: rememberingLog() },
    connection: createConnection(() => undefined),
    owner: () => ({ touchpoint: 'tp1', partner: 'p1' }),
  });
  const ended = new AbortController();
  const running = sender.run(ended.signal);
  const stop = async () => {
    ended.abort();
    await running;
    await client.close();
  };
  onTestFinished(stop);
  return { box, sender, stop };
};

/** A journal with a tap and a consent, which leaves no action. */
const twoFacts = () => {
  const journal = openJournal(join(ownFolder(), 'journal.db'), stamperOf());
  journal.record(tapOf('0401'), null);
  const consent = { notice: '1', language: 'en', agreed: { mail: true } };
  journal.record(
    { ...tapOf('0401'), kind: 'consent', payload: { badge: '0401', fields: { consent } } },
    null,
  );
  onTestFinished(journal.close);
  return { journal };
};
const counts = ({ outbox }: Journal) => ({ ...outbox.counts(), atBox: outbox.atBox() });

it('says "at the box" of what the box took, and "confirmed" only of what the platform has', async () => {
  const { box, baseUrl } = await openBox();
  box.upstream = 'offline';
  const { journal } = twoFacts();
  const device = deliver(journal, baseUrl);
  await until('the box has them', () => counts(journal).atBox === 2);
  await until('it is known that the box is cut off', () => device.box.state()?.upstream === 'away');
  expect(device.box.state()).toEqual({ name: 'Hall 7', upstream: 'away', since: 1_000 });
  expect(counts(journal)).toMatchObject({ captured: 2, sent: 2, confirmed: 0 });
  box.upstream = 'online';
  box.place = 'sent';
  await until('the box has sent them on', () => counts(journal).atBox === 0);
  expect(counts(journal)).toMatchObject({ sent: 2, confirmed: 0 });
  box.place = 'confirmed';
  await until('the platform has them', () => counts(journal).confirmed === 2);
  expect(device.box.state()?.upstream).toBe('online');
  // Neither was sent again only to hear of it.
  expect(box.posts).toHaveLength(2);
  expect(journal.outbox.repeated()).toBe(0);
});

it('shows what the platform refused of the box as set aside, with the words of the platform', async () => {
  const { box, baseUrl } = await openBox();
  const { journal } = twoFacts();
  box.place = 'parked';
  deliver(journal, baseUrl);
  await until('it is set aside here', () => counts(journal).parked === 2);
  expect(counts(journal)).toMatchObject({ sent: 0, atBox: 0 });
  expect(journal.outbox.of(1)).toEqual({ state: 'parked', reason: 'touchpointID: gone' });
});

it('sends again, as the same fact in the same words, what a box lost with its disk', async () => {
  const { box, baseUrl } = await openBox();
  const { journal } = twoFacts();
  deliver(journal, baseUrl);
  await until('the box has them', () => counts(journal).atBox === 2);
  const before = new Map(box.held);
  box.held.clear();
  await until('the box has them again', () => box.held.size === 2);
  expect(box.held).toEqual(before);
  await until('that is noted', () => counts(journal).atBox === 2);
  expect(counts(journal)).toMatchObject({ captured: 2, sent: 2, due: 0, confirmed: 0 });
});

it('remembers its box over a restart, so that what only the box has is never confirmed', async () => {
  const { box, baseUrl } = await openBox();
  const { journal } = twoFacts();
  const first = deliver(journal, baseUrl);
  await until('the box has them', () => counts(journal).atBox === 2);
  await first.stop();
  box.fails = true;
  journal.record(tapOf('0402'), null);
  const second = deliver(journal, baseUrl);
  await until('the box has the third', () => counts(journal).atBox === 3);
  expect(second.box.state()).toEqual({ name: 'Hall 7', upstream: 'unknown', since: null });
  box.place = 'confirmed';
  await until('the platform has them', () => counts(journal).confirmed === 3);
  expect(box.posts).toHaveLength(3);
});

it('keeps everything while the box refuses the device, says why, and goes on when it is taken in again', async () => {
  const { box, baseUrl } = await openBox();
  const { journal } = twoFacts();
  const { sender, box: ours } = deliver(journal, baseUrl);
  await until('the box has them', () => counts(journal).atBox === 2);
  box.accepts = false;
  journal.record(tapOf('0402'), null);
  sender.wake();
  await until('the reason is told', () => sender.pause() === 'keyRefused');
  expect(ours.isThere()).toBe(true);
  expect(counts(journal)).toMatchObject({ captured: 3, due: 1, sent: 2, atBox: 2, parked: 0 });
  box.accepts = true;
  await until('the box has the third', () => counts(journal).atBox === 3);
  expect(sender.pause()).toBeNull();
});

it('takes a platform that knows nothing of boxes for no box, and one that took its place, too', async () => {
  const { box, baseUrl } = await openBox();
  box.is = false;
  const { journal } = twoFacts();
  const { box: ours, stop } = deliver(journal, baseUrl);
  await until('the platform has them', () => counts(journal).confirmed === 2);
  expect(ours.state()).toBeNull();
  await stop();
  box.is = true;
  journal.record(tapOf('0402'), null);
  const again = deliver(journal, baseUrl);
  await until('the box has it', () => counts(journal).atBox === 1);
  await again.stop();
  box.is = false;
  journal.record(tapOf('0403'), null);
  const last = deliver(journal, baseUrl);
  await until('the platform has it', () => counts(journal).confirmed === 4);
  expect([last.box.state(), counts(journal).atBox]).toEqual([null, 0]);
});
