/**
 * `npm run bench -- damaged-start`: the time from opening a damaged journal to the first captured tap, compared with
 * that of an intact journal.
 *
 * Invariants:
 * - Both sides run in turns on copies of one journal on one disk.
 * - Later recovery in the background is not in the figures.
 */
import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FactDraft } from '../../src-main/core/journal/facts/journal.ts';
import {
  type DurableJournal,
  openDurableJournal,
} from '../../src-main/core/journal/recovery/durable-journal.ts';
import { realClock, stamperOf } from '../core/real-parts.ts';
import { inTurns, timeRows } from './measure.ts';
import type { Row } from './row.ts';

const FACTS = 3_000;
const TURNS = 60;
const FILES = ['journal.db', 'journal.db-wal', 'journal.tail'] as const;

const tapOf = (index: number): FactDraft => ({
  kind: 'tap',
  source: 'nfc',
  reader: 'reader 1',
  touchpoint: 'tp1',
  partner: 'p1',
  clockOffset: null,
  staff: null,
  payload: { badge: `04${index.toString(16).padStart(12, '0')}`.toUpperCase() },
});

const open = (folder: string): DurableJournal =>
  openDurableJournal({
    folder,
    stamper: stamperOf(),
    clock: realClock,
    log: { error: () => undefined, warn: () => undefined, info: () => undefined },
  });

/** A journal as a power cut leaves it: with its write-ahead log. */
const writeSample = (folder: string): void => {
  const work = `${folder}-work`;
  for (const made of [folder, work]) mkdirSync(made);
  const { journal } = open(work);
  for (let index = 0; index < FACTS; index += 1) journal.record(tapOf(index), null);
  for (const file of FILES) copyFileSync(join(work, file), join(folder, file));
  journal.close();
};

/** Overwrites a part of every fifth of the first 100 pages, so that any read of the whole file meets damage. */
const damage = (folder: string): void => {
  const file = openSync(join(folder, 'journal.db'), 'r+');
  for (let page = 0; page < 100; page += 5) writeSync(file, Buffer.alloc(600, 0xa5), 0, 600, page * 4_096);
  closeSync(file);
};

/** Median and 95th percentile of both sides, and their ratio. */
export async function bench(): Promise<readonly Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'touchpoint-bench-'));
  try {
    const sample = join(root, 'sample');
    writeSample(sample);
    let copies = 0;
    const copy = (): string => {
      copies += 1;
      const folder = join(root, `copy-${copies}`);
      cpSync(sample, folder, { recursive: true });
      return folder;
    };
    const sound = Array.from({ length: TURNS }, copy);
    const damaged = Array.from({ length: TURNS }, copy);
    for (const folder of damaged) damage(folder);
    const startOn = (folders: string[], isDamaged: boolean) => async () => {
      const { journal, quarantines } = open(folders.pop() ?? '');
      journal.record(tapOf(FACTS), null);
      if (quarantines.all().length > 0 !== isDamaged)
        throw new Error('Expected only the damaged journal to be put aside');
      journal.close();
    };
    const times = await inTurns(TURNS, { damaged: startOn(damaged, true), sound: startOn(sound, false) });
    return timeRows('damaged-start', 'from opening to the first kept tap', times.damaged, times.sound);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
