/**
 * The journal: an append-only list of facts. The heart of the product.
 *
 * Invariants: a fact, its outbox row and the lead projection commit in one transaction (law 1 rests on this call
 * returning); `seq` strictly increases without reuse; each fact carries the hash of its predecessor, but for the
 * seams that a damaged and salvaged journal is told to have.
 */

import { type Database, openDatabase } from '../store/database.ts';
import { type ChainGap, readChainGaps } from './chain-gaps.ts';
import { createDeadLetters, type DeadLetters } from './dead-letters.ts';
import { createEmailQueue, type EmailQueue } from './email-queue.ts';
import { createErasure } from './erasure.ts';
import {
  CHAIN_START,
  type Fact,
  type FactContent,
  type FactEnvelope,
  type FactKind,
  factHash,
  isSound,
  sha256,
} from './fact.ts';
import { createLeads, type LeadChange, type Leads, type VisitorSnapshot } from './leads.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createReplies, type Replies } from './replies.ts';
import { JOURNAL_MIGRATIONS } from './schema.ts';
import { createSettings, type Settings } from './settings.ts';
import type { Stamper } from './stamp.ts';

/** What is about to become a fact. */
export type FactDraft = Omit<FactEnvelope, 'id' | 'at' | 'mono' | 'boot' | 'kind'> & FactContent;

/** A committed fact and what it did to its lead. */
export type Recorded = { readonly fact: Fact; readonly lead: LeadChange };

/** Result of walking the chain. `brokenAt` is the first `seq` that does not fit. */
export type ChainCheck = { readonly facts: number; readonly brokenAt: number | null };

export type Journal = {
  /**
   * Records a fact for good. When this returns, it is on disk.
   *
   * @param visitor what the mirror knew of the visitor, kept with the lead; null for an unknown badge
   * @throws SqliteError when the disk refuses; then nothing of it is there
   */
  readonly record: (draft: FactDraft, visitor: VisitorSnapshot | null) => Recorded;
  /** Records several facts of one visitor, in this order, all or none; otherwise as `record`. */
  readonly recordAll: (drafts: readonly FactDraft[], visitor: VisitorSnapshot | null) => readonly Recorded[];
  /** The fact of an id, or null. */
  readonly fact: (id: string) => Fact | null;
  /** The fact of an id if it is as it was recorded and still has its payload; null otherwise. */
  readonly soundFact: (id: string) => Fact | null;
  /** Erases what it holds of a visitor, hashes stay; returns how many facts lost their payload. */
  readonly erase: (visitor: string) => number;
  /** Walks the whole chain. */
  readonly verify: () => ChainCheck;
  /** Id of this run of the app, as its facts carry it. */
  readonly boot: string;
  readonly leads: Leads;
  readonly outbox: Outbox;
  readonly deadLetters: DeadLetters;
  readonly replies: Replies;
  readonly emails: EmailQueue;
  readonly settings: Settings;
  readonly close: () => void;
};

/** Opens (or makes) the journal at `path`. @throws StartRefusal as `openDatabase` does */
export function openJournal(path: string, stamper: Stamper): Journal {
  return createJournal(openDatabase(path, { durability: 'full', migrations: JOURNAL_MIGRATIONS }), stamper);
}

