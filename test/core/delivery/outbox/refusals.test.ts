/**
 * How the sender reacts to refusals: it parks only the faulty item, and only after two equal refusals. Also what
 * happens to the batch that was prepared in the meantime.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Pause } from '../../../../src-main/contract/device.ts';
import { createSender } from '../../../../src-main/core/delivery/outbox/sender.ts';
import type { ApiClient } from '../../../../src-main/core/foundations/api/client.ts';
import { createConnection } from '../../../../src-main/core/foundations/api/connection.ts';
import { ApiError, classOfAnswer } from '../../../../src-main/core/foundations/api/error-class.ts';
import type { Journal } from '../../../../src-main/core/journal/facts/journal.ts';
import type { Outbox } from '../../../../src-main/core/journal/facts/outbox.ts';
import { ownFolder, rememberingLog, tapOf, until, visitorOf } from '../../fixture.ts';
import { openJournal, realClock, stamperOf } from '../../real-parts.ts';

type Sent = readonly { readonly id: string; readonly badge: string }[];

const refusal = (status: number): ApiError => {
  const body = JSON.stringify({ status, title: `Refused with ${status}`, type: 'refused' });
  const answer = { status, contentType: 'application/json', retryAfter: null, body };
  return new ApiError(classOfAnswer(answer, 0), `POST answered ${status}`);
};

/** Means that the platform does not answer. */
const OFFLINE = 0;

/** The platform's answer: a status, or this list of results. */
type Answer = number | readonly Readonly<Record<string, unknown>>[];

const created = (sent: Sent) =>
  sent.map(({ id }) => ({ id, result: 'created', actionID: `a${id}`, revision: 1 }));

/** A journal with taps of these badges, and a sender to a platform that answers batches as `answer` decides. */
const senderTo = (
  badges: readonly string[],
  answer: (sent: Sent, journal: Journal) => Answer,
  change: (outbox: Outbox) => Partial<Outbox> = () => ({}),
  longestWaitMs = Number.POSITIVE_INFINITY,
  folder = ownFolder(),
) => {
  const opened = openJournal(join(folder, 'journal.db'), stamperOf());
  const journal = { ...opened, outbox: { ...opened.outbox, ...change(opened.outbox) } };
  const facts = badges.map(
    (badge) => journal.record(tapOf(badge, `v${badge}`), visitorOf(`v${badge}`, badge)).fact,
  );
  const posted: string[][] = [];
  const waits: number[] = [];
  const pauses: (Pause | null)[] = [];
  const client: ApiClient = {
    get: async (path) => (path.startsWith('/expos/') ? '{"id":"E1"}' : '[]'),
    post: async (_path, body) => {
      const sent = JSON.parse(body) as Sent;
      posted.push(sent.map(({ badge }) => badge));
      const said = answer(sent, journal);
      if (said === OFFLINE) throw new ApiError({ kind: 'retry', reached: 'no' }, 'POST failed');
      if (typeof said === 'number' && said !== 200) throw refusal(said);
      return JSON.stringify(typeof said === 'number' ? created(sent) : said);
    },
    getBytes: () => Promise.reject(new Error('Nothing is to be mirrored')),
    clockOffset: () => null,
    close: async () => undefined,
  };
  const ended = new AbortController();
  const sender = createSender({
    client,
    expoId: 'E1',
    journal,
    clock: {
      ...realClock,
      sleep: (ms, signal) => {
        waits.push(ms);
        return realClock.sleep(Math.min(ms, longestWaitMs), signal);
      },
    },
    random: { fraction: () => 0, bytes: (length) => new Uint8Array(length) },
    log: rememberingLog(),
    connection: createConnection(() => undefined),
    owner: () => ({ touchpoint: 'tp1', partner: 'p1' }),
    onChange: () => pauses.push(sender.pause()),
  });
  const running = sender.run(ended.signal);
  return {
    posted,
    folder,
    /** The waits that the sender chose, in milliseconds. */
    waits,
    journal,
    pauses,
    pause: sender.pause,
    states: () => facts.map(({ seq }) => journal.outbox.of(seq)?.state),
    settled: () =>
      until('no fact is in flight', () => {
        const { due, in_flight, uncertain } = journal.outbox.counts();
        return due + in_flight + uncertain === 0;
      }),
    end: async () => {
      ended.abort();
      await running;
      journal.close();
    },
  };
};

it('finds the faulty item of a refused batch, retries only that item and parks nothing else', async () => {
  const bad = (sent: Sent): number => (sent.some(({ badge }) => badge === '04BAD0') ? 422 : 200);
  const kiosk = senderTo(['04A0', '04BAD0', '04C0', '04D0'], bad);
  await kiosk.settled();
  const delivered = expect.stringMatching(/^(sent|confirmed)$/);
  expect(kiosk.states()).toEqual([delivered, 'parked', delivered, delivered]);
  expect(kiosk.posted.filter((batch) => batch.length === 1 && batch[0] === '04BAD0')).toHaveLength(2);
  await kiosk.end();
});

