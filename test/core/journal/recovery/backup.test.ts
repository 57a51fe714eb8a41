/**
 * Backups of the journal: they are sound, there are two of them, and they can recover facts that the journal lost.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openReadOnly } from '../../../../src-main/core/foundations/store/database.ts';
import { ownFolder, rememberingLog, tapOf, visitorOf } from '../../fixture.ts';
import { chainAt, openJournal, stamperOf } from '../../real-parts.ts';
import { openMaintained } from './damaged-journal.ts';

const { signal } = new AbortController();

it('backups restore to a journal with every fact and delivery of that time', async () => {
  const folder = ownFolder();
  const { journal, maintenance } = openMaintained(folder, rememberingLog());
  for (let tap = 0; tap < 200; tap += 1) journal.record(tapOf(`04${tap}`), null);
  journal.outbox.markInFlight([{ seq: 7, wire: '{}' }], 1n, 1);
  expect(await maintenance.backUp(signal)).toBe(true);
  journal.record(tapOf('04LATER'), null);

  const elsewhere = ownFolder();
  copyFileSync(join(folder, 'backup', 'journal-1.db'), join(elsewhere, 'journal.db'));
  const restored = openJournal(join(elsewhere, 'journal.db'), stamperOf());
  expect(chainAt(join(elsewhere, 'journal.db'))).toEqual({ facts: 200, brokenAt: null });
  expect(restored.outbox.counts()).toMatchObject({ captured: 200, due: 199, in_flight: 1 });
  expect(restored.leads.count('p1')).toBe(200);
  restored.close();
  journal.close();
});

it('backups keep two complete generations, and no partial one beside them', async () => {
  const folder = ownFolder();
  const { journal, maintenance } = openMaintained(folder, rememberingLog());
  for (let round = 1; round <= 3; round += 1) {
    journal.record(tapOf(`04${round}`), null);
    await maintenance.backUp(signal);
  }
  expect(readdirSync(join(folder, 'backup')).toSorted()).toEqual(['journal-1.db', 'journal-2.db']);
  const facts = ['journal-1.db', 'journal-2.db'].map((name) => {
    const copy = openReadOnly(join(folder, 'backup', name));
    const count = copy?.prepare('SELECT count(*) FROM fact').pluck().get();
    copy?.close();
    return count;
  });
  expect(facts).toEqual([3, 2]);
  journal.close();
});

it('backups do not block taps, and leave the earlier ones when they are stopped', async () => {
  const folder = ownFolder();
  const { journal, maintenance } = openMaintained(folder, rememberingLog());
  for (let tap = 0; tap < 2_000; tap += 1) journal.record(tapOf(`04${tap}`), null);
  const making = maintenance.backUp(signal);
  let during = 0;
  let made = false;
  void making.then(() => (made = true));
  while (!made) {
    journal.record(tapOf(`05${during}`), null);
    during += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(during).toBeGreaterThan(5);
  expect(chainAt(join(folder, 'journal.db')).brokenAt).toBeNull();

  const stopping = new AbortController();
  const stopped = maintenance.backUp(stopping.signal);
  stopping.abort();
  expect(await stopped).toBe(false);
  expect(readdirSync(join(folder, 'backup'))).toEqual(['journal-1.db']);
  journal.close();
});

it('backups and the sidecar log recover every fact of a journal that lost them all', async () => {
  const folder = ownFolder();
  const first = openMaintained(folder, rememberingLog());
  first.journal.settings.set('expo', 'AD2026');
  for (let tap = 0; tap < 100; tap += 1) first.journal.record(tapOf(`04${tap}`), null);
  await first.maintenance.backUp(signal);
  const late = first.journal.record(tapOf('04LATE'), null).fact;
  first.journal.close();
  for (const suffix of ['-wal', '-shm']) rmSync(join(folder, `journal.db${suffix}`), { force: true });
  truncateSync(join(folder, 'journal.db'), 0);

  const { journal, maintenance, durable } = openMaintained(folder, rememberingLog());
  expect(durable.quarantines.all()).toHaveLength(1);
  await maintenance.salvageOpen(signal);
  expect(chainAt(join(folder, 'journal.db'))).toEqual({ facts: 101, brokenAt: null });
  expect(journal.fact(late.id)).toEqual(late);
  expect(journal.settings.get('expo')).toBe('AD2026');
  expect(durable.quarantines.all()[0]?.note).toMatchObject({
    state: 'done',
    result: { salvaged: 101, missing: 0 },
  });
  journal.close();
});

it('backups contain no erased visitor after the next backup, and neither does the sidecar log', async () => {
  const folder = ownFolder();
  const { journal, maintenance } = openMaintained(folder, rememberingLog());
  journal.record(tapOf('04SECRETBADGE', 'v1'), visitorOf('v1', 'Secret Name'));
  await maintenance.backUp(signal);
  await maintenance.backUp(signal);
  expect(journal.erase('v1')).toBe(1);
  await maintenance.backUp(signal);
  journal.close();
  const files = ['journal.db', 'journal.tail', 'backup/journal-1.db', 'backup/journal-2.db'].map((name) =>
    join(folder, name),
  );
  for (const file of files.filter((path) => existsSync(path))) {
    const bytes = readFileSync(file);
    expect(bytes.includes('SECRETBADGE'), file).toBe(false);
    expect(bytes.includes('Secret Name'), file).toBe(false);
  }
});
