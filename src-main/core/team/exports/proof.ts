/**
 * The proof of the count: every link of the journal's chain with the lead it belongs to, and the counts that follow
 * from them (docs/decisions/signed-receipts.md).
 *
 *     {"format":"touchpoint-proof-2",…,"leads":2,…,"chainHead":"…","links":[[1,"<hash>","tap",<at>,1,"",null],[2,"<hash>"]],"signedBy":"…","signature":{…}}
 *
 * Invariants:
 * - It holds no personal data, and no value against which a guess can be tested. A fact's hash covers its random id,
 *   which is not in the proof. Payload hashes are left out.
 * - A fact of another partner is its number and its hash (docs/laws.md#law-14).
 * - Every row is verified before it is listed. A chain that does not hold is not proven.
 * - The counts follow from the links alone, so a verifier can recompute them.
 */
import type { ErasureProtocol } from '../../../contract/erasure.ts';
import type { Database } from '../../foundations/store/database.ts';
import { readChainGaps } from '../../journal/facts/chain-gaps.ts';
import { CHAIN_START, type FactKind } from '../../journal/facts/fact.ts';
import { type FactRow, isTrueToItself } from '../../journal/facts/fact-rows.ts';
import { IS_TURNED_AWAY } from '../../journal/facts/lead-queries.ts';

/**
 * Number, hash, kind, Unix milliseconds, number of the lead in this proof, marks, and the number of the fact that
 * undid it. Marks: `i` recorded on another device, `e` content erased, `t` turned away at a door.
 */
type OwnLink = readonly [number, string, FactKind, number, number, string, number | null];

export type Link = OwnLink | readonly [seq: number, hash: string];

/** Counts of leads. A lead has at least one visit: a tap, check-in or content that was not turned away. */
export type LeadCounts = {
  readonly leads: number;
  /** Leads whose visits were all undone, but not all erased. `leads` includes the leads of all these counts. */
  readonly takenBack: number;
  /** Leads whose visits have all been erased. */
  readonly erased: number;
  /** Leads with a visit that this device recorded itself. */
  readonly here: number;
};

export type Proof = LeadCounts & {
  readonly format: 'touchpoint-proof-2';
  readonly event: string;
  readonly partner: string;
  /** ISO 8601, by the clock of the device. */
  readonly madeAt: string;
  readonly facts: number;
  /** Hash of the last fact, of any partner. */
  readonly chainHead: string;
  /** Numbers at which the chain starts again after damage. The facts before them are not proven to be complete. */
  readonly gaps: readonly number[];
  /** Erasures of this partner's leads. */
  readonly erasures: readonly Pick<
    ErasureProtocol,
    'id' | 'kind' | 'at' | 'people' | 'facts' | 'chainHead'
  >[];
  readonly links: readonly Link[];
};

/** Thrown when the journal's chain does not hold. */
export class BrokenChain extends Error {
  override readonly name = 'BrokenChain';
}

const VISITS: ReadonlySet<FactKind> = new Set(['tap', 'checkin', 'collect']);

type Row = FactRow & {
  readonly lead: string | null;
  readonly partner_of_lead: string | null;
  readonly taps: number | null;
  readonly undone_by: number | null;
  readonly is_turned_away: number | null;
  readonly is_imported: number;
};

/**
 * The proof of a partner's leads, in the transaction of the caller.
 *
 * @param onRow called for every fact; a throw aborts
 * @throws BrokenChain
 */
