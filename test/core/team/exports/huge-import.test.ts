/**
 * A large file of facts is imported without being read into memory. A normal run uses a small file. The nightly run
 * (`.ci/nightly`) uses a file of one gigabyte:
 * `IMPORT_MB=1000 npm test -- test/core/team/exports/huge-import.test.ts`.
 */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHAIN_START, type FactOf, factHash, sha256 } from '../../../../src-main/core/journal/facts/fact.ts';
import { createFactFileWriter } from '../../../../src-main/core/team/exports/fact-file.ts';
import { importFacts } from '../../../../src-main/core/team/exports/fact-import.ts';
import { createTakeFacts } from '../../../../src-main/core/team/exports/take-facts.ts';
import { chainAt } from '../../real-parts.ts';
import { machine } from './handed-journal.ts';

const MEGABYTES = Number(process.env.IMPORT_MB ?? 20);
const NOTE = 'x'.repeat(100_000);
/** Maximum memory of an import: slices of notes, and garbage that has not been collected yet. */
const MOST_HELD = 400 * 1024 * 1024;

/** A file of `count` long notes with a valid chain. */
const writeFile = (path: string, count: number): void => {
  const file = openSync(path, 'w');
  const writer = createFactFileWriter();
  writeSync(file, writer.header({ event: 'E1', partner: 'p1', count }));
  let previousHash = CHAIN_START;
  for (let seq = 1; seq <= count; seq += 1) {
    const payload = { badge: `04${String(seq).padStart(12, '0')}`, fields: { notes: NOTE } };
    const payloadSha256 = sha256(JSON.stringify(payload));
    const envelope = {
      ...{ id: `note-${seq}`, kind: 'note' as const, at: seq, mono: seq, boot: 'b', clockOffset: null },
      ...{ touchpoint: 'tp1', partner: 'p1', reader: null, source: null, staff: null },
    } as const;
    const hash = factHash(previousHash, seq, envelope, payloadSha256);
    const fact: FactOf<'note'> = { ...envelope, seq, payload, payloadSha256, previousHash, hash };
    const delivery = { state: 'confirmed', attempts: 1, reason: null, action: null, revision: null } as const;
    writeSync(file, writer.line({ ...fact, delivery: { ...delivery, changedAt: 0 }, visitor: null }));
    previousHash = hash;
  }
  writeSync(file, writer.end().text);
  closeSync(file);
};

test('a huge file is imported completely with bounded memory', () => {
  const { folder, journal, database } = machine();
  const path = join(folder, 'huge.jsonl');
  const count = MEGABYTES * 10;
  writeFile(path, count);
  expect(statSync(path).size).toBeGreaterThan(MEGABYTES * 1_000_000);
  const before = process.memoryUsage().rss;
  const take = createTakeFacts(database, journal.leads);
  const imported = importFacts(path, { database, leads: journal.leads, take, event: 'E1', partner: 'p1' });
  expect(imported).toMatchObject({ kind: 'imported', facts: count, taken: count });
  expect(process.memoryUsage().rss - before).toBeLessThan(MOST_HELD);
  expect(chainAt(join(folder, 'journal.db'))).toEqual({ facts: count, brokenAt: null });
}, 3_600_000);
