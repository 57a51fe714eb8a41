/** Tolerant readers, the walk over pages, and the clock: pure, with invented input. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ListPage, listPageOf } from '../../packages/api-client/src/collection.ts';
import { everyPage } from '../../packages/api-client/src/pages.ts';
import * as shapes from '../../packages/api-client/src/undocumented/shapes.ts';
import { type DateSample, offsetFrom, withSample } from '../../src-main/core/foundations/api/clock-offset.ts';
import { contentQrText } from '../../src-main/core/foundations/api/content-link.ts';
import {
  flag,
  instant,
  listOf,
  long,
  number,
  readFields,
  shape,
  text,
  whole,
  word,
} from '../../src-main/core/foundations/api/fields.ts';
import { stringifyJson } from '../../src-main/core/foundations/api/json.ts';

const RUNS = 20_000;

describe('a field', () => {
  const readers = {
    text,
    flag,
    number,
    whole,
    long,
    instant,
    state: word('wait', 'error'),
    words: listOf(text),
    nested: listOf(shape({ code: text, size: whole })),
  };

  it('is there when it fits and absent when it does not, one by one', () => {
    expect(
      readFields(readers, {
        text: 'a',
        flag: 'yes',
        number: '7',
        whole: 7.5,
        long: 9007199254740993n,
        instant: 'tomorrow',
        state: 'resting',
        words: ['a', 7, null, 'b'],
        nested: [{ code: 'x', size: '1' }, 'y', { size: 2 }],
        more: true,
      }),
    ).toEqual({
      text: 'a',
      long: 9007199254740993n,
      state: 'resting',
      words: ['a', 'b'],
      nested: [{ code: 'x' }, { size: 2 }],
    });
    expect(readFields(readers, { text: null, flag: undefined })).toEqual({});
    expect(readFields({ constructor: text, toString: text }, {})).toEqual({});
  });

  it('keeps the whole record beside it, unknown fields included', () => {
    const { records } = listPageOf('[{"id":"a","revision":1,"name":7,"new":{"x":[1]}}]', 'id', {
      name: text,
    });
    expect(records).toEqual([
      { id: 'a', revision: 1n, deleted: false, body: { id: 'a', revision: 1, name: 7, new: { x: [1] } } },
    ]);
  });

  it(`never throws, whatever stands in a record (${RUNS} records)`, () => {
    const all = Object.values(shapes);
    const names = [...new Set(all.flatMap((fields) => Object.keys(fields)))];
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.bigInt(),
      fc.constant('2026-11-20T10:00:00Z'),
      fc.array(fc.record({ code: fc.oneof(fc.string(), fc.integer()) }), { maxLength: 3 }),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names, '__proto__', 'constructor'), value, { maxKeys: 8 }),
        fc.constantFrom(...all),
        (body, fields) => {
          const read: Record<string, unknown> = readFields(fields, body);
          for (const name of Object.keys(read))
            if (read[name] == null) throw new Error(`${name} is no value`);
        },
      ),
      { numRuns: RUNS },
    );
    expect(({} as Record<string, unknown>).code).toBeUndefined();
  }, 60_000);

  it('of a content becomes its QR text', () => {
    expect(contentQrText('https://discover.example/', 'C1')).toBe('https://discover.example/c/C1');
  });
});

describe('every page', () => {
  it('gives each record once, over ties at page edges and revisions beyond 2^53', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 60 }),
        fc.integer({ min: 3, max: 9 }),
        fc.bigInt({ min: 0n, max: 2n ** 62n }),
        async (steps, limit, start) => {
          let revision = start;
          const feed = steps.map((step, index) => {
            revision += BigInt(step);
            return { id: `r${index}`, revision };
          });
          const ties = Map.groupBy(feed, (record) => record.revision);
          fc.pre([...ties.values()].every((tie) => tie.length < limit));
          const list = (paging: {
            fromRevision: bigint;
            limit: number;
          }): Promise<ListPage<typeof fields>> => {
            const page = feed
              .filter((record) => record.revision >= paging.fromRevision)
              .slice(0, paging.limit);
            return Promise.resolve(listPageOf(stringifyJson(page), 'id', fields));
          };
          const fields = { name: text };
          const seen: string[] = [];
          for await (const page of everyPage(list, { limit })) seen.push(...page.map((record) => record.id));
          expect(seen).toEqual(feed.map((record) => record.id));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the clock offset', () => {
  const MINUTE = 60_000;
  /** An answer of a platform whose clock is `ahead` of ours, after a round trip of `trip` milliseconds. */
  const sampleAt = (at: number, ahead: number, trip: number, wallStep = 0): DateSample => {
    const date = Math.floor((at + trip / 2 + ahead) / 1_000) * 1_000;
    return { date, sentAt: at + wallStep, receivedAt: at + trip + wallStep, mono: at + trip, monoTrip: trip };
  };

  it('is null without an answer', () => {
    expect(offsetFrom([], 0, 0)).toBeNull();
  });

  it('comes from the shortest round trip of the last twenty, within half a second and half that trip', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -30_000, max: 30_000 }),
        fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 1, maxLength: 40 }),
        (ahead, trips) => {
          let samples: readonly DateSample[] = [];
          for (const [index, trip] of trips.entries()) {
            samples = withSample(samples, sampleAt(1_000_000 + index * 2_345, ahead, trip));
          }
          expect(samples.length).toBeLessThanOrEqual(20);
          const now = 1_000_000 + trips.length * 2_345;
          const read = offsetFrom(samples, now, now);
          const best = Math.min(...trips.slice(-20));
          expect(Math.abs((read?.offsetMs ?? Number.NaN) - ahead)).toBeLessThanOrEqual(501 + best / 2);
          expect(read?.suspicious).toBe(false);
        },
      ),
    );
  });

  it('is not told by an answer that was on its way when our clock was set, forward or back', () => {
    for (const step of [-10_800_000, 10_800_000]) {
      const across = { ...sampleAt(1_000, 0, 80), receivedAt: 1_080 + step };
      expect(withSample([], across)).toEqual([]);
      const after = withSample(withSample([], across), sampleAt(2_000, 0, 80, step));
      expect(Math.abs((offsetFrom(after, 3_000 + step, 3_000)?.offsetMs ?? 0) + step)).toBeLessThan(600);
    }
  });

  it('is not moved by one wrong header, however quick its answer was, and says when headers contradict', () => {
    let samples: readonly DateSample[] = [];
    for (let index = 0; index < 10; index += 1) samples = withSample(samples, sampleAt(index * 1_000, 0, 80));
    samples = withSample(samples, sampleAt(10_000, 86_400_000, 1));
    const read = offsetFrom(samples, 11_000, 11_000);
    expect(Math.abs(read?.offsetMs ?? 9_999)).toBeLessThan(600);
    expect(read?.suspicious).toBe(false);
    for (let index = 0; index < 8; index += 1) {
      samples = withSample(samples, sampleAt(11_000 + index, 86_400_000, 1));
    }
    expect(offsetFrom(samples, 12_000, 12_000)?.suspicious).toBe(true);
  });

  it('takes the side of our own clock where the answers are split in halves, and is suspicious then', () => {
    for (const wrong of [86_400_000, -86_400_000]) {
      const samples = withSample(withSample([], sampleAt(0, wrong, 1)), sampleAt(1_000, 0, 90));
      const read = offsetFrom(samples, 2_000, 2_000);
      expect(Math.abs(read?.offsetMs ?? 9_999)).toBeLessThan(600);
      expect(read?.suspicious).toBe(true);
    }
  });

  it('is suspicious when our clock is a minute off, and tells the age of what it knows', () => {
    const samples = withSample([], sampleAt(5_000, 2 * MINUTE, 40));
    expect(offsetFrom(samples, 9_000, 9_000)).toMatchObject({ ageMs: 3_960, suspicious: true });
  });

  it('forgets what it measured before our own clock was set', () => {
    const before = withSample([], sampleAt(5_000, 2 * MINUTE, 40));
    const step = 2 * MINUTE;
    expect(offsetFrom(before, 9_000 + step, 9_000)).toBeNull();
    const after = withSample(before, sampleAt(10_000, 0, 40, 0));
    expect(after).toHaveLength(2);
    const set = withSample(before, { ...sampleAt(10_000, 2 * MINUTE, 40, step) });
    expect(set).toHaveLength(1);
    expect(Math.abs(offsetFrom(set, 11_000 + step, 11_000)?.offsetMs ?? 9_999)).toBeLessThan(600);
  });
});
