/**
 * Observes a running device: reads its committed files through a separate connection.
 *
 * Invariant: it sees only committed data, which is exactly what a power cut would leave.
 */
import { join } from 'node:path';
import { openReadOnly } from '../../src-main/core/foundations/store/database.ts';

export type Witness = {
  /** Laws that are broken at this moment, as text. */
  readonly breaches: () => readonly string[];
  readonly close: () => void;
};

type Counts = { facts: number; rows: number; unknown: number; lastSeq: number };
type Position = { resource: string; position: bigint; highest: bigint | null };

/** A witness of the device in `folder`. `wasTaken`: whether the platform ever accepted the fact with this id. */
export const openWitness = (folder: string, wasTaken: (id: string) => boolean): Witness => {
  const journal = openReadOnly(join(folder, 'journal.db'));
  const mirror = openReadOnly(join(folder, 'mirror.db'));
  if (journal === null || mirror === null) throw new Error('Expected a running kiosk');
  const counts = journal.prepare<[], Counts>(
    `SELECT (SELECT count(*) FROM fact) AS facts, (SELECT coalesce(max(seq), 0) FROM fact) AS lastSeq,
       (SELECT count(*) FROM outbox) AS rows,
       (SELECT count(*) FROM outbox WHERE state NOT IN
         ('due', 'in_flight', 'uncertain', 'sent', 'confirmed', 'parked')) AS unknown`,
  );
  // A position beyond everything that is stored would skip unread records. During a pass, the position of the pass is
  // used.
  const ahead = mirror
    .prepare<[], Position>(
      `SELECT resource, coalesce(pass_from, revision) AS position,
         (SELECT max(record.revision) FROM record WHERE record.resource = cursor.resource) AS highest
       FROM cursor WHERE coalesce(pass_from, revision) >
         coalesce((SELECT max(record.revision) FROM record WHERE record.resource = cursor.resource), 0)`,
    )
    .safeIntegers(true);
  const confirmed = journal.prepare<[], { id: string }>(
    "SELECT fact.id FROM outbox JOIN fact USING (seq) WHERE outbox.state = 'confirmed'",
  );
  const versionsOf = [journal, mirror].map((database) =>
    database.prepare<[], { data_version: number }>('PRAGMA data_version'),
  );
  let versions = '';
  return {
    breaches: () => {
      const now = versionsOf.map((version) => version.get()?.data_version).join();
      if (now === versions) return [];
      versions = now;
      const breaches: string[] = [];
      const { facts, rows, unknown, lastSeq } = counts.get() ?? { facts: 0, rows: 0, unknown: 0, lastSeq: 0 };
      if (facts !== rows || unknown > 0)
        breaches.push(`docs/laws.md#law-2: ${facts} facts, ${rows} delivery states, ${unknown} unknown`);
      if (lastSeq !== facts) breaches.push(`the last of ${facts} facts is numbered ${lastSeq}`);
      for (const { id } of confirmed.all())
        if (!wasTaken(id))
          breaches.push(`docs/laws.md#law-3: ${id} is confirmed, but the platform never had it`);
      for (const { resource, position, highest } of ahead.all()) {
        breaches.push(
          `docs/laws.md#law-4: the cursor of ${resource} is at ${position}, its data ends at ${highest}`,
        );
      }
      return breaches;
    },
    close: () => {
      journal.close();
      mirror.close();
    },
  };
};
