/**
 * Facts that go to another machine as a file: unchanged byte for byte, imported once, and never sent again
 * automatically.
 */
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CAME_FROM_A_FILE } from '../../../../src-main/core/journal/facts/dead-letters.ts';
import { findDamage } from '../../../../src-main/core/journal/recovery/integrity-check.ts';
import { readSidecarLog } from '../../../../src-main/core/journal/recovery/sidecar-log.ts';
import { importFacts } from '../../../../src-main/core/team/exports/fact-import.ts';
import { ownFolder, tapOf, visitorOf } from '../../fixture.ts';
import { chainAt, leadsIn } from '../../real-parts.ts';
import { aDay, fileOf, type Machine, machine, take } from './handed-journal.ts';

const P1 = { event: 'E1', partner: 'p1' };
const leadsOf = ({ journal }: Machine) => leadsIn(journal);
const idsOf = ({ database }: Machine) =>
  database.prepare<[], { id: string }>('SELECT id FROM fact ORDER BY seq').all();
const soundnessOf = (path: string) => ({
  damage: findDamage(`${path}/journal.db`, readSidecarLog(`${path}/journal.tail`)),
  broken: chainAt(`${path}/journal.db`).brokenAt,
});

test('an export of an imported file gives the same bytes, with the chain intact and the same leads', () => {
  const here = machine();
  aDay(here);
  const file = fileOf(here);
  const there = machine();
  expect(take(there, file, P1)).toMatchObject({ kind: 'imported', facts: 7, taken: 7 });
  expect(fileOf(there).equals(file)).toBe(true);
  expect(soundnessOf(there.folder)).toEqual({ damage: null, broken: null });
  const shown = ({ id, name, taps, undone, rating }: ReturnType<typeof leadsOf>[number]) => ({
    ...{ id, name, taps, undone, rating },
  });
  expect(leadsOf(there).map(shown)).toEqual(leadsOf(here).map(shown));
  expect(leadsOf(there).map(({ name }) => name)).toContain('Wei 李');
});

test('a file contains only the partner’s facts, and no content of those about erased people', () => {
  const here = machine();
  aDay(here);
  const text = fileOf(here).toString('utf8');
  expect(text).not.toContain('Of P2');
  expect(text).not.toContain('"p2"');
  expect(text).not.toContain('Forgotten');
  expect(text.trimEnd().split('\n')).toHaveLength(1 + 7 + 1);
});

test('a repeated import changes nothing, and so does an import of the device’s own file', () => {
  const here = machine();
  aDay(here);
  const file = fileOf(here);
  const before = idsOf(here);
  expect(take(here, file, P1)).toMatchObject({ kind: 'imported', taken: 0 });
  expect(idsOf(here)).toEqual(before);
  expect(fileOf(here).equals(file)).toBe(true);
  const there = machine();
  take(there, file);
  const leads = leadsOf(there);
  expect(take(there, file)).toMatchObject({ kind: 'imported', taken: 0 });
  expect(leadsOf(there)).toEqual(leads);
});

test('imported facts are never due: undelivered ones wait for staff, who can send them', () => {
  const here = machine();
  aDay(here);
  const there = machine();
  take(there, fileOf(here));
  const { journal, database } = there;
  expect(journal.outbox.counts()).toMatchObject({
    captured: 7,
    due: 0,
    in_flight: 0,
    uncertain: 0,
    confirmed: 1,
  });
  expect(journal.outbox.counts().parked).toBe(6);
  expect(journal.outbox.recheck(false, 1)).toBe(0);
  const held = journal.deadLetters.list(99).filter(({ reason }) => reason === CAME_FROM_A_FILE);
  expect(held).toHaveLength(4);
  const again = journal.deadLetters.retryable(null).map(({ seq }) => ({ seq, wire: null }));
  journal.outbox.requeueParked(again, 5);
  expect(journal.outbox.counts().due).toBe(again.length);
  const revision = database
    .prepare<[], { revision: string }>(
      `SELECT CAST(revision AS TEXT) AS revision FROM outbox WHERE state = 'confirmed'`,
    )
    .get();
  expect(revision?.revision).toBe('9007199254740993');
});

