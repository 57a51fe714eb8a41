/**
 * What other devices of a partner did with a lead, as the platform reports it in connections. It is stored with the
 * lead, because the mirror can be discarded.
 *
 * Invariants:
 * - Our own facts are left out, because the journal holds them.
 * - A lead that no other device captured or edited stores nothing.
 * - `first`, `last`, `notes` and the entries of `history` are stored unchanged. `count` is reduced by our own visits.
 */
import type { Database } from '../../foundations/store/database.ts';

/** A connection as the platform reports it. */
export type ToldConnection = {
  readonly visitor: string;
  readonly partner: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** Stores connections in one transaction. Returns how many leads changed. */
export function createConnectionKeeper(
  database: Database,
  leadOf: (visitor: string, partner: string) => string | null,
): (connections: readonly ToldConnection[]) => number {
  const ownFact = database.prepare<[string]>('SELECT 1 FROM fact WHERE id = ?');
  const ownMeetings = database.prepare<[string], { n: number }>(
    `SELECT count(*) AS n FROM lead_fact JOIN fact USING (seq)
     WHERE lead = ? AND undone_by IS NULL AND kind IN ('tap', 'checkin', 'collect')`,
  );
  const set = database.prepare(
    'UPDATE lead SET elsewhere = @told WHERE id = @lead AND elsewhere IS NOT @told',
  );

  const told = (lead: string, { body }: ToldConnection): string | null => {
    const entries: readonly unknown[] = Array.isArray(body.history) ? body.history : [];
    const history = entries.filter((entry) => {
      const id = typeof entry === 'object' && entry !== null && 'clientID' in entry ? entry.clientID : null;
      return typeof id === 'string' && ownFact.get(id) === undefined;
    });
    const met = typeof body.count === 'number' ? body.count : 0;
    const count = Math.max(0, met - (ownMeetings.get(lead)?.n ?? 0));
    if (history.length === 0 && count === 0) return null;
    return JSON.stringify({ first: body.first, last: body.last, count, notes: body.notes, history });
  };
  const keep = database.transaction((connections: readonly ToldConnection[]): number =>
    connections.reduce((changed, connection) => {
      const lead = leadOf(connection.visitor, connection.partner);
      return lead === null ? changed : changed + set.run({ lead, told: told(lead, connection) }).changes;
    }, 0),
  );
  return (connections) => {
    const ours = connections.filter(({ visitor, partner }) => leadOf(visitor, partner) !== null);
    return ours.length === 0 ? 0 : keep.immediate(ours);
  };
}
