/**
 * Backups and their restore: backups are made according to use, the app never starts with an empty journal while
 * backups hold facts, and a restore is complete.
 */
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../src-main/core/foundations/ports.ts';
import { StartRefusal } from '../../../../src-main/core/foundations/refusal.ts';
import { factsIn } from '../../../../src-main/core/journal/recovery/backup.ts';
import { createQuarantineStore } from '../../../../src-main/core/journal/recovery/quarantine.ts';
import { restoreJournal } from '../../../../src-main/core/journal/recovery/restore.ts';
import { openVersionNote } from '../../../../src-main/core/journal/recovery/version-note.ts';
import { createKiosk } from '../../../../src-main/core/kiosk.ts';
import { plainSettings } from '../../../../src-main/core/stand/visit/settings.ts';
import { handClock, ownFolder, rememberingLog, tapOf, until, visitorOf } from '../../fixture.ts';
import { chainAt, leadsIn, realClock, realRandom, stamperOf } from '../../real-parts.ts';
import { screenOf } from '../../screen.ts';
import { hastyClock, openMaintained } from './damaged-journal.ts';

const { signal } = new AbortController();
const journalIn = (folder: string): string => join(folder, 'journal.db');
const newestIn = (folder: string): string => join(folder, 'backup', 'journal-1.db');

/** A data folder with `facts` facts in its backup, the first of them sent, and `late` later facts. */
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
const openNote = (folder: string, facts: number) =>
  openVersionNote({ folder, log: rememberingLog(), version: '1', facts: () => facts, schema: () => 1 });
const refusalOf = (folder: string): unknown => {
  try {
    openMaintained(folder, rememberingLog()).journal.close();
    return null;
  } catch (error) {
    return error;
  }
};

describe('a start without a journal beside a backup', () => {
  it('is refused with a message that names the solution, and nothing is changed', async () => {
    const folder = await writeFolder(60);
    removeJournal(folder, /^journal\./);
    const before = readdirSync(folder);
    const refusal = refusalOf(folder);
    expect(refusal).toBeInstanceOf(StartRefusal);
    expect((refusal as StartRefusal).message).toMatch(/holds 60 interactions.*npm run restore -- --data/);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('is also refused if there is an empty journal', async () => {
    const folder = await writeFolder(5);
    removeJournal(folder, /^journal\./);
    const elsewhere = ownFolder();
    openMaintained(elsewhere, rememberingLog()).journal.close();
    cpSync(journalIn(elsewhere), journalIn(folder));
    expect(refusalOf(folder)).toBeInstanceOf(StartRefusal);
  });
});

describe('a restore', () => {
  it('recovers everything in a backup, with known delivery states', async () => {
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
    expect(await restore(folder)).toEqual({ kind: 'complete', facts: 13, missing: 0 });
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

  it('reports at every restore the facts of the last run that no file holds, and keeps the note', async () => {
    const folder = await writeFolder(24, 64);
    openNote(folder, 88);
    removeJournal(folder, /^journal\./);
    expect(await restore(folder)).toMatchObject({ kind: 'restored', facts: 24, missing: 64 });
    expect(await restore(folder)).toEqual({ kind: 'complete', facts: 24, missing: 64 });
    // A start of the same version and another restore still report it.
    expect(openNote(folder, 24).change).toEqual({ from: '1', left: 88, found: 24 });
    expect(openNote(folder, 24).change).toEqual({ from: '1', left: 88, found: 24 });
    expect(await restore(folder)).toEqual({ kind: 'complete', facts: 24, missing: 64 });
  });

  it.each(['noted', 'moved journal.tail', 'moved backup', 'moved journal.db', 'moved all'])(
    'finishes a restore that was interrupted after the step "%s"',
    async (last) => {
      const folder = await writeFolder(20, 5);
      const stop = (what: string): void => {
        if (what === last) throw new Error('killed');
      };
      expect(() => createQuarantineStore(folder, stop).putAside('damaged', hastyClock.now())).toThrow(
        'killed',
      );
      expect(await restore(folder)).toMatchObject({ kind: 'restored', facts: 25, missing: 0 });
      expect(chainAt(journalIn(folder))).toMatchObject({ facts: 25, brokenAt: null });
      expect(await restore(folder)).toEqual({ kind: 'complete', facts: 25, missing: 0 });
    },
  );

  it('says when there is nothing to restore from', async () => {
    expect(await restore(ownFolder())).toEqual({ kind: 'noCopies' });
  });
});

describe('backups', () => {
  it('contain every fact after a normal shutdown', async () => {
    const folder = ownFolder();
    const kiosk = createKiosk({
      clock: realClock,
      random: realRandom,
      log: rememberingLog(),
      folder,
      platform: { baseUrl: 'https://p.example/v2', key: 'k', password: '', expoId: 'E1' },
      stand: plainSettings(),
      drivers: [],
      demoBadges: [],
      version: '1',
      cardService: 'off',
    });
    const { taps } = screenOf(kiosk);
    for (const text of ['04A1B2C3D4E5F6', '04B2C3D4E5F607', '04C3D4E5F60718'])
      await taps.enter({ text, source: 'wedge' });
    await kiosk.stop();
    expect(factsIn(newestIn(folder))).toHaveLength(3);
  });

  it('are made according to use: soon after a hundred facts, and minutes after fewer', async () => {
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
     * Advances the clock (but not while a slow disk works) until the newest backup holds `facts`. Returns the
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

  it('never replace a backup that has facts which they lack', async () => {
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
