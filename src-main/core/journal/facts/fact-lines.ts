/**
 * Reads the journal without the app: each fact with its delivery state, in order.
 *
 * Invariants:
 * - Reads only. It can read journals of every earlier version.
 * - Rows are read one at a time, so a long journal needs little memory.
 */

import { openReadOnly } from '../../foundations/store/database.ts';
import { type FactRow, factOfRow } from './fact-rows.ts';
import type { OutboxState } from './transitions.ts';

/** One fact with its delivery. `delivery` is never null while docs/laws.md#law-2 holds. */
export type FactLine = ReturnType<typeof factOfRow> & {
  readonly delivery: {
    /** `at_hub`: another laptop submitted it to the hub, and the hub delivers it instead of this device. */
    readonly state: OutboxState | 'at_hub';
    readonly attempts: number;
    readonly reason: string | null;
    readonly action: string | null;
    /** Decimal digits, because it may exceed 2^53. */
    readonly revision: string | null;
  } | null;
};

type LineRow = FactRow & {
  readonly state: OutboxState | 'at_hub' | null;
  readonly attempts: number;
  readonly reason: string | null;
  readonly action: string | null;
  readonly revision: string | null;
};

/**
 * Facts of the journal at `path`, oldest first. Null when there is no journal.
 * @throws StartRefusal when the file is not a journal
 */
export function readFactLines(path: string): Generator<FactLine> | null {
  const database = openReadOnly(path);
  if (database === null) return null;
  // A journal of an earlier version, not migrated yet, has no facts of other laptops.
  const knowsTeam = database
    .prepare(`SELECT 1 FROM pragma_table_info('outbox') WHERE name = 'of_team'`)
    .get();
  const atHub = knowsTeam === undefined ? 'false' : `outbox.of_team = 1 AND outbox.state = 'sent'`;
  const rows = database.prepare<[], LineRow>(
    `SELECT fact.*, CASE WHEN ${atHub} THEN 'at_hub' ELSE outbox.state END AS state, outbox.attempts, outbox.reason, outbox.action,
       CAST(outbox.revision AS TEXT) AS revision
     FROM fact LEFT JOIN outbox USING (seq) ORDER BY fact.seq`,
  );
  return (function* () {
    try {
      for (const row of rows.iterate()) {
        const { state, attempts, reason, action, revision } = row;
        yield {
          ...factOfRow(row),
          delivery: state === null ? null : { state, attempts, reason, action, revision },
        };
      }
    } finally {
      database.close();
    }
  })();
}
