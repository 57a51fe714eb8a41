/** Backups and their restore: made according to use, never beside an empty start, and restored completely. */
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../src-main/core/foundations/ports.ts';
import { StartRefusal } from '../../../../src-main/core/foundations/refusal.ts';
import { factsIn } from '../../../../src-main/core/journal/recovery/backup.ts';
import { restoreJournal } from '../../../../src-main/core/journal/recovery/restore.ts';
import { handClock, ownFolder, rememberingLog, tapOf, until, visitorOf } from '../../fixture.ts';
import { chainAt, leadsIn, stamperOf } from '../../real-parts.ts';
import { hastyClock, openMaintained } from './damaged-journal.ts';

const { signal } = new AbortController();
const journalIn = (folder: string): string => join(folder, 'journal.db');
const newestIn = (folder: string): string => join(folder, 'backup', 'journal-1.db');

/** A data folder with `facts` facts in its backup, `late` later ones, and some of them delivered. */
const writeFolder = async (facts: number, late = 0): Promise<string> => {
  const folder = join(ownFolder(), 'data');
  mkdirSync(folder);
  const { journal, maintenance } = openMaintained(folder, rememberingLog());
  journal.settings.set('expo', 'AD2026');
  for (let tap = 0; tap < facts; tap += 1)
    journal.record(tapOf(`04${tap}`), visitorOf(`v${tap}`, `Visitor ${tap}`));
  journal.outbox.markInFlight([{ seq: 1, wire: '{}' }], 1n, 1);
  journal.outbox.settle([{ seq: 1, kind: 'sent', action: 'a1', revision: 1n }], 1);
  await maintenance.backUp(signal);
  for (let tap = 0; tap < late; tap += 1) journal.record(tapOf(`05${tap}`), null);
  journal.close();
  return folder;
};
const removeJournal = (folder: string, names: RegExp): void => {
  for (const name of readdirSync(folder)) if (names.test(name)) rmSync(join(folder, name));
};
const restore = (folder: string) =>
  restoreJournal({ folder, stamper: stamperOf(hastyClock), clock: hastyClock, log: rememberingLog() });
const refusalOf = (folder: string): unknown => {
  try {
    openMaintained(folder, rememberingLog()).journal.close();
    return null;
  } catch (error) {
    return error;
  }
};

describe('a start without a journal beside a backup', () => {
  it('is refused in one sentence that names the solution, and nothing is changed', async () => {
    const folder = await writeFolder(60);
    removeJournal(folder, /^journal\./);
    const before = readdirSync(folder);
    const refusal = refusalOf(folder);
    expect(refusal).toBeInstanceOf(StartRefusal);
    expect((refusal as StartRefusal).message).toMatch(/holds 60 interactions.*npm run restore -- --data/);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('is refused also with an empty journal', async () => {
    const folder = await writeFolder(5);
    removeJournal(folder, /^journal\./);
    const elsewhere = ownFolder();
    openMaintained(elsewhere, rememberingLog()).journal.close();
    cpSync(journalIn(elsewhere), journalIn(folder));
    expect(refusalOf(folder)).toBeInstanceOf(StartRefusal);
  });
});

describe('a restore', () => {
  it('recovers everything of a backup, with known delivery states', async () => {
    const folder = await writeFolder(60);
    removeJournal(folder, /^journal\./);
    expect(await restore(folder)).toMatchObject({ kind: 'restored', facts: 60, missing: 0 });
    expect(chainAt(journalIn(folder))).toEqual({ facts: 60, brokenAt: null });
    const { journal } = openMaintained(folder, rememberingLog());
    // A sent fact stays sent. The state of the others is unknown, so they are read back before they are sent.
    expect(journal.outbox.counts()).toMatchObject({ captured: 60, sent: 1, uncertain: 59 });
    expect(leadsIn(journal).filter(({ name }) => /visitor 59/iu.test(name ?? ''))).toHaveLength(1);
    expect(journal.settings.get('expo')).toBe('AD2026');
    journal.record(tapOf('04NEW'), null);
    expect(chainAt(journalIn(folder))).toEqual({ facts: 61, brokenAt: null });
    journal.close();
  });

  it('works on a folder with only the backup', async () => {
    const folder = await writeFolder(20);
    const only = ownFolder();
    cpSync(join(folder, 'backup'), join(only, 'backup'), { recursive: true });
    expect(refusalOf(only)).toBeInstanceOf(StartRefusal);
    expect(await restore(only)).toMatchObject({ kind: 'restored', facts: 20, missing: 0 });
    expect(refusalOf(only)).toBeNull();
  });

  it('does not change a journal that holds everything of its backups', async () => {
    const folder = await writeFolder(10, 3);
    expect(await restore(folder)).toEqual({ kind: 'complete', facts: 13 });
    expect(readdirSync(folder).some((name) => name.startsWith('quarantine-'))).toBe(false);
  });

  it('does not merge two journals', async () => {
    const folder = await writeFolder(10);
    const other = ownFolder();
    const { journal } = openMaintained(other, rememberingLog());
    journal.record(tapOf('04A'), null);
    journal.close();
    cpSync(join(folder, 'backup'), join(other, 'backup'), { recursive: true });
    expect(await restore(other)).toEqual({ kind: 'twoJournals' });
    expect(factsIn(journalIn(other))).toHaveLength(1);
  });

  it('reports when there is no backup', async () => {
    expect(await restore(ownFolder())).toEqual({ kind: 'noCopies' });
  });
});

describe('backups', () => {
  it('follow use: soon after a hundred facts, and minutes after fewer', async () => {
    const folder = ownFolder();
    const clock = handClock();
    let asleep = 0;
    const sleeping: Clock = {
      ...clock,
      sleep: async (ms, signal) => {
        asleep += 1;
        await clock.sleep(ms, signal);
        asleep -= 1;
      },
    };
    const { journal, maintenance } = openMaintained(folder, rememberingLog(), sleeping);
    const ended = new AbortController();
    const running = maintenance.run(ended.signal);
    /**
     * Advances the clock, but not while a slow disk works, until the newest backup holds `facts`. Returns the
     * milliseconds.
     */
    const passUntil = async (facts: number): Promise<number> => {
      const began = clock.monotonic();
      await until(`the copy holds ${facts}`, () => {
        if (asleep > 0) clock.pass(1_000);
        return factsIn(newestIn(folder)).length === facts;
      });
      return clock.monotonic() - began;
    };
    for (let tap = 0; tap < 100; tap += 1) journal.record(tapOf(`04${tap}`), null);
    expect(await passUntil(100)).toBeLessThan(60_000);
    journal.record(tapOf('05A'), null);
    const minutes = (await passUntil(101)) / 60_000;
    expect(minutes).toBeGreaterThan(3);
    expect(minutes).toBeLessThan(8);
    ended.abort();
    clock.pass(1_000);
    await running;
    journal.close();
  });

  it('never replace one with facts that they lack', async () => {
    const folder = await writeFolder(50);
    const rich = join(ownFolder(), 'rich');
    cpSync(join(folder, 'backup'), rich, { recursive: true });
    const poorer = ownFolder();
    const { journal, maintenance } = openMaintained(poorer, rememberingLog());
    journal.record(tapOf('04A'), null);
    cpSync(rich, join(poorer, 'backup'), { recursive: true });
    for (let round = 0; round < 3; round += 1) await maintenance.backUp(signal);
    journal.close();
    const facts = readdirSync(join(poorer, 'backup')).map(
      (name) => factsIn(join(poorer, 'backup', name)).length,
    );
    expect(facts.toSorted()).toEqual([1, 1, 50]);
  });
});
