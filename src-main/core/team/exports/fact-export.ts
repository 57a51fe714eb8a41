/**
 * The facts of a partner's leads as the lines of a file (`fact-file.ts`), from a read-only connection.
 *
 * Invariants:
 * - Facts are in the order of this journal.
 * - A fact from a file has the number, hashes and delivery of the device that captured it. So importing a file and
 *   exporting its facts again gives the same file.
 */

import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import type { Database } from '../../foundations/store/database.ts';
import { CAME_FROM_A_FILE } from '../../journal/facts/dead-letters.ts';
import type { Fact } from '../../journal/facts/fact.ts';
import { type FactRow, factOfRow } from '../../journal/facts/fact-rows.ts';
import type { OutboxState } from '../../journal/facts/transitions.ts';
import { type ExportTally, inPieces, startCounting } from '../formats/profile.ts';
import { createFactFileWriter, type FactDelivery, type FactLine } from './fact-file.ts';

/** The facts to export: all facts of a partner, or only those of these `leads`. */
type FactSelection = {
  readonly event: string;
  readonly partner: string;
  readonly leads: readonly string[] | null;
};

type Row = FactRow & {
  readonly state: OutboxState;
  readonly attempts: number;
  readonly reason: string | null;
  readonly action: string | null;
  readonly revision: string | null;
  readonly changed_at: number;
  readonly lead: string;
  readonly visitor: string | null;
  readonly origin: string | null;
};

/** The file of these facts. Returns its tally and the head of the chain. */
export function* factFile(
  database: Database,
  selection: FactSelection,
): Generator<Uint8Array, ExportTally & { readonly head: string }> {
  const writer = createFactFileWriter();
  const { event, partner, leads } = selection;
  const chosen = { partner, leads: leads === null ? null : JSON.stringify(leads) };
  const count =
    database.prepare<[typeof chosen], { n: number }>(`SELECT count(*) AS n ${FROM}`).get(chosen)?.n ?? 0;
  const rows = database.prepare<[typeof chosen], Row>(
    `SELECT fact.*, outbox.state, outbox.attempts, outbox.reason, outbox.action,
       CAST(outbox.revision AS TEXT) AS revision, outbox.changed_at, lead.id AS lead, lead.visitor, imported.origin
     ${FROM} ORDER BY fact.seq`,
  );
  const visitorOf = database.prepare<[string], VisitorSnapshot>(
    'SELECT visitor AS id, name, company, job_title AS jobTitle, place, record FROM lead WHERE id = ?',
  );
  const told = new Set<string>();
  const visitor = (row: Row): FactLine['visitor'] => {
    if (row.visitor === null) return null;
    if (told.has(row.visitor)) return row.visitor;
    told.add(row.visitor);
    return visitorOf.get(row.lead) ?? null;
  };
  const texts = function* (): Generator<string> {
    yield writer.header({ event, partner, count });
    for (const row of rows.iterate(chosen)) yield writer.line({ ...asCaptured(row), visitor: visitor(row) });
  };
  yield* inPieces(texts());
  const { text, end } = writer.end();
  yield Buffer.from(text, 'utf8');
  return { ...startCounting(), count: end.count, head: end.head };
}

const FROM = `
  FROM fact JOIN outbox USING (seq) JOIN lead_fact USING (seq) JOIN lead ON lead.id = lead_fact.lead
    LEFT JOIN imported USING (seq)
  WHERE lead.partner = @partner AND (@leads IS NULL OR lead.id IN (SELECT value FROM json_each(@leads)))`;

/** A fact and its delivery as on the device that captured it. */
function asCaptured(row: Row): Fact & { readonly delivery: FactDelivery } {
  const { state, attempts, reason, action, revision, changed_at: changedAt } = row;
  const delivery = { state, attempts, reason, action, revision, changedAt };
  if (row.origin === null) return { ...factOfRow(row), delivery };
  const origin = JSON.parse(row.origin) as Pick<Fact, 'seq' | 'previousHash' | 'hash'> & {
    readonly delivery?: FactDelivery;
  };
  // A fact of another laptop of the team: the hub does not send its position in that laptop's chain.
  if (origin.delivery === undefined) return { ...factOfRow(row), delivery };
  const { seq, previousHash, hash } = origin;
  const isStill = (state === 'parked' && reason === CAME_FROM_A_FILE) || state === origin.delivery.state;
  return { ...factOfRow(row), seq, previousHash, hash, delivery: isStill ? origin.delivery : delivery };
}