test('facts of several laptops form one journal with its own chain', () => {
  const [one, two] = [machine(), machine()];
  aDay(one);
  aDay(two, 'x');
  two.journal.record(tapOf('04A1', 'v1'), visitorOf('v1', 'Ada "quoted" Muster'));
  const ownOfTwo = idsOf(two).length;
  const lastOfTwo = two.journal.lastOwnFactAt();
  expect(take(two, fileOf(one), P1)).toMatchObject({ kind: 'imported', taken: 7 });
  expect(two.journal.lastOwnFactAt()).toBe(lastOfTwo);
  two.journal.record(tapOf('04E1'), null);
  expect(idsOf(two)).toHaveLength(ownOfTwo + 7 + 1);
  expect(soundnessOf(two.folder)).toEqual({ damage: null, broken: null });
  const ada = leadsOf(two).filter(({ name }) => name?.startsWith('Ada'));
  expect(ada.map(({ taps }) => taps).toSorted()).toEqual([2, 3]);
  const third = machine();
  const united = fileOf(two);
  expect(take(third, united, P1)).toMatchObject({ kind: 'imported' });
  expect(fileOf(third).equals(united)).toBe(true);
  // The file goes back to the first machine, which already has its own facts.
  expect(take(one, united, P1)).toMatchObject({ kind: 'imported', taken: 9 });
});

test('after an erasure the next file has the same facts without the erased content, and can be imported', () => {
  const here = machine();
  aDay(here);
  const there = machine();
  take(there, fileOf(here));
  there.journal.erase('v1');
  const text = fileOf(there).toString('utf8');
  expect(text).not.toContain('Muster');
  expect(text).not.toContain('line\\n');
  const third = machine();
  expect(take(third, text)).toMatchObject({ kind: 'imported', taken: 7 });
});

test('a file of another event, another partner, a newer version or another format is refused, and nothing changes', () => {
  const here = machine();
  aDay(here);
  const file = fileOf(here).toString('utf8');
  const there = machine();
  const refused = (text: string, expected: Parameters<typeof take>[2] = {}) => {
    const result = take(there, text, expected);
    expect(idsOf(there)).toEqual([]);
    return result.kind === 'refused' ? result.reason : null;
  };
  expect(refused(file, { event: 'E2' })).toBe('otherEvent');
  expect(refused(file, { event: 'E1', partner: 'p2' })).toBe('otherPartner');
  expect(refused(file.replace('"version":1', '"version":2'))).toBe('newer');
  expect(refused('')).toBe('notOurs');
  expect(refused('Name;Company\r\nAda;Muster\r\n')).toBe('notOurs');
  expect(refused('{"seq":1}\n')).toBe('notOurs');
  expect(refused('x'.repeat(9_000_000))).toBe('notOurs');
  expect(refused('\u0000'.repeat(100))).toBe('notOurs');
});

test('a file that is truncated anywhere is refused before anything is imported', () => {
  const here = machine();
  aDay(here);
  const file = fileOf(here);
  const there = machine();
  for (let length = 1; length < file.length; length += 97) {
    expect(take(there, file.subarray(0, length)).kind).toBe('refused');
  }
  expect(take(there, file.subarray(0, file.length - 1))).toMatchObject({ kind: 'refused' });
  expect(idsOf(there)).toEqual([]);
});

test('a file with a changed byte, or a missing, repeated or moved line is refused', () => {
  const here = machine();
  aDay(here);
  const file = fileOf(here);
  const there = machine();
  fc.assert(
    fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const altered = Buffer.from(file);
      altered[at] = (altered[at] ?? 0) ^ change;
      expect(take(there, altered).kind).toBe('refused');
    }),
    { numRuns: 150 },
  );
  const lines = file.toString('utf8').trimEnd().split('\n');
  const changed = [
    lines.toSpliced(3, 1),
    lines.toSpliced(3, 0, lines[3] ?? ''),
    lines.with(3, lines[4] ?? '').with(4, lines[3] ?? ''),
    [...lines, lines[2] ?? ''],
  ];
  for (const other of changed) {
    expect(take(there, `${other.join('\n')}\n`)).toMatchObject({ kind: 'refused', reason: 'altered' });
  }
  expect(idsOf(there)).toEqual([]);
});

test('an unreadable file is reported as such, and a huge file is refused without being read into memory', () => {
  const there = machine();
  const ports = { ...there, leads: there.journal.leads, take: () => 0, event: null, partner: null };
  const missing = join(there.folder, 'missing.jsonl');
  expect(importFacts(missing, ports)).toMatchObject({ kind: 'refused', reason: 'unreadable' });
  expect(importFacts(there.folder, ports)).toMatchObject({ kind: 'refused', reason: 'unreadable' });
  aDay(there);
  for (const begin of ['', fileOf(there).toString('utf8').split('\n', 2).join('\n')]) {
    const huge = join(ownFolder(), 'huge.jsonl');
    writeFileSync(huge, begin);
    truncateSync(huge, 2 ** 30);
    const before = process.memoryUsage().rss;
    expect(importFacts(huge, ports).kind).toBe('refused');
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
  }
});
