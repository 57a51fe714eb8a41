/**
 * Accepts facts that another device captured and that come from a file or from the hub of a team.
 *
 * A fact is appended to this journal's chain. It keeps its id and content and gets a number and a hash of this
 * journal. Its original position is stored beside it (docs/decisions/facts-from-a-file.md).
 *
 * Invariants:
 * - A fact, its outbox row, its place in a lead and its origin are written in one transaction.
 * - A fact that is already here changes nothing.
 * - An imported fact is never due. If it was not delivered, it is a dead letter with the reason that it was imported,
 *   until staff send it.
 * - A fact about an erased person is stored without its content.
 */

import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import type { Database } from '../../foundations/store/database.ts';
import { CAME_FROM_A_FILE } from '../../journal/facts/dead-letters.ts';
import { type Fact, factHash } from '../../journal/facts/fact.ts';
import { createChainEnd, createFactWriter, rowOfFact } from '../../journal/facts/fact-rows.ts';
import type { Leads } from '../../journal/facts/leads.ts';
import { createForgotten } from '../erasure/forgotten.ts';
import type { FactDelivery } from './fact-file.ts';

/**
 * A fact with the number, hashes and delivery of its device. `device`: the team's laptop that captured and delivers
 * it. Absent for a fact from a file.
 */
export type ForeignFact = Fact & {
  readonly delivery: FactDelivery;
  readonly device?: { readonly id: string; readonly name: string };
};

/** Accepts the facts of a call in one transaction. Returns how many are new. */
export type TakeFacts = (
  facts: readonly { readonly fact: ForeignFact; readonly visitor: VisitorSnapshot | null }[],
) => number;

/** Accepts facts into the journal's database. */
export function createTakeFacts(database: Database, leads: Pick<Leads, 'project'>): TakeFacts {
  const ofId = database.prepare<[string], { seq: number }>('SELECT seq FROM fact WHERE id = ?');
  const chainEnd = createChainEnd(database);
  const forgotten = createForgotten(database);
  const writeFact = createFactWriter(database);
  const writeDelivery = database.prepare(`
    INSERT INTO outbox (seq, state, attempts, action, revision, reason, changed_at, was_out, of_team)
    VALUES (@seq, @state, @attempts, @action, @revision, @reason, @changedAt, 1, @ofTeam)`);
  const writeOrigin = database.prepare('INSERT INTO imported (seq, origin) VALUES (?, ?)');
  const markErased = database.prepare('UPDATE lead SET erased = 1 WHERE id = ?');

  const takeOne = (foreign: ForeignFact, known: VisitorSnapshot | null): boolean => {
    if (ofId.get(foreign.id) !== undefined) return false;
    const { delivery, device, ...told } = foreign;
    const isForgotten = forgotten.covers(told, known?.id ?? null);
    const recorded: Fact = isForgotten ? { ...told, payload: null } : told;
    const visitor = isForgotten ? null : known;
    const { seq, previousHash } = chainEnd();
    const hash = factHash(previousHash, seq, recorded, recorded.payloadSha256);
    const fact: Fact = { ...recorded, seq, previousHash, hash };
    writeFact(rowOfFact(fact));
    const isUndelivered = !['sent', 'confirmed', 'parked'].includes(delivery.state);
    const revision = delivery.revision === null ? null : BigInt(delivery.revision);
    const held = isUndelivered ? { state: 'parked', reason: CAME_FROM_A_FILE } : {};
    writeDelivery.run({ ...delivery, revision, ...held, seq, ofTeam: device === undefined ? 0 : 1 });
    const { seq: itsSeq, previousHash: itsPrevious, hash: itsHash } = recorded;
    const origin = { seq: itsSeq, previousHash: itsPrevious, hash: itsHash, delivery };
    writeOrigin.run(seq, JSON.stringify(device === undefined ? origin : { device }));
    const lead = leads.project(fact, visitor);
    if (fact.payload === null) markErased.run(lead.id);
    return true;
  };

  const take = database.transaction((facts: Parameters<TakeFacts>[0]): number =>
    facts.reduce((taken, { fact, visitor }) => taken + (takeOne(fact, visitor) ? 1 : 0), 0),
  );
  return (facts) => take.immediate(facts);
}
