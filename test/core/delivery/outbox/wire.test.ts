/** The boundary to the platform: every answer becomes data with a verdict, and no number loses digits. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wireOfFact } from '../../../../src-main/core/delivery/outbox/wire.ts';
import { stepAfter } from '../../../../src-main/core/foundations/api/cursor.ts';
import {
  classOfAnswer,
  classOfFault,
  retryAfterMs,
} from '../../../../src-main/core/foundations/api/error-class.ts';
import { parseJson, stringifyJson } from '../../../../src-main/core/foundations/api/json.ts';
import { readPage } from '../../../../src-main/core/foundations/api/page.ts';
import { readResults } from '../../../../src-main/core/foundations/api/write-extension.ts';
import type { FactOf } from '../../../../src-main/core/journal/facts/fact.ts';

const RUNS = 100_000;

describe('numbers', () => {
  it('keep all digits of 64 bits through JSON in both directions', () => {
    const text = '{"revision":9223372036854775807,"small":42,"fraction":0.1234567890123456789}';
    const value = parseJson(text) as Record<string, unknown>;
    expect(value.revision).toBe(9223372036854775807n);
    expect(value.small).toBe(42);
    expect(stringifyJson({ revision: 9007199254740993n })).toBe('{"revision":9007199254740993}');
  });
});

describe('an item', () => {
  const fact: FactOf<'tap'> = {
    seq: 1,
    id: 'f1',
    kind: 'tap',
    at: 0,
    mono: 0,
    boot: 'b1',
    clockOffset: null,
    source: 'nfc',
    reader: 'r1',
    touchpoint: null,
    partner: null,
    staff: null,
    payload: { badge: '04A1' },
    payloadSha256: '',
    previousHash: '',
    hash: '',
  };
  const now = { touchpoint: 'stand', partner: 'p1' };
  const sentAs = (made: { readonly touchpoint?: string }) =>
    JSON.parse(wireOfFact({ ...fact, ...made }, now, null)) as unknown;

  it('gets the current assignment if it was made before the device had one', () => {
    expect(sentAs({})).toMatchObject({ touchpointID: 'stand', partnerID: 'p1' });
  });

  it('keeps no partner if it comes from a door, even if the device belongs to a partner now', () => {
    expect(sentAs({ touchpoint: 'door' })).toMatchObject({ touchpointID: 'door' });
    expect(sentAs({ touchpoint: 'door' })).not.toHaveProperty('partnerID');
  });

  const FAIR = Date.UTC(2026, 10, 22, 10);
  const LOST = Date.UTC(2000, 0, 1);
  const sentBy = (made: Partial<FactOf<'tap'>>, measured: Parameters<typeof wireOfFact>[2]) =>
    JSON.parse(wireOfFact({ ...fact, ...made }, now, measured)) as { at: string; fields?: object };

  it("carries the platform's time, and also the recorded time if they are far apart", () => {
    const payload = { badge: '04A1', fields: { turnedAway: 'full' as const } };
    const far = sentBy({ at: LOST, clockOffset: FAIR - LOST, payload }, null);
    expect(far.at).toBe('2026-11-22T10:00:00.000Z');
    expect(far.fields).toEqual({ turnedAway: 'full', deviceAt: '2000-01-01T00:00:00.000Z' });
    const near = sentBy({ at: FAIR, clockOffset: -1_500, payload }, null);
    expect(near.at).toBe('2026-11-22T09:59:58.500Z');
    expect(near.fields).toEqual({ turnedAway: 'full' });
  });

  it("made before the platform was reached carries the platform's time, within one run", () => {
    const measured = { boot: 'b1', now: LOST + 60_000, mono: 90_000, offsetMs: FAIR - LOST };
    // It was made 40 s earlier by the monotonic clock.
    expect(sentBy({ at: LOST + 20_000, mono: 50_000 }, measured).at).toBe('2026-11-22T10:00:20.000Z');
    const raw = sentBy({ at: LOST, mono: 50_000, boot: 'b0' }, measured);
    expect(raw).toMatchObject({ at: '2000-01-01T00:00:00.000Z' });
    expect(raw).not.toHaveProperty('fields');
  });
});

describe('a page', () => {
  it('keeps usable records and counts unusable ones', () => {
    const page = readPage(
      '[{"id":"a","revision":1},{"revision":2},{"id":7,"revision":3},{"id":"b","revision":-1},' +
        '{"id":"c","revision":1e30},{"id":"d","revision":9007199254740993,"deleted":true},null,[],"x"]',
      'id',
    );
    expect(page).toMatchObject({ kind: 'page', length: 9, skipped: 7 });
    expect(
      page.kind === 'page' ? page.records.map((record) => [record.id, record.revision, record.deleted]) : [],
    ).toEqual([
      ['a', 1n, false],
      ['d', 9007199254740993n, true],
    ]);
  });

  it('that is not a list, or no JSON, is malformed', () => {
    for (const text of ['{}', '"x"', 'null', '', '<html>', '[{"id":"a"', '{"id":"a","revision":1}']) {
      expect(readPage(text, 'id').kind).toBe('malformed');
    }
  });

  it('does not let a __proto__ key change anything else', () => {
    readPage('[{"id":"a","revision":1,"__proto__":{"polluted":true}}]', 'id');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it(`never throws and never hangs (${RUNS} inputs)`, () => {
    const record = fc.record(
      {
        id: fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
        revision: fc.oneof(
          fc.integer(),
          fc.double(),
          fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
          fc.string({ maxLength: 6 }),
        ),
        deleted: fc.oneof(fc.boolean(), fc.string({ maxLength: 3 })),
      },
      { requiredKeys: [] },
    );
    const texts = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.json({ maxDepth: 2 }),
      fc.array(record, { maxLength: 4 }).map((value) => stringifyJson(value)),
      fc
        .tuple(fc.array(record, { maxLength: 3 }), fc.nat(60))
        .map(([value, cut]) => stringifyJson(value).slice(0, cut)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const page = readPage(text, 'id');
        if (page.kind === 'page') {
          expect(page.records.length + page.skipped).toBe(page.length);
          for (const { id, revision } of page.records) {
            if (id === '' || revision < 0n || revision >= 2n ** 63n)
              throw new Error(`let ${revision} through`);
          }
        }
        readResults(text);
      }),
      { numRuns: RUNS },
    );
  }, 120_000);
});

describe('verdicts', () => {
  const answer = (
    status: number,
    title = 'x',
    contentType = 'application/json',
    retryAfter: string | null = null,
  ) => ({
    status,
    contentType,
    retryAfter,
    body: JSON.stringify({ status, title, type: 'badRequest' }),
  });

  it('pause the queue if the event is not found, the key is refused, or a right is missing', () => {
    expect(classOfAnswer(answer(400, 'Expo not found'), 0)).toEqual({ kind: 'stop', pause: 'noEvent' });
    expect(classOfAnswer(answer(401), 0)).toEqual({ kind: 'stop', pause: 'keyRefused' });
    expect(classOfAnswer(answer(403), 0)).toEqual({ kind: 'stop', pause: 'forbidden' });
  });

  it('treat 429 as load, with both forms of Retry-After', () => {
    const now = Date.UTC(2026, 10, 21, 10, 0, 0);
    expect(classOfAnswer(answer(429, 'x', 'application/json', '7'), now)).toEqual({
      kind: 'busy',
      retryAfterMs: 7000,
    });
    expect(retryAfterMs('Sat, 21 Nov 2026 10:00:30 GMT', now)).toBe(30_000);
    expect(retryAfterMs('soon', now)).toBeNull();
    expect(retryAfterMs('999999', now)).toBe(300_000);
  });

  it('treat a request with a server error as possibly arrived, and a 422 as a refusal of the request', () => {
    for (const status of [408, 500, 502, 503, 504]) {
      expect(classOfAnswer(answer(status), 0)).toEqual({ kind: 'retry', reached: 'maybe' });
    }
    expect(classOfAnswer(answer(422, 'badge: too long'), 0)).toMatchObject({ kind: 'reject', status: 422 });
  });

  it("never treat a captive portal's page as the platform's answer", () => {
    const portal = { status: 400, contentType: 'text/html', retryAfter: null, body: '<html>log in</html>' };
    expect(classOfAnswer(portal, 0)).toEqual({ kind: 'stop', pause: 'notAPlatform' });
    for (const status of [302, 401, 403, 404])
      expect(classOfAnswer({ ...portal, status }, 0)).toEqual({ kind: 'stop', pause: 'notAPlatform' });
  });

  it('distinguish faults after which the request may have arrived', () => {
    expect(classOfFault('ECONNREFUSED', true)).toEqual({ kind: 'retry', reached: 'no' });
    expect(classOfFault('ECONNRESET', true)).toEqual({ kind: 'retry', reached: 'maybe' });
    expect(classOfFault('ENOTFOUND', true)).toEqual({ kind: 'stop', pause: 'addressUnknown' });
    expect(classOfFault('DEPTH_ZERO_SELF_SIGNED_CERT', false)).toEqual({ kind: 'stop', pause: 'tls' });
  });
});

describe('the cursor', () => {
  it('walks any list without a gap if each run of equal revisions is shorter than a page', () => {
    const feeds = fc.tuple(
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 }),
      fc.integer({ min: 2, max: 7 }),
    );
    fc.assert(
      fc.property(feeds, ([steps, limit]) => {
        let revision = 0n;
        const feed = steps.map((step, index) => {
          revision += BigInt(step);
          return { id: index, revision };
        });
        const runs = Map.groupBy(feed, (entry) => entry.revision);
        fc.pre([...runs.values()].every((run) => run.length < limit));
        const seen = new Set<number>();
        let from = 0n;
        for (let request = 0; request < 500; request += 1) {
          const page = feed.filter((entry) => entry.revision >= from).slice(0, limit);
          for (const entry of page) seen.add(entry.id);
          const step = stepAfter(
            from,
            page.map((entry) => entry.revision),
            page.length,
            limit,
          );
          from = step.revision;
          if (step.done) break;
        }
        expect(seen.size).toBe(feed.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('skips the rest of a run of equal revisions that fills a page, and reports it', () => {
    expect(stepAfter(5n, [5n, 5n, 5n], 3, 3)).toEqual({ revision: 6n, done: false, tieTooLong: true });
  });
});