export function proofOf(
  database: Database,
  { event, partner, at }: { readonly event: string; readonly partner: string; readonly at: number },
  onRow: () => void,
): Proof {
  const gaps = new Map(readChainGaps(database).map((gap) => [gap.seq, gap.previousHash]));
  const rootOf = createRoots(database);
  const numbers = new Map<string, number>();
  const links: Link[] = [];
  let last = { seq: 0, hash: CHAIN_START };
  for (const row of database.prepare<[], Row>(ROWS).iterate()) {
    onRow();
    const follows = row.seq === last.seq + 1 && row.previous_hash === last.hash;
    if (!isTrueToItself(row) || (!follows && gaps.get(row.seq) !== row.previous_hash))
      throw new BrokenChain();
    last = row;
    if (row.lead === null || row.partner_of_lead !== partner) {
      links.push([row.seq, row.hash]);
      continue;
    }
    const root = rootOf(row.lead);
    const number = numbers.get(root) ?? numbers.size + 1;
    numbers.set(root, number);
    links.push([row.seq, row.hash, row.kind, row.at, number, marksOf(row), row.undone_by]);
  }
  return {
    format: 'touchpoint-proof-2',
    event,
    partner,
    madeAt: new Date(at).toISOString(),
    ...countLeads(links),
    facts: links.filter((link) => link.length > 2).length,
    chainHead: links.length === 0 ? '' : last.hash,
    gaps: [...gaps.keys()],
    erasures: erasuresOf(database, partner),
    links,
  };
}

const ROWS = `
  SELECT fact.*, lead_fact.lead, lead.partner AS partner_of_lead, lead.taps, lead_fact.undone_by,
    ${IS_TURNED_AWAY} AS is_turned_away,
    imported.seq IS NOT NULL AS is_imported
  FROM fact LEFT JOIN lead_fact USING (seq) LEFT JOIN lead ON lead.id = lead_fact.lead LEFT JOIN imported USING (seq)
  ORDER BY fact.seq`;

function marksOf(row: Row): string {
  const isErased = row.payload === null;
  // The reason is erased with the payload. A tap that is not undone and not counted by its lead was turned away.
  const isTurnedAway =
    row.kind === 'tap' && (isErased ? row.undone_by === null && row.taps === 0 : row.is_turned_away === 1);
  return `${row.is_imported === 1 ? 'i' : ''}${isErased ? 'e' : ''}${isTurnedAway ? 't' : ''}`;
}

/** Counts the leads of links. `verify.html` counts in the same way. */
function countLeads(links: readonly Link[]): LeadCounts {
  const leads = new Map<number, { here: boolean; standing: boolean; kept: boolean }>();
  for (const link of links) {
    if (link.length === 2) continue;
    const [, , kind, , number, marks, undoneBy] = link;
    if (!VISITS.has(kind) || marks.includes('t')) continue;
    const lead = leads.get(number) ?? { here: false, standing: false, kept: false };
    lead.here ||= !marks.includes('i');
    lead.standing ||= undoneBy === null;
    lead.kept ||= !marks.includes('e');
    leads.set(number, lead);
  }
  const each = [...leads.values()];
  return {
    leads: each.length,
    takenBack: each.filter(({ standing, kept }) => !standing && kept).length,
    erased: each.filter(({ kept }) => !kept).length,
    here: each.filter(({ here }) => here).length,
  };
}

/** The lead to which a part belongs, or the lead itself. */
function createRoots(database: Database): (lead: string) => string {
  const parts = new Map(
    database
      .prepare<[], { id: string; part_of: string }>('SELECT id, part_of FROM lead WHERE part_of IS NOT NULL')
      .all()
      .map(({ id, part_of: root }) => [id, root]),
  );
  return (lead) => {
    let root = lead;
    for (let next = parts.get(root); next !== undefined; next = parts.get(root)) root = next;
    return root;
  };
}

function erasuresOf(database: Database, partner: string): Proof['erasures'] {
  return database
    .prepare<[], { protocol: string }>('SELECT protocol FROM erasure_protocol ORDER BY at, id')
    .all()
    .map(({ protocol }) => JSON.parse(protocol) as ErasureProtocol)
    .filter((protocol) => protocol.partner === partner)
    .map(({ id, kind, at, people, facts, chainHead }) => ({ id, kind, at, people, facts, chainHead }));
}
