/**
 * A device at a hub: facts at the hub are shown as such, "confirmed" means that the platform has them, and nothing is
 * lost when the hub loses its disk or refuses the device.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createHub } from '../../../../src-main/core/delivery/outbox/hub.ts';
import { createSender } from '../../../../src-main/core/delivery/outbox/sender.ts';
import { createClient } from '../../../../src-main/core/foundations/api/client.ts';
import { createConnection } from '../../../../src-main/core/foundations/api/connection.ts';
import type { Clock } from '../../../../src-main/core/foundations/ports.ts';
import type { Journal } from '../../../../src-main/core/journal/facts/journal.ts';
import { ownFolder, rememberingLog, tapOf, until } from '../../fixture.ts';
import { openJournal, realClock, realRandom, stamperOf } from '../../real-parts.ts';

type Place = 'at-hub' | 'sent' | 'confirmed' | 'parked' | 'unknown';

/** A hub over HTTP that stores what it receives, and answers as the test chooses. */
const openHub = async () => {
  const hub = {
    is: true,
    fails: false,
    accepts: true,
    upstream: 'online',
    /** The current state of all its facts. */
    place: 'at-hub' as Place,
    held: new Map<string, string>(),
    posts: [] as string[],
    /** Number of answered requests for receipts. */
    asked: 0,
  };
  const answerTo = (method: string, url: URL, body: string): readonly [number, unknown] => {
    if (!hub.accepts) return [401, { title: 'Unauthorized' }];
    if (url.pathname === '/hub') {
      if (hub.fails) return [503, { title: 'Unavailable' }];
      const upstream = { state: hub.upstream, since: 1_000 };
      return hub.is
        ? [200, { hub: true, name: 'Hall 7', epoch: 'e', upstream }]
        : [404, { title: 'Not found' }];
    }
    if (url.pathname === '/hub/receipts/E1') {
      hub.asked += 1;
      const ids = (url.searchParams.get('ids') ?? '').split(',');
      const placeOf = (id: string): Place => (hub.held.has(id) ? hub.place : 'unknown');
      return [200, { receipts: ids.map((id) => ({ id, state: placeOf(id), reason: 'touchpointID: gone' })) }];
    }
    if (url.pathname === '/expos/E1') return [200, { id: 'E1', revision: 1 }];
    if (method === 'GET') return [200, []];
    const items = JSON.parse(body) as { id: string }[];
    const results = items.map((item) => {
      const result = hub.held.has(item.id) ? 'duplicate' : 'created';
      hub.held.set(item.id, JSON.stringify(item));
      hub.posts.push(item.id);
      return { id: item.id, result };
    });
    return [200, results];
  };
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const url = new URL(request.url ?? '', 'http://hub');
        const [status, value] = answerTo(request.method ?? '', url, body);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { hub, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

/** A sender to this hub with a twentieth of the usual waits. `stop` ends it. */
const deliver = (journal: Journal, baseUrl: string) => {
  const clock: Clock = { ...realClock, sleep: (ms, signal) => realClock.sleep(ms / 20, signal) };
  const client = createClient({ baseUrl, key: 'k', password: '', expoId: 'E1' }, clock);
  const common = { client, expoId: 'E1', journal, clock, onChange: () => undefined };
  const hub = createHub(common);
  const sender = createSender({
    ...{ ...common, hub, random: realRandom, log: rememberingLog() },
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
  return { hub, sender, stop };
};

/** A journal with a tap and a consent. The consent creates no action. */
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
const counts = ({ outbox }: Journal) => ({ ...outbox.counts(), atHub: outbox.atHub() });

it('shows "at the hub" for facts that the hub accepted, and "confirmed" only for facts that the platform has', async () => {
  const { hub, baseUrl } = await openHub();
  hub.upstream = 'offline';
  const { journal } = twoFacts();
  const device = deliver(journal, baseUrl);
  await until('the hub has the facts', () => counts(journal).atHub === 2);
  await until(
    'the device shows that its hub does not reach the platform',
    () => device.hub.state()?.upstream === 'away',
  );
  expect(device.hub.state()).toEqual({ name: 'Hall 7', upstream: 'away', since: 1_000 });
  expect(counts(journal)).toMatchObject({ captured: 2, sent: 2, confirmed: 0 });
  hub.upstream = 'online';
  hub.place = 'sent';
  await until('the hub has sent the facts', () => counts(journal).atHub === 0);
  expect(counts(journal)).toMatchObject({ sent: 2, confirmed: 0 });
  hub.place = 'confirmed';
  await until('the platform has the facts', () => counts(journal).confirmed === 2);
  expect(device.hub.state()?.upstream).toBe('online');
  // Neither was sent again in order to find out its state.
  expect(hub.posts).toHaveLength(2);
  expect(journal.outbox.repeated()).toBe(0);
});

it("shows a fact that the platform refused from the hub as parked, with the platform's reason", async () => {
  const { hub, baseUrl } = await openHub();
  const { journal } = twoFacts();
  hub.place = 'parked';
  deliver(journal, baseUrl);
  await until('the fact is parked on the device', () => counts(journal).parked === 2);
  expect(counts(journal)).toMatchObject({ sent: 0, atHub: 0 });
  expect(journal.outbox.of(1)).toEqual({ state: 'parked', reason: 'touchpointID: gone' });
});

it('sends again, with the same id and bytes, a fact that the hub lost with its disk', async () => {
  const { hub, baseUrl } = await openHub();
  const { journal } = twoFacts();
  deliver(journal, baseUrl);
  await until('the hub has the facts', () => counts(journal).atHub === 2);
  const before = new Map(hub.held);
  hub.held.clear();
  await until('the hub has the facts again', () => hub.held.size === 2);
  expect(hub.held).toEqual(before);
  await until('both facts count as at the hub', () => counts(journal).atHub === 2);
  expect(counts(journal)).toMatchObject({ captured: 2, sent: 2, due: 0, confirmed: 0 });
});

it('requests the receipt of a fact whose content was erased after it was sent', async () => {
  const { hub, baseUrl } = await openHub();
  const { journal } = twoFacts();
  deliver(journal, baseUrl);
  await until('the hub has the facts', () => counts(journal).atHub === 2);
  const erased = journal.eraseLeads([journal.leads.ofBadge('p1', '0401') ?? '']);
  expect(erased).toHaveLength(2);
  const { asked } = hub;
  // The first of these may have been sent before.
  await until('the device continues to request receipts', () => hub.asked >= asked + 2);
  hub.place = 'parked';
  await until('the device shows what the hub did', () => counts(journal).parked === 2);
  expect(counts(journal)).toMatchObject({ captured: 2, sent: 0, atHub: 0 });
});

it('parks a fact that its hub lost after the content was erased here, and never sends it', async () => {
  const { hub, baseUrl } = await openHub();
  const { journal } = twoFacts();
  deliver(journal, baseUrl);
  await until('the hub has the facts', () => counts(journal).atHub === 2);
  journal.eraseLeads([journal.leads.ofBadge('p1', '0401') ?? '']);
  hub.held.clear();
  await until('the device shows them as parked', () => counts(journal).parked === 2);
  expect(journal.outbox.of(1)?.reason).toBe('the content was erased here before it was delivered');
  expect(hub.posts).toHaveLength(2);
});

it('remembers its hub after a restart, so that a fact that only the hub has is never confirmed', async () => {
  const { hub, baseUrl } = await openHub();
  const { journal } = twoFacts();
  const first = deliver(journal, baseUrl);
  await until('the hub has the facts', () => counts(journal).atHub === 2);
  await first.stop();
  hub.fails = true;
  journal.record(tapOf('0402'), null);
  const second = deliver(journal, baseUrl);
  await until('the hub has the third fact', () => counts(journal).atHub === 3);
  expect(second.hub.state()).toEqual({ name: 'Hall 7', upstream: 'unknown', since: null });
  hub.place = 'confirmed';
  await until('the platform has the facts', () => counts(journal).confirmed === 3);
  expect(hub.posts).toHaveLength(3);
});

it('keeps every fact while the hub refuses the device, reports why, and resumes when the hub accepts it again', async () => {
  const { hub, baseUrl } = await openHub();
  const { journal } = twoFacts();
  const { sender, hub: ours } = deliver(journal, baseUrl);
  await until('the hub has the facts', () => counts(journal).atHub === 2);
  hub.accepts = false;
  journal.record(tapOf('0402'), null);
  sender.wake();
  await until('the reason of the pause is shown', () => sender.pause() === 'keyRefused');
  expect(ours.isThere()).toBe(true);
  expect(counts(journal)).toMatchObject({ captured: 3, due: 1, sent: 2, atHub: 2, parked: 0 });
  hub.accepts = true;
  await until('the hub has the third fact', () => counts(journal).atHub === 3);
  expect(sender.pause()).toBeNull();
});

it('does not treat a platform without the hub interface as a hub, even if the device used a hub before', async () => {
  const { hub, baseUrl } = await openHub();
  hub.is = false;
  const { journal } = twoFacts();
  const { hub: ours, stop } = deliver(journal, baseUrl);
  await until('the platform has the facts', () => counts(journal).confirmed === 2);
  expect(ours.state()).toBeNull();
  await stop();
  hub.is = true;
  journal.record(tapOf('0402'), null);
  const again = deliver(journal, baseUrl);
  await until('the hub has the fact', () => counts(journal).atHub === 1);
  await again.stop();
  hub.is = false;
  journal.record(tapOf('0403'), null);
  const last = deliver(journal, baseUrl);
  await until('the platform has the fact', () => counts(journal).confirmed === 4);
  expect([last.hub.state(), counts(journal).atHub]).toEqual([null, 0]);
});