it('leaves parked items parked at every start', async () => {
  const first = senderTo(['04BAD0'], () => 422);
  await first.settled();
  expect(first.states()).toEqual(['parked']);
  await first.end();
  for (let start = 1; start <= 2; start += 1) {
    const again = senderTo(['04A0'], () => 200, undefined, undefined, first.folder);
    await until('the new fact is confirmed or sent', () => again.states()[0] !== 'due');
    await again.settled();
    expect(again.posted.flat()).not.toContain('04BAD0');
    expect(again.journal.outbox.counts()).toMatchObject({ parked: 1 });
    await again.end();
  }
});

it('matches results by id, in any order', async () => {
  const kiosk = senderTo(['04A0', '04BAD0', '04C0'], (sent) =>
    created(sent)
      .map((result, index) =>
        sent[index]?.badge === '04BAD0'
          ? { id: result.id, result: 'rejected', errors: ['no such badge'] }
          : result,
      )
      .toReversed()
      .toSorted((one, other) => one.result.localeCompare(other.result)),
  );
  await kiosk.settled();
  const delivered = expect.stringMatching(/^(sent|confirmed)$/);
  expect(kiosk.states()).toEqual([delivered, 'parked', delivered]);
  await kiosk.end();
});

it('counts a failed network as an attempt, and a 429 as none', async () => {
  const attempts: number[] = [];
  const answers = [429, 429, OFFLINE];
  const kiosk = senderTo(['04A0'], (_sent, { outbox }) => {
    attempts.push(...outbox.items('in_flight', 9).map((item) => item.attempts));
    return answers.shift() ?? 200;
  });
  await kiosk.settled();
  // An attempt that is still running is also counted.
  expect(attempts.slice(0, 4)).toEqual([1, 1, 1, 2]);
  await kiosk.end();
});

it('does not park an item that was refused once and then accepted', async () => {
  const answers = [422];
  const kiosk = senderTo(['04A0'], () => answers.shift() ?? 200);
  await kiosk.settled();
  expect(kiosk.states()).toEqual([expect.stringMatching(/^(sent|confirmed)$/)]);
  await kiosk.end();
});

it('does not treat two different refusals as the same', async () => {
  const answers = [422, 413, 422, 422];
  const kiosk = senderTo(['04A0'], () => answers.shift() ?? 200);
  await kiosk.settled();
  expect(kiosk.states()).toEqual(['parked']);
  expect(kiosk.posted).toHaveLength(4);
  await kiosk.end();
});

it('waits for the next read-back when the platform refuses a query by id for an item that it accepted', async () => {
  const answers = [200];
  const kiosk = senderTo(['04A0'], () => answers.shift() ?? 422);
  await kiosk.settled();
  await until('the sender waits', () => kiosk.waits.length > 0);
  expect(kiosk.waits).toEqual([1_500]);
  expect(kiosk.states()).toEqual(['sent']);
  expect(kiosk.posted).toHaveLength(2);
  await kiosk.end();
});

it('does not report the network as offline after a refusal', async () => {
  const answers = [OFFLINE, 422, 422];
  const kiosk = senderTo(['04A0'], () => answers.shift() ?? 200);
  await kiosk.settled();
  expect(kiosk.pauses).toContain('offline');
  expect(kiosk.states()).toEqual(['parked']);
  expect(kiosk.pause()).toBeNull();
  await kiosk.end();
});

describe('a batch that was prepared during the request of the previous one', () => {
  const badges = Array.from({ length: 250 }, (_, index) => `04${index}`);

  it('contains no data of a visitor who was erased in the meantime', async () => {
    const kiosk = senderTo(badges, (sent, journal) => {
      if (sent.length === 100 && sent[0]?.badge === '040') journal.erase('v04120');
      return 200;
    });
    await kiosk.settled();
    expect(kiosk.posted.flat()).not.toContain('04120');
    expect(kiosk.states()[120]).toBe('parked');
    expect(new Set(kiosk.posted.flat()).size).toBe(249);
    await kiosk.end();
  });

  it('is not sent when the previous batch failed, and does not count as an attempt', async () => {
    const attempts: (readonly number[])[] = [];
    const answers = [OFFLINE];
    const kiosk = senderTo(badges, (_sent, { outbox }) => {
      attempts.push(outbox.items('in_flight', 250).map((item) => item.attempts));
      return answers.shift() ?? 200;
    });
    await kiosk.settled();
    // The first batch of a hundred failed. The batch after it was not sent and counts as never tried.
    expect(kiosk.posted[0]).toEqual(kiosk.posted[1]);
    expect(attempts[1]).toEqual(Array.from({ length: 100 }, () => 2));
    expect(attempts[2]?.slice(-100)).toEqual(Array.from({ length: 100 }, () => 1));
    expect(kiosk.journal.outbox.counts()).toMatchObject({ captured: 250, due: 0, parked: 0 });
    await kiosk.end();
  });

  it('is read back like the previous one when an answer could not be stored', async () => {
    let faults = 1;
    const kiosk = senderTo(
      badges,
      () => 200,
      (outbox) => ({
        settle: (...settlements) => {
          faults -= 1;
          if (faults === 0) throw new Error('the disk is full');
          outbox.settle(...settlements);
        },
      }),
      20,
    );
    await until('every fact was sent', () =>
      kiosk.states().every((state) => state === 'sent' || state === 'confirmed'),
    );
    // The read-back of this platform finds nothing, so every uncertain item is sent again with the same id.
    expect(new Set(kiosk.posted.flat()).size).toBe(250);
    await kiosk.end();
  });
});
