/**
 * Dead letters (parked facts) in the journal: the refused fact, the reason, and whether it can be sent again.
 *
 * Invariant: only staff requeue a refused fact, unless its refusal proved nothing (`delivery/outbox/refusals.ts`). The
 * fact itself does not change.
 */
import type { Database } from '../../foundations/store/database.ts';
import type { AnyPayload, FactKind } from './fact.ts';
import { payloadOf } from './lead-sources.ts';

/** Reason of a fact whose record cannot be read, so there is nothing to send. */
export const CANNOT_BE_READ = 'its record on this device is damaged or erased';

/** Reason of an imported fact about which staff must decide, because its own device may still send it. */
export const CAME_FROM_A_FILE =
  'it came from a file; the device that captured it sends it, or somebody here says so';

/** A parked fact, with the lead it belongs to. `payload` is null after erasure. */
export type ParkedFact = {
  readonly seq: number;
  readonly id: string;
  readonly kind: FactKind;
  readonly at: number;
  readonly touchpoint: string | null;
  readonly partner: string | null;
  readonly payload: AnyPayload | null;
  readonly reason: string;
  /** Id of the lead. Null if the fact belongs to no lead. */
  readonly lead: string | null;
  /** The lead's partner, with the id that `journal.leads` uses. */
  readonly leadPartner: string | null;
  readonly name: string | null;
  readonly badge: string;
};

export type DeadLetters = {
  /** Latest first. */
  readonly list: (most: number) => readonly ParkedFact[];
  /** Parked facts whose payload is not erased: all of them, or only the one with this id. */
  readonly retryable: (factId: string | null) => readonly ParkedFact[];
};

type Row = Omit<ParkedFact, 'payload' | 'reason' | 'badge'> & {
  readonly payload: string | null;
  readonly reason: string | null;
  readonly badge: string | null;
};

const PARKED = `
  SELECT fact.seq, fact.id, fact.kind, fact.at, fact.touchpoint, fact.partner, fact.payload, outbox.reason,
    lead.id AS lead, lead.partner AS leadPartner, lead.name, lead.badge
  FROM outbox JOIN fact USING (seq) LEFT JOIN lead_fact USING (seq) LEFT JOIN lead ON lead.id = lead_fact.lead
  WHERE outbox.state = 'parked'`;

/** Dead letters in the journal's database. */
export function createDeadLetters(database: Database): DeadLetters {
  const listed = database.prepare<[number], Row>(`${PARKED} ORDER BY outbox.seq DESC LIMIT ?`);
  const all = database.prepare<[], Row>(`${PARKED} AND fact.payload IS NOT NULL ORDER BY outbox.seq`);
  const one = database.prepare<[string], Row>(`${PARKED} AND fact.payload IS NOT NULL AND fact.id = ?`);
  return {
    list: (most) => listed.all(most).map(parkedFactOf),
    retryable: (factId) => (factId === null ? all.all() : one.all(factId)).map(parkedFactOf),
  };
}

function parkedFactOf({ payload, reason, badge, ...row }: Row): ParkedFact {
  return { ...row, payload: payloadOf(payload), reason: reason ?? '', badge: badge ?? '' };
}
