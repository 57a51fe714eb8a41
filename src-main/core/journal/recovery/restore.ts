/**
 * Restores a journal from its backups when the journal is gone or has lost facts that they hold. All files with facts
 * are quarantined like a damaged journal and recovered together: backups, sidecar log, and the rest of the journal.
 * Known delivery states are kept. All other facts are read back before they are sent again.
 *
 * Invariants:
 * - Nothing is deleted or overwritten. Quarantined files stay in quarantine.
 * - An interrupted restore or repair is finished: the facts of an open quarantine are treated like those of a backup.
 * - Facts that the last run had (`version-note.ts`) and that no file holds are counted as missing. The note stays.
 */
import { join } from 'node:path';
import type { Clock, Log } from '../../foundations/ports.ts';
import type { Stamper } from '../facts/stamp.ts';
import { copiesIn, factsIn } from './backup.ts';
import { openDurableJournal } from './durable-journal.ts';
import { createMaintenance } from './maintenance.ts';
import { createQuarantineStore } from './quarantine.ts';
import { readSidecarLog } from './sidecar-log.ts';
import { factsLeft } from './version-note.ts';

/**
 * `complete`: the journal holds every fact of its backups. `missing`: at least this many facts are in no file.
 * `twoJournals`: journal and backups hold different facts under one number, so they belong to two journals, which
 * cannot be merged. `facts` and `missing` are counts of facts.
 */
export type Restored =
  | { readonly kind: 'noCopies' }
  | { readonly kind: 'complete'; readonly facts: number; readonly missing: number }
  | { readonly kind: 'twoJournals' }
  | {
      readonly kind: 'restored';
      readonly facts: number;
      readonly missing: number;
      readonly quarantine: string;
    };

/** Restores the journal of a data folder that no other process uses. @throws StartRefusal as opening a journal does */
export async function restoreJournal({
  folder,
  stamper,
  clock,
  log,
}: {
  readonly folder: string;
  readonly stamper: Stamper;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<Restored> {
  const quarantines = createQuarantineStore(folder);
  quarantines.finishMoves();
  const copies = copiesIn(folder);
  const unfinished = quarantines.all().findLast(({ note }) => note.state !== 'done');
  if (copies.length === 0 && unfinished === undefined) return { kind: 'noCopies' };
  const held = factsIn(join(folder, 'journal.db'));
  const copied = [
    ...copies.flatMap((copy) => factsIn(join(folder, copy))),
    ...readSidecarLog(join(folder, 'journal.tail')).facts,
  ];
  const idOf = new Map(held.map(({ seq, id }) => [seq, id]));
  const left = factsLeft(folder) ?? 0;
  const isComplete = copied.every(({ seq, id }) => idOf.get(seq) === id);
  if (isComplete && copied.length > 0 && unfinished === undefined)
    return { kind: 'complete', facts: held.length, missing: Math.max(0, left - held.length) };
  for (const { seq, id } of copied) {
    if ((idOf.get(seq) ?? id) !== id) return { kind: 'twoJournals' };
    idOf.set(seq, id);
  }
  const { name } =
    isComplete && unfinished !== undefined
      ? unfinished
      : quarantines.putAside('its backups hold facts that it does not', clock.now());
  const durable = openDurableJournal({ folder, stamper, clock, log });
  try {
    const maintenance = createMaintenance({ durable, folder, clock, log, onSalvaged: () => undefined });
    const results = await maintenance.salvageOpen(new AbortController().signal);
    const missing = results.reduce((sum, result) => sum + result.missing, 0);
    const facts = durable.journal.outbox.counts().captured;
    return { kind: 'restored', facts, missing: Math.max(missing, left - facts), quarantine: name };
  } finally {
    durable.journal.close();
  }
}
