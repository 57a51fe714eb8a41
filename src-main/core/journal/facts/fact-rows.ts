/**
 * Facts as database rows, and the one statement that writes them.
 *
 * Invariants:
 * - Only this module inserts rows: new facts of this device, and recovered or imported facts bit for bit.
 * - A recovered row is trusted only when its checksums match.
 */
import type { Database } from '../../foundations/store/database.ts';
import { readChainGaps } from './chain-gaps.ts';
import { CHAIN_START, type Fact, type FactKind, isSound } from './fact.ts';

/** A row of `fact` as SQLite gives it. */
export type FactRow = {
  readonly seq: number;
  readonly id: string;
  readonly kind: FactKind;
  readonly at: number;
  readonly mono: number;
  readonly boot: string;
  readonly clock_offset: number | null;
  readonly touchpoint: string | null;
  readonly partner: string | null;
  readonly reader: string | null;
  readonly source: Fact['source'];
  readonly staff: string | null;
  readonly payload: string | null;
  readonly payload_sha256: string;
  readonly previous_hash: string;
  readonly hash: string;
};

/** The fact in a row. The checksum proves that the payload was recorded under this kind. */
export function factOfRow(row: FactRow): Fact {
  const fact = {
    seq: row.seq,
    id: row.id,
    kind: row.kind,
    at: row.at,
    mono: row.mono,
    boot: row.boot,
    clockOffset: row.clock_offset,
    touchpoint: row.touchpoint,
    partner: row.partner,
    reader: row.reader,
    source: row.source,
    staff: row.staff,
    payload: row.payload === null ? null : (JSON.parse(row.payload) as unknown),
    payloadSha256: row.payload_sha256,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
  return fact as Fact;
}

/**
 * The row of a fact. `payloadText` is for a caller that has already serialised the payload. Without it the row keeps
 * the original text only if `JSON.stringify` wrote it, which is true for our own facts.
 */
export function rowOfFact(
  fact: Fact,
  payloadText: string | null = fact.payload === null ? null : JSON.stringify(fact.payload),
): FactRow {
  return {
    seq: fact.seq,
    id: fact.id,
    kind: fact.kind,
    at: fact.at,
    mono: fact.mono,
    boot: fact.boot,
    clock_offset: fact.clockOffset,
    touchpoint: fact.touchpoint,
    partner: fact.partner,
    reader: fact.reader,
    source: fact.source,
    staff: fact.staff,
    payload: payloadText,
    payload_sha256: fact.payloadSha256,
    previous_hash: fact.previousHash,
    hash: fact.hash,
  };
}

/** Whether the row's checksums match, which proves that it has not changed since it was recorded. */
export function isTrueToItself(row: FactRow): boolean {
  return isSound(factOfRow({ ...row, payload: null }), row.payload);
}

/** Writes rows unchanged. Call it only inside a transaction that also writes the outbox row. */
export function createFactWriter(database: Database): (row: FactRow) => void {
  const insert = database.prepare(`
    INSERT INTO fact (seq, id, kind, at, mono, boot, clock_offset, touchpoint, partner, reader, source, staff,
      payload, payload_sha256, previous_hash, hash)
    VALUES (@seq, @id, @kind, @at, @mono, @boot, @clock_offset, @touchpoint, @partner, @reader, @source, @staff,
      @payload, @payload_sha256, @previous_hash, @hash)`);
  return (row) => void insert.run(row);
}

/** Number of the next fact, and the hash of its predecessor. */
type ChainEnd = { readonly seq: number; readonly previousHash: string };

/**
 * The end of the chain in the journal's database. Call it only inside the transaction that writes the next fact, so
 * that two connections never assign the same number.
 */
export function createChainEnd(database: Database): () => ChainEnd {
  const lastFact = database.prepare<[], Pick<FactRow, 'seq' | 'hash'>>(
    'SELECT seq, hash FROM fact ORDER BY seq DESC LIMIT 1',
  );
  const epoch = readChainGaps(database).findLast((gap) => gap.opensEpoch);
  return () => {
    const last = lastFact.get();
    const opensEpoch = epoch !== undefined && (last?.seq ?? 0) < epoch.seq;
    return opensEpoch
      ? { seq: epoch.seq, previousHash: epoch.previousHash }
      : { seq: (last?.seq ?? 0) + 1, previousHash: last?.hash ?? CHAIN_START };
  };
}
