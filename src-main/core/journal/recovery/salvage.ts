/**
 * Recovers facts from a quarantine into the journal that continued without them. A recovered fact keeps its number,
 * id, times and hashes. Where its predecessor could not be read, a chain gap records that. A fact that was sent,
 * confirmed or parked keeps its state. An erased fact without such a state is parked. Every other fact becomes
 * uncertain, so it is read back before it is sent again.
 *
 * Invariants:
 * - A fact, its outbox row and its place in a lead return in one transaction. docs/laws.md#law-2 holds after each
 *   commit.
 * - A repeated recovery changes nothing.
 * - A slice takes a few milliseconds, so that no tap waits longer.
 */

import type { Database } from '../../foundations/store/database.ts';
import { epochOf, readChainGaps, writeChainGap } from '../facts/chain-gaps.ts';
import { CHAIN_START } from '../facts/fact.ts';
import { createFactWriter, type FactRow, factOfRow } from '../facts/fact-rows.ts';
import type { Leads } from '../facts/leads.ts';
import type { QuarantineNote, SalvageResult } from './quarantine.ts';
import { type RecoveredDelivery, type RecoveredRows, recoverRows } from './recovered-rows.ts';
import { createReplay } from './replay.ts';

const SLICE_MS = 6;
const REASON = 'it was recovered from a damaged journal';

type SalvagePorts = {
  readonly database: Database;
  readonly leads: Leads;
  readonly monotonic: () => number;
  readonly now: () => number;
};

/** Recovers the facts of `folder`. Each `yield` ends a slice. */
export function* salvage(
  ports: SalvagePorts,
  quarantine: { readonly name: string; readonly folder: string; readonly note: QuarantineNote },
): Generator<void, SalvageResult> {
  const recovered = yield* inSlices(ports, recoverRows(quarantine.folder));
  const restore = createRestorer(ports, recovered, quarantine.name);
  const result = {
    salvaged: 0,
    alreadyThere: 0,
    missing: missingIn(recovered.facts),
    stateKept: 0,
    uncertain: 0,
  };
  let at = 0;
  while (at < recovered.facts.length) {
    const slice = restore(at);
    at += slice.looked;
    result.salvaged += slice.stateKept + slice.uncertain;
    result.stateKept += slice.stateKept;
    result.uncertain += slice.uncertain;
    result.alreadyThere += slice.looked - slice.stateKept - slice.uncertain;
    yield;
  }
  return result;
}

/** Runs a generator of small steps and yields once per slice. */
function* inSlices<Result>(ports: SalvagePorts, steps: Generator<void, Result>): Generator<void, Result> {
  let began = ports.monotonic();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (ports.monotonic() - began < SLICE_MS) continue;
    yield;
    began = ports.monotonic();
  }
}

type Slice = { readonly looked: number; readonly stateKept: number; readonly uncertain: number };

function createRestorer(
  ports: SalvagePorts,
  recovered: RecoveredRows,
  quarantine: string,
): (from: number) => Slice {
  const { database, leads } = ports;
  const replay = createReplay(database, leads);
  const taken = database.prepare<{ seq: number; id: string }, { id: string }>(
    'SELECT id FROM fact WHERE seq = @seq OR id = @id LIMIT 1',
  );
  const before = database.prepare<[number], { seq: number; hash: string }>(
    'SELECT seq, hash FROM fact WHERE seq < ? ORDER BY seq DESC LIMIT 1',
  );
  const writeFact = createFactWriter(database);
  const insertDelivery = database.prepare(`
    INSERT INTO outbox (seq, state, attempts, wire, wire_sha256, since_revision, action, revision, reason, changed_at, was_out)
    VALUES (@seq, @state, @attempts, @wire, @wire_sha256, @since_revision, @action, @revision, @reason, @changed_at, 1)`);
  const markErased = database.prepare('UPDATE lead SET erased = 1 WHERE id = ?');

  const restoreOne = (row: FactRow): 'stateKept' | 'uncertain' | 'there' => {
    if (taken.get({ seq: row.seq, id: row.id }) !== undefined) return 'there';
    const previous = before.get(row.seq) ?? { seq: 0, hash: CHAIN_START };
    if (previous.seq !== row.seq - 1 || previous.hash !== row.previous_hash) {
      writeChainGap(database, {
        seq: row.seq,
        previousHash: row.previous_hash,
        quarantine,
        opensEpoch: false,
      });
    }
    writeFact(row);
    const delivery = deliveryToKeep(recovered.deliveryOf(row.seq), row, ports.now());
    insertDelivery.run({ ...delivery, seq: row.seq });
    const fact = factOfRow(row);
    const lead = leads.project(fact, fact.payload === null ? null : recovered.visitorOf(fact.payload));
    if (fact.payload === null) markErased.run(lead.id);
    return delivery.state === 'uncertain' ? 'uncertain' : 'stateKept';
  };

  const restoreSlice = database.transaction((from: number): Slice => {
    const counts = { stateKept: 0, uncertain: 0, there: 0 };
    const began = ports.monotonic();
    const epoch = readChainGaps(database).find((gap) => gap.opensEpoch && gap.quarantine === quarantine);
    let looked = 0;
    replay(epoch?.seq ?? Number.MAX_SAFE_INTEGER, () => {
      for (let row = recovered.facts[from]; row !== undefined; row = recovered.facts[from + looked]) {
        counts[restoreOne(row)] += 1;
        looked += 1;
        if (ports.monotonic() - began >= SLICE_MS) break;
      }
    });
    return { looked, stateKept: counts.stateKept, uncertain: counts.uncertain };
  });
  return (from) => restoreSlice.immediate(from);
}

/**
 * A delivered or refused fact keeps its state. Every other fact is read back first. An erased fact without a known
 * state is not sent.
 */
function deliveryToKeep(found: RecoveredDelivery | null, row: FactRow, now: number): RecoveredDelivery {
  if (found !== null && ['sent', 'confirmed', 'parked'].includes(found.state)) return found;
  const nothing = {
    attempts: 0,
    wire: null,
    wire_sha256: null,
    since_revision: null,
    action: null,
    revision: null,
  };
  const state = row.payload === null ? 'parked' : 'uncertain';
  return { ...nothing, ...found, state, reason: REASON, changed_at: now };
}

/** How many numbers before and between the recovered ones no source holds. */
function missingIn(facts: readonly FactRow[]): number {
  let missing = 0;
  let last = 0;
  for (const { seq } of facts) {
    missing += seq - Math.max(last, epochOf(seq)) - 1;
    last = seq;
  }
  return missing;
}
