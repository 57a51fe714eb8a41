/**
 * The journal: an append-only list of facts.
 *
 * Invariants:
 * - A fact, its outbox row and the lead projection commit in one transaction. docs/laws.md#law-1 relies on this.
 * - `seq` strictly increases and is never reused.
 * - Each fact contains the hash of its predecessor, except at the chain gaps of a recovered journal.
 */

import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import { createChangeMark, type Database } from '../../foundations/store/database.ts';
import { createDeadLetters, type DeadLetters } from './dead-letters.ts';
import { createEmailQueue, type EmailQueue } from './email-queue.ts';
import { createErasure } from './erasure.ts';
import { type Fact, type FactContent, type FactEnvelope, factHash, isSound, sha256 } from './fact.ts';
import { createChainEnd, createFactWriter, type FactRow, factOfRow, rowOfFact } from './fact-rows.ts';
import type { LeadChange } from './lead-projection.ts';
import { createLeadSources, type LeadSources } from './lead-sources.ts';
import { createLeads, type Leads } from './leads.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createRefusedCodes, type RefusedCodes } from './refused-codes.ts';
import { createReplies, type Replies } from './replies.ts';
import { createSettings, type Settings } from './settings.ts';
import type { Stamper } from './stamp.ts';

/** A fact before it is recorded. */
export type FactDraft = Omit<FactEnvelope, 'id' | 'at' | 'mono' | 'boot' | 'kind'> & FactContent;

/** A committed fact and its effect on its lead. */
export type Recorded = { readonly fact: Fact; readonly lead: LeadChange };

export type Journal = {
  /**
   * Records a fact durably. When this returns, the fact is on disk.
   * @param visitor what the mirror returned for the visitor, stored with the lead; null for an unknown badge
   * @throws SqliteError when the write fails; then nothing is stored
   */
  readonly record: (draft: FactDraft, visitor: VisitorSnapshot | null) => Recorded;
  /** Records several facts of one visitor in this order, all or none. Otherwise like `record`. */
  readonly recordAll: (drafts: readonly FactDraft[], visitor: VisitorSnapshot | null) => readonly Recorded[];
  /** The fact with this id, or null. */
  readonly fact: (id: string) => Fact | null;
  /** Facts of this device whose wall time is `at` (Unix milliseconds) or later: oldest first, only the latest 500. */
  readonly since: (at: number) => readonly Fact[];
  /** Id of the latest fact, or null. */
  readonly lastId: () => string | null;
  /** The fact with this id if its checksums hold and its payload is not erased. Null otherwise. */
  readonly soundFact: (id: string) => Fact | null;
  /** Erases a visitor and keeps the hashes. Returns how many facts lost their payload. */
  readonly erase: (visitor: string) => number;
  /** When the latest fact was recorded, in Unix milliseconds. Null without facts. */
  readonly lastFactAt: () => number | null;
  /** When this device recorded its latest own fact, and its latest own tap. Facts from elsewhere do not count. */
  readonly lastOwnFactAt: () => number | null;
  readonly lastTapAt: () => number | null;
  /**
   * Erases leads and everything attached to them, and keeps the hashes. Returns the ids of their facts. `together`
   * runs in the same transaction.
   */
  readonly eraseLeads: (
    ids: readonly string[],
    together?: (facts: readonly string[]) => void,
  ) => readonly string[];
  /** Hash of the last fact. Empty without facts. */
  readonly chainHead: () => string;
  /** Id of this run of the app, as its facts carry it. */
  readonly boot: string;
  readonly leads: Leads;
  readonly leadSources: LeadSources;
  readonly outbox: Outbox;
  readonly deadLetters: DeadLetters;
  readonly replies: Replies;
  readonly emails: EmailQueue;
  readonly refusedCodes: RefusedCodes;
  readonly settings: Settings;
  /** A token that differs after every change to the journal. */
  readonly mark: () => string;
  readonly close: () => void;
};

/** The journal in an open database that has the journal's schema. */
export function createJournal(database: Database, stamper: Stamper): Journal {
  const leads = createLeads(database);
  const outbox = createOutbox(database);
  const erasure = createErasure(database);
  const lastFact = database.prepare<[], Pick<FactRow, 'id' | 'hash'>>(
    'SELECT id, hash FROM fact ORDER BY seq DESC LIMIT 1',
  );
  const latestFacts = database.prepare<[], FactRow>(
    'SELECT * FROM fact WHERE seq NOT IN (SELECT seq FROM imported) ORDER BY seq DESC LIMIT 500',
  );
  const factById = database.prepare<[string], FactRow>('SELECT * FROM fact WHERE id = ?');
  const writeFact = createFactWriter(database);
  const chainEnd = createChainEnd(database);

  const recordInOneTransaction = database.transaction(
    (draft: FactDraft, visitor: VisitorSnapshot | null): Recorded => {
      const { seq, previousHash } = chainEnd();
      const { payload, ...place } = draft;
      const stamp = stamper.stamp();
      const envelope: FactEnvelope = { ...place, ...stamp };
      const payloadText = JSON.stringify(payload);
      const payloadSha256 = sha256(payloadText);
      const hash = factHash(previousHash, seq, envelope, payloadSha256);
      const fact: Fact = { ...draft, ...stamp, seq, payloadSha256, previousHash, hash };
      writeFact(rowOfFact(fact, payloadText));
      outbox.enqueue(seq, envelope.at);
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
    since: (at) => {
      const facts: Fact[] = [];
      for (const row of latestFacts.iterate()) {
        if (row.at < at) break;
        facts.push(factOfRow(row));
      }
      return facts.toReversed();
    },
    lastId: () => lastFact.get()?.id ?? null,
    soundFact: (id) => {
      const row = factById.get(id);
      if (row === undefined || row.payload === null) return null;
      const fact = factOfRow(row);
      return isSound(fact, row.payload) ? fact : null;
    },
    ...createLatest(database),
    erase: (visitor) => erasure.ofVisitor(visitor, stamper.stamp().at),
    eraseLeads: (ids, together) => erasure.ofLeads(ids, stamper.stamp().at, together),
    boot: stamper.boot,
    leads,
    leadSources: createLeadSources(database),
    chainHead: () => lastFact.get()?.hash ?? '',
    outbox,
    deadLetters: createDeadLetters(database),
    replies: createReplies(database),
    emails: createEmailQueue(database),
    refusedCodes: createRefusedCodes(database),
    settings: createSettings(database),
    mark: createChangeMark(database),
    close: () => database.close(),
  };
}

/** When the latest fact was recorded: of all facts, and of the facts of this device. */
function createLatest(database: Database): Pick<Journal, 'lastFactAt' | 'lastOwnFactAt' | 'lastTapAt'> {
  const latest = (where: string): (() => number | null) => {
    const last = database.prepare<[], Pick<FactRow, 'at'>>(
      `SELECT at FROM fact WHERE ${where} ORDER BY seq DESC LIMIT 1`,
    );
    return () => last.get()?.at ?? null;
  };
  const isOwn = 'seq NOT IN (SELECT seq FROM imported)';
  return {
    lastFactAt: latest('true'),
    lastOwnFactAt: latest(isOwn),
    lastTapAt: latest(`kind = 'tap' AND ${isOwn}`),
  };
}
