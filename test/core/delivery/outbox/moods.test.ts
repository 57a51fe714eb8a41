/**
 * Platforms, portals and proxies that answer every request in the same way. They cause no storm of requests, no
 * parked item, and a visible reason. Afterwards everything is delivered.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../../../src-main/core/foundations/ports.ts';
import { tapOf, until } from '../../fixture.ts';
import { realClock } from '../../real-parts.ts';
import { runSender } from './running-sender.ts';

type Answer = { readonly status: number; readonly body: string };
type Mood = 'fine' | 'emptyLists' | 'emptyWrites' | 'badRequest' | 'badWrites';

const refusal: Answer = { status: 400, body: '{"title":"Bad request"}' };
const nothing: Answer = { status: 200, body: '[]' };

/** A platform over HTTP whose answers can be switched, and a sender to it with a tenth of the usual waits. */
const startSender = async (mood: Mood, taps: number) => {
  const platform = { mood, requests: 0 };
  const kept = new Map<string, string>();
  const answerTo = (method: string, path: string, body: string): Answer => {
    const isWrite = method === 'POST';
    if (platform.mood === 'emptyLists' || (platform.mood === 'emptyWrites' && isWrite)) return nothing;
    if (platform.mood === 'badRequest' || (platform.mood === 'badWrites' && isWrite)) return refusal;
    if (path.startsWith('/expos/')) return { status: 200, body: '{"id":"E1","name":"Fair","revision":1}' };
    if (!isWrite) {
      const actions = [...kept].map(([id], index) => ({ id: `a${id}`, clientID: id, revision: index + 1 }));
      return { status: 200, body: JSON.stringify(actions) };
    }
    const results = (JSON.parse(body) as { id: string }[]).map(({ id }) => {
      kept.set(id, body);
      return { id, result: 'created', actionID: `a${id}`, revision: kept.size };
    });
    return { status: 200, body: JSON.stringify(results) };
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    platform.requests += 1;
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { status, body } = answerTo(
        request.method ?? '',
        request.url ?? '',
        Buffer.concat(pieces).toString(),
      );
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const clock: Clock = { ...realClock, sleep: (ms, signal) => realClock.sleep(ms / 10, signal) };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { journal, sender, log } = runSender(baseUrl, taps, clock);
  const allConfirmed = () => journal.outbox.counts().confirmed === journal.outbox.counts().captured;
  return { platform, kept, journal, sender, log, allConfirmed };
};

const attemptsIn = ({
  outbox,
}: {
  readonly outbox: { items: (state: 'due' | 'uncertain', n: number) => readonly { attempts: number }[] };
}) =>
  Math.max(
    0,
    ...[...outbox.items('due', 100), ...outbox.items('uncertain', 100)].map((item) => item.attempts),
  );

it.each([
  ['everything', 'emptyLists', 'notAPlatform'],
  ['every write', 'emptyWrites', 'takesNoScans'],
] as const)(
  'an answer of "200 []" to %s is a failure: few requests, and the reason is shown',
  async (_to, mood, why) => {
    const { platform, journal, sender, kept, allConfirmed } = await startSender(mood, 3);
    await until('the reason of the pause is shown', () => sender.pause() === why);
    // Two seconds here are twenty seconds for the sender.
    await realClock.sleep(2_000);
    expect(platform.requests).toBeLessThan(60);
    expect(attemptsIn(journal)).toBeLessThan(20);
    expect(sender.pause()).toBe(why);
    expect(journal.outbox.counts()).toMatchObject({ captured: 3, parked: 0 });

    platform.mood = 'fine';
    await until('every fact is confirmed', allConfirmed);
    expect(sender.pause()).toBeNull();
    expect(kept.size).toBe(3);
  },
);

it.each([
  ['everything', 'badRequest', 'notAPlatform'],
  ['every write', 'badWrites', 'refusesAll'],
] as const)(
  'a refusal of %s in the same way parks nothing, pauses delivery and shows the reason',
  async (_what, mood, why) => {
    const { platform, journal, sender, kept, allConfirmed } = await startSender(mood, 10);
    await until('the reason of the pause is shown', () => sender.pause() === why);
    await realClock.sleep(1_000);
    expect(journal.outbox.counts()).toMatchObject({ captured: 10, parked: 0 });
    expect(platform.requests).toBeLessThan(100);

    platform.mood = 'fine';
    await until('every fact is confirmed', allConfirmed);
    expect(sender.pause()).toBeNull();
    expect(kept.size).toBe(10);
  },
);

it('an item that was parked while everything was refused becomes due again', async () => {
  const { platform, journal, sender, allConfirmed } = await startSender('badWrites', 1);
  await until('the only item is parked', () => journal.outbox.counts().parked === 1);
  platform.mood = 'fine';
  journal.record(tapOf('04LATER'), null);
  sender.wake();
  await until('both facts are confirmed', allConfirmed, 20_000);
});