/** The journal over an open database that carries the journal's schema. */
export function createJournal(database: Database, stamper: Stamper): Journal {
  const leads = createLeads(database);
  const outbox = createOutbox(database);
  const erase = createErasure(database);
  const lastFact = database.prepare<[], Pick<FactRow, 'seq' | 'hash'>>(
    'SELECT seq, hash FROM fact ORDER BY seq DESC LIMIT 1',
  );
  const factById = database.prepare<[string], FactRow>('SELECT * FROM fact WHERE id = ?');
  const everyFact = database.prepare<[], FactRow>('SELECT * FROM fact ORDER BY seq');
  const insertFact = database.prepare(INSERT_FACT);
  const book = readChainGaps(database).findLast((seam) => seam.opensEpoch);

  const recordInOneTransaction = database.transaction(
    (draft: FactDraft, visitor: VisitorSnapshot | null): Recorded => {
      const last = lastFact.get();
      const opensEpoch = book !== undefined && (last?.seq ?? 0) < book.seq;
      const seq = opensEpoch ? book.seq : (last?.seq ?? 0) + 1;
      const { payload, ...place } = draft;
      const stamp = stamper.stamp();
      const envelope: FactEnvelope = { ...place, ...stamp };
      const payloadText = JSON.stringify(payload);
      const payloadSha256 = sha256(payloadText);
      const previousHash = opensEpoch ? book.previousHash : (last?.hash ?? CHAIN_START);
      const hash = factHash(previousHash, seq, envelope, payloadSha256);
      insertFact.run({ ...envelope, seq, payload: payloadText, payloadSha256, previousHash, hash });
      outbox.enqueue(seq, envelope.at);
      const fact: Fact = { ...draft, ...stamp, seq, payloadSha256, previousHash, hash };
      return { fact, lead: leads.project(fact, visitor) };
    },
  );

  const recordTogether = database.transaction(
    (drafts: readonly FactDraft[], visitor: VisitorSnapshot | null): readonly Recorded[] =>
      drafts.map((draft) => recordInOneTransaction(draft, visitor)),
  );

  return {
    record: (draft, visitor) => recordInOneTransaction.immediate(draft, visitor),
    recordAll: (drafts, visitor) => recordTogether.immediate(drafts, visitor),
    fact: (id) => {
      const row = factById.get(id);
      return row === undefined ? null : factOfRow(row);
    },
    soundFact: (id) => {
      const row = factById.get(id);
      if (row === undefined || row.payload === null) return null;
      const fact = factOfRow(row);
      return isSound(fact, row.payload) ? fact : null;
    },
    erase: (visitor) => erase(visitor, stamper.stamp().at),
    verify: () => verifyChain(everyFact.iterate(), readChainGaps(database)),
    boot: stamper.boot,
    leads,
    outbox,
    deadLetters: createDeadLetters(database),
    replies: createReplies(database),
    emails: createEmailQueue(database),
    settings: createSettings(database),
    close: () => database.close(),
  };
}

const INSERT_FACT = `
  INSERT INTO fact (seq, id, kind, at, mono, boot, clock_offset, touchpoint, partner, reader, source, staff,
    payload, payload_sha256, previous_hash, hash)
  VALUES (@seq, @id, @kind, @at, @mono, @boot, @clockOffset, @touchpoint, @partner, @reader, @source, @staff,
    @payload, @payloadSha256, @previousHash, @hash)`;

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

/** A row as a fact. What was recorded under a kind is a payload of that kind: that is what its checksum says. */
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

/** A fact as the row it stands in. `payload` keeps its text only if it was written by `JSON.stringify`, as ours are. */
export function rowOfFact(fact: Fact): FactRow {
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
    payload: fact.payload === null ? null : JSON.stringify(fact.payload),
    payload_sha256: fact.payloadSha256,
    previous_hash: fact.previousHash,
    hash: fact.hash,
  };
}

/** Whether a row is what its own checksums say: nothing of it has changed since it was recorded. */
export function isTrueToItself(row: FactRow): boolean {
  return isSound(factOfRow({ ...row, payload: null }), row.payload);
}

/** Walks rows in order of `seq`; an erased payload is no break and neither is a seam, a changed row is. */
export function verifyChain(rows: Iterable<FactRow>, seams: readonly ChainGap[] = []): ChainCheck {
  const begins = new Map(seams.map((seam) => [seam.seq, seam.previousHash]));
  let previous = { seq: 0, hash: CHAIN_START };
  let facts = 0;
  for (const row of rows) {
    const follows = row.seq === previous.seq + 1 && row.previous_hash === previous.hash;
    if (!(follows || begins.get(row.seq) === row.previous_hash) || !isTrueToItself(row)) {
      return { facts, brokenAt: row.seq };
    }
    previous = row;
    facts += 1;
  }
  return { facts, brokenAt: null };
}
