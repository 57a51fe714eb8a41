/**
 * Facts that were changed without an error in SQLite: they are detected and never recovered. All others are
 * recovered, and read back before they are sent.
 */
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { ownFolder, rememberingLog, tapOf } from '../../fixture.ts';
import { chainAt } from '../../real-parts.ts';
import { FILES, openMaintained } from './damaged-journal.ts';

const FACTS = 8;
const TRUE = '04BADGE0000005';
const FALSE = '04FALSE0000005';
const { signal } = new AbortController();

/** A closed journal of nine facts, all of them due, with its sidecar log. Its backup holds the first eight. */
const writeJournal = async (): Promise<string> => {
  const folder = ownFolder();
  const { journal, maintenance } = openMaintained(folder, rememberingLog());
  for (let index = 1; index <= FACTS; index += 1) journal.record(tapOf(`04BADGE000000${index}`), null);
  await maintenance.backUp(signal);
  journal.record(tapOf('04LAST'), null);
  journal.close();
  return folder;
};

/** Replaces a badge by another wherever the files contain it. Returns how often. */
const change = (folder: string, files: readonly string[]): number => {
  let changes = 0;
  for (const file of files) {
    const path = join(folder, file);
    if (!existsSync(path)) continue;
    const parts = readFileSync(path, 'latin1').split(`"badge":"${TRUE}`);
    changes += parts.length - 1;
    writeFileSync(path, parts.join(`"badge":"${FALSE}`), 'latin1');
  }
  return changes;
};

/** Opens `folder` as the device does, and verifies and recovers the journal. Returns its badges and state. */
const recover = async (folder: string) => {
  const { journal, maintenance, durable } = openMaintained(folder, rememberingLog());
  await maintenance.walk(signal);
  await maintenance.salvageOpen(signal);
  const rows = durable.current().database.prepare<[], { payload: string }>('SELECT payload FROM fact').all();
  const badges = rows.map(({ payload }) => String((JSON.parse(payload) as { badge: string }).badge));
  const [quarantine] = durable.quarantines.all();
  const counts = journal.outbox.counts();
  const { brokenAt } = chainAt(join(folder, 'journal.db'));
  journal.close();
  return { badges, quarantine, counts, brokenAt };
};

it('does not recover a fact that was changed in every file, and recovers the others for a read-back', async () => {
  const folder = await writeJournal();
  expect(change(folder, FILES)).toBeGreaterThan(1);
  const { badges, quarantine, counts, brokenAt } = await recover(folder);
  expect(badges).not.toContain(FALSE);
  expect(badges).toHaveLength(FACTS);
  expect(quarantine?.note).toMatchObject({ state: 'done', result: { salvaged: FACTS, missing: 1 } });
  expect(counts).toMatchObject({ captured: FACTS, uncertain: FACTS, due: 0 });
  expect(brokenAt).toBeNull();
});

it('recovers a fact that was changed only in the journal from the backup', async () => {
  const folder = await writeJournal();
  expect(change(folder, ['journal.db'])).toBe(1);
  const { badges } = await recover(folder);
  expect(badges).toContain(TRUE);
  expect(badges).toHaveLength(FACTS + 1);
});

it('ignores a line of the sidecar log that was changed together with its checksum', async () => {
  const folder = ownFolder();
  const { journal } = openMaintained(folder, rememberingLog());
  for (let index = 1; index <= FACTS; index += 1) journal.record(tapOf(`04BADGE000000${index}`), null);
  journal.close();
  const path = join(folder, 'journal.tail');
  const lines = readFileSync(path, 'utf8').split('\n');
  const signed = lines.map((line) => {
    if (!line.includes(TRUE)) return line;
    const text = line.slice(9).replace(TRUE, FALSE);
    return `${crc32(text).toString(16).padStart(8, '0')} ${text}`;
  });
  expect(signed.join('\n')).toContain(FALSE);
  writeFileSync(path, signed.join('\n'));
  truncateSync(join(folder, 'journal.db'), 0);
  rmSync(join(folder, 'journal.db-wal'), { force: true });
  const { badges } = await recover(folder);
  expect(badges).not.toContain(FALSE);
  expect(badges).toHaveLength(FACTS - 1);
});

it('does not quarantine a sound journal for a damaged line of the sidecar log', async () => {
  const folder = ownFolder();
  const { journal } = openMaintained(folder, rememberingLog());
  for (let index = 1; index <= FACTS; index += 1) journal.record(tapOf(`04BADGE000000${index}`), null);
  journal.close();
  const path = join(folder, 'journal.tail');
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('"seq":5,');
  writeFileSync(path, text.replace('"seq":5,', '"seq":9,'));
  const { badges, quarantine } = await recover(folder);
  expect(quarantine).toBeUndefined();
  expect(badges).toHaveLength(FACTS);
});

it('finds an old changed fact by the walk, although the start checks only the latest facts', async () => {
  const folder = ownFolder();
  const { journal, maintenance } = openMaintained(folder, rememberingLog());
  for (let index = 1; index <= 700; index += 1) {
    journal.record(tapOf(`04BADGE${String(index).padStart(7, '0')}`), null);
  }
  await maintenance.backUp(signal);
  journal.close();
  expect(change(folder, ['journal.db'])).toBe(1);
  const { durable, maintenance: again, journal: reopened } = openMaintained(folder, rememberingLog());
  expect(durable.quarantines.all()).toEqual([]);
  await again.walk(signal);
  expect(durable.quarantines.all()).toMatchObject([{ note: { why: 'a fact was changed' } }]);
  reopened.close();
});
