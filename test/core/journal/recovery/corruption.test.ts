/**
 * A damaged journal: the damage is detected or harmless, the next tap is captured, and every sound fact is recovered.
 */
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReadOnly } from '../../../../src-main/core/foundations/store/database.ts';
import { repetitions } from '../../../thoroughness.ts';
import { rememberingLog, tapOf } from '../../fixture.ts';
import { chainAt } from '../../real-parts.ts';
import {
  copySample,
  FILES,
  openMaintained,
  type PlainRow,
  readableFacts,
  writeSample,
} from './damaged-journal.ts';

const FACTS = 300;
const FLIPS = repetitions(500);
const TRUNCATIONS = repetitions(200, 20);

// In memory if possible: up to 700 journals are written here, and none has to survive a power cut.
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'touchpoint-damage-'));
const sample = join(folder, 'sample');
let originals: ReadonlyMap<string, PlainRow> = new Map();

const factsIn = (path: string): ReadonlyMap<string, PlainRow> => {
  const database = openReadOnly(path);
  const rows = database?.prepare<[], PlainRow>('SELECT * FROM fact ORDER BY seq').all() ?? [];
  database?.close();
  return new Map(rows.map((row) => [String(row.id), row]));
};

beforeAll(async () => {
  await writeSample(sample, FACTS, rememberingLog());
  const scratch = `${sample}-scratch`;
  cpSync(sample, scratch, { recursive: true });
  originals = factsIn(join(scratch, 'journal.db'));
  expect(originals.size).toBe(FACTS);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A repeatable sequence of numbers in [0, 1) (mulberry32). */
const numbersOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

const flipBytes = (path: string, count: number, next: () => number): void => {
  const file = openSync(path, 'r+');
  const size = statSync(path).size;
  for (let flip = 0; flip < count; flip += 1) {
    const at = Math.floor(next() * size);
    const byte = Buffer.alloc(1);
    readSync(file, byte, 0, 1, at);
    byte[0] = (byte[0] ?? 0) ^ (1 + Math.floor(next() * 255));
    writeSync(file, byte, 0, 1, at);
  }
  closeSync(file);
};

type Outcome = { detected: boolean; back: number };

/** Opens a damaged folder as the device does, and asserts everything that must be true afterwards. */
const holdToTheLaws = async (own: string, damage: string, copiesWhole: boolean): Promise<Outcome> => {
  const expected = readableFacts(own, `${own}-oracle`, FACTS);
  const log = rememberingLog();
  const { journal, maintenance, durable } = openMaintained(own, log);
  // Recorded before the recovery, because a visitor with a badge does not wait for it.
  const fresh = journal.record(tapOf('04FRESH'), null).fact;
  const { signal } = new AbortController();
  await maintenance.walk(signal);
  await maintenance.salvageOpen(signal);

  const context = (what: string): string => `${damage}: ${what}`;
  expect(chainAt(join(own, 'journal.db')).brokenAt, context('the chain holds')).toBeNull();
  const { captured, ...states } = journal.outbox.counts();
  expect(
    Object.values(states).reduce((sum, count) => sum + count, 0),
    context('docs/laws.md#law-2'),
  ).toBe(captured);
  expect(journal.fact(fresh.id)?.hash, context('the fresh tap is there')).toBe(fresh.hash);
  expect(journal.settings.get('expo'), context('the event is known')).toBe('AD2026');
  const detected = durable.quarantines.all().length > 0;
  const database = durable.current().database;
  const present = new Map(
    database
      .prepare<[], PlainRow>('SELECT * FROM fact')
      .all()
      .map((row) => [String(row.id), row]),
  );
  expect(database.pragma('foreign_key_check'), context('references')).toEqual([]);
  for (const [id, row] of present) {
    if (id !== fresh.id) expect(row, context('unchanged')).toEqual(originals.get(id));
  }
  const lost = [...expected.keys()].filter((id) => !present.has(id));
  expect(lost, context('everything readable is back')).toEqual([]);
  if (copiesWhole) expect(present.size - 1, context('nothing is lost')).toBe(FACTS);
  // A confirmed fact that was recovered with its state is not read back. A due fact is.
  const wrong = database
    .prepare(
      `SELECT count(*) AS n FROM outbox WHERE state IN ('due', 'in_flight') AND reason LIKE '%recovered%'`,
    )
    .get();
  expect(wrong, context('no blind resend')).toEqual({ n: 0 });
  journal.close();
  rmSync(own, { recursive: true, force: true });
  rmSync(`${own}-oracle`, { recursive: true, force: true });
  return { detected, back: present.size - 1 };
};

const summaryOf = (outcomes: readonly Outcome[]): string => {
  const detected = outcomes.filter((outcome) => outcome.detected).length;
  const back = outcomes.reduce((sum, outcome) => sum + outcome.back, 0);
  return `${outcomes.length} damaged, ${detected} put aside, ${outcomes.length - detected} harmless, ${back} facts there`;
};

describe('a damaged journal', () => {
  it(`is detected or unharmed after 8 flipped bytes anywhere (${FLIPS.length} times), takes the next tap at once, and recovers everything`, async ({
    annotate,
  }) => {
    const outcomes: Outcome[] = [];
    for (const flip of FLIPS) {
      const seed = flip + 1;
      const next = numbersOf(seed);
      const own = join(folder, `flip-${seed}`);
      copySample(sample, own);
      // Every fifth time the backups are damaged too, so that only the pages are left.
      const copiesToo = seed % 5 === 0;
      const files = copiesToo ? FILES : FILES.slice(0, 2);
      const file = files[Math.floor(next() * files.length)] ?? 'journal.db';
      flipBytes(join(own, file), 8, next);
      if (copiesToo) for (const copy of FILES) flipBytes(join(own, copy), 8, next);
      outcomes.push(await holdToTheLaws(own, `flip ${seed} in ${copiesToo ? 'all' : file}`, !copiesToo));
    }
    await annotate(summaryOf(outcomes));
    expect(outcomes.filter((outcome) => outcome.detected).length).toBeGreaterThan(FLIPS.length / 2);
  }, 900_000);

  it(`truncated anywhere (${TRUNCATIONS.length} times) is detected or unharmed, takes the next tap at once, and recovers everything`, async ({
    annotate,
  }) => {
    const outcomes: Outcome[] = [];
    for (const cut of TRUNCATIONS) {
      const seed = cut + 1;
      const next = numbersOf(seed * 7_919);
      const own = join(folder, `cut-${seed}`);
      copySample(sample, own);
      const copiesToo = seed % 5 === 0;
      const files = copiesToo ? FILES : FILES.slice(0, 2);
      const file = files[seed % files.length] ?? 'journal.db';
      const size = statSync(join(own, file)).size;
      truncateSync(join(own, file), seed % 20 === 1 ? 0 : Math.floor(next() * size));
      if (copiesToo) truncateSync(join(own, 'journal.tail'), Math.floor(next() * 20_000));
      outcomes.push(await holdToTheLaws(own, `cut ${seed} of ${file}`, !copiesToo));
    }
    await annotate(summaryOf(outcomes));
  }, 600_000);
});
