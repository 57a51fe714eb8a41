/**
 * Bringing a journal back from its backups when the journal itself is gone or has lost facts they hold.
 *
 * Everything that is there is put aside like a damaged journal and brought back together: copies, sidecar log and
 * whatever the journal still holds. So a delivery that is known stays known, and everything else is read back before
 * it is sent again.
 *
 * Invariant: nothing is deleted or overwritten; what was put aside stays in its quarantine.
 */
import { join } from 'node:path';
import type { Clock, Log } from '../../foundations/ports.ts';
import type { Stamper } from '../facts/stamp.ts';
import { copiesIn, factsIn } from './backup.ts';
import { openDurableJournal } from './durable-journal.ts';
import { createMaintenance } from './maintenance.ts';
import { createQuarantineStore } from './quarantine.ts';
import { readSidecarLog } from './sidecar-log.ts';

/**
 * `complete`: the journal holds all that its copies hold. `twoJournals`: they hold different facts of one number, so
 * they are of two journals, which cannot become one. Counts of facts.
 */
export type Restored =
  | { readonly kind: 'noCopies' }
  | { readonly kind: 'complete'; readonly facts: number }
  | { readonly kind: 'twoJournals' }
  | {
      readonly kind: 'restored';
      readonly facts: number;
      readonly missing: number;
      readonly quarantine: string;
    };

/** Restores the journal of a data folder that nobody else works in. @throws StartRefusal as opening a journal does */
export async function restoreJournal(ports: {
  readonly folder: string;
  readonly stamper: Stamper;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<Restored> {
  const { folder, clock } = ports;
  const quarantines = createQuarantineStore(folder);
  quarantines.finishMoves();
  const copies = copiesIn(folder);
  if (copies.length === 0) return { kind: 'noCopies' };
  const held = factsIn(join(folder, 'journal.db'));
  const copied = [
    ...copies.flatMap((copy) => factsIn(join(folder, copy))),
    ...readSidecarLog(join(folder, 'journal.tail')).facts,
  ];
  const idOf = new Map(held.map(({ seq, id }) => [seq, id]));
  if (copied.length > 0 && copied.every(({ seq, id }) => idOf.get(seq) === id)) {
    return { kind: 'complete', facts: held.length };
  }
  for (const { seq, id } of copied) {
    if ((idOf.get(seq) ?? id) !== id) return { kind: 'twoJournals' };
    idOf.set(seq, id);
  }
  const { name } = quarantines.putAside('its backups hold facts that it does not', clock.now());
  const durable = openDurableJournal(ports);
  try {
    const maintenance = createMaintenance({ ...ports, durable, onSalvaged: () => undefined });
    const results = await maintenance.salvageOpen(new AbortController().signal);
    const missing = results.reduce((sum, result) => sum + result.missing, 0);
    return { kind: 'restored', facts: durable.journal.outbox.counts().captured, missing, quarantine: name };
  } finally {
    durable.journal.close();
  }
}
