/**
 * Checks whether a journal can be trusted: before it is opened for writing, and as a whole while it runs. The check
 * at start is short. It covers the file header, the schema of its version, SQLite's own check, the sidecar log, the
 * last facts, and one outbox row and one lead per fact. A walk over every fact follows in slices. It finds changed
 * content; SQLite's check finds less than half of it.
 *
 * Invariants:
 * - Reads only.
 * - A temporary fault (busy, full, no permission) is never reported as damage.
 * - Results contain no content of facts.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import {
  type Database,
  hasSchema,
  isDamage,
  openReadOnly,
  storageFault,
} from '../../foundations/store/database.ts';
import { schemaVersion, versionIsSound } from '../../foundations/store/migrations.ts';
import { readChainGaps } from '../facts/chain-gaps.ts';
import { CHAIN_START, sha256 } from '../facts/fact.ts';
import { type FactRow, isTrueToItself } from '../facts/fact-rows.ts';
import { JOURNAL_MIGRATIONS } from '../facts/schema.ts';
import type { SidecarLogContent } from './sidecar-log.ts';

/** Above this size SQLite's full check would slow down the start too much. The quick check remains. */
const FULL_CHECK_BYTES = 64 * 1024 * 1024;
const LAST_FACTS = 500;
const SLICE = 100;

/** The damage of the journal at `path`, without content of facts. Null if no damage was found. */
export function findDamage(path: string, sidecarLog: SidecarLogContent): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const headerFault = size === 0 ? null : faultOfHeader(path);
  if (headerFault !== null) return headerFault;
  let database: Database | null = null;
  try {
    database = size === 0 ? null : openReadOnly(path);
    if (database === null) return sidecarLog.facts.length === 0 ? null : 'facts are missing';
    return faultOfDatabase(database, size, sidecarLog);
  } catch (error) {
    if (isDamage(error)) return 'SQLite cannot read it';
    // The schema was verified above, so only damage can make one of our statements fail.
    if (storageFault(error) === 'failing' && isPlainSqliteError(error)) return 'SQLite cannot read it';
    return null;
  } finally {
    database?.close();
  }
}

function isPlainSqliteError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_ERROR';
}

/**
 * Checks the read and write version in the header (bytes 18 and 19). If they differ or are not 1 or 2, the header was
 * damaged, and SQLite refuses the file or opens it read-only.
 */
function faultOfHeader(path: string): string | null {
  const header = Buffer.alloc(20);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  const versions = [header[18], header[19]];
  return versions[0] === versions[1] && (versions[0] === 1 || versions[0] === 2)
    ? null
    : 'the header of the file is damaged';
}

function faultOfDatabase(database: Database, size: number, sidecarLog: SidecarLogContent): string | null {
  const version = schemaVersion(database);
  if (!versionIsSound(database)) return 'the header of the file is damaged';
  const known = JOURNAL_MIGRATIONS.at(-1)?.version ?? 0;
  // Opening the file refuses a newer version. This check does not judge it.
  if (version > known) return null;
  const checked = String(
    database.pragma(size > FULL_CHECK_BYTES ? 'quick_check(1)' : 'integrity_check(1)', { simple: true }),
  );
  if (checked !== 'ok') return 'SQLite finds its pages inconsistent';
  if (!hasSchema(database, JOURNAL_MIGRATIONS, version)) return 'the schema was changed';
  if (version < known) return version === 0 && sidecarLog.facts.length > 0 ? 'facts are missing' : null;
  return faultAgainstSidecarLog(database, sidecarLog) ?? faultOfPairs(database) ?? faultOfLastFacts(database);
}

function faultAgainstSidecarLog(database: Database, sidecarLog: SidecarLogContent): string | null {
  const hashOf = database.prepare<[number], { hash: string }>('SELECT hash FROM fact WHERE seq = ?');
  return sidecarLog.facts.every((fact) => hashOf.get(fact.seq)?.hash === fact.hash)
    ? null
    : 'facts are missing';
}

function faultOfPairs(database: Database): string | null {
  for (const [left, right] of [
    ['fact', 'outbox'],
    ['outbox', 'fact'],
    ['fact', 'lead_fact'],
    ['lead_fact', 'fact'],
  ]) {
    const alone = database
      .prepare(
        `SELECT 1 FROM ${left} WHERE NOT EXISTS (SELECT 1 FROM ${right} WHERE ${right}.seq = ${left}.seq) LIMIT 1`,
      )
      .get();
    if (alone !== undefined) return `a row of ${left} has no row of ${right}`;
  }
  const stray = database
    .prepare(
      'SELECT 1 FROM lead_fact WHERE NOT EXISTS (SELECT 1 FROM lead WHERE lead.id = lead_fact.lead) LIMIT 1',
    )
    .get();
  return stray === undefined ? null : 'a fact belongs to no lead';
}

function faultOfLastFacts(database: Database): string | null {
  const from = database
    .prepare<[number], { seq: number }>('SELECT seq FROM fact ORDER BY seq DESC LIMIT 1 OFFSET ?')
    .get(LAST_FACTS)?.seq;
  const walk = createFactWalk(database, from ?? 0);
  for (;;) {
    const step = walk();
    if (step.kind !== 'more') return step.kind === 'fault' ? step.why : null;
  }
}

/** Result of one slice of the walk. */
type WalkStep =
  | { readonly kind: 'more' }
  | { readonly kind: 'end'; readonly facts: number }
  | { readonly kind: 'fault'; readonly why: string };

type WalkedRow = FactRow & { readonly wire: string | null; readonly wire_sha256: string | null };

/** A walk over the facts after `from` and their outbox rows, one slice per call (about 2 ms). */
export function createFactWalk(database: Database, from = 0): () => WalkStep {
  const slice = database.prepare<[number], WalkedRow>(
    `SELECT fact.*, outbox.wire, outbox.wire_sha256 FROM fact JOIN outbox USING (seq)
     WHERE seq > ? ORDER BY seq LIMIT ${SLICE}`,
  );
  let previous: { readonly seq: number; readonly hash: string } | undefined = database
    .prepare<[number], { seq: number; hash: string }>(
      'SELECT seq, hash FROM fact WHERE seq <= ? ORDER BY seq DESC LIMIT 1',
    )
    .get(from);
  let facts = 0;
  return () => {
    const rows = slice.all(previous?.seq ?? 0);
    const gaps = new Map(
      rows.length === 0 ? [] : readChainGaps(database).map((gap) => [gap.seq, gap.previousHash]),
    );
    for (const row of rows) {
      const follows =
        row.seq === (previous?.seq ?? 0) + 1 && row.previous_hash === (previous?.hash ?? CHAIN_START);
      if (!follows && gaps.get(row.seq) !== row.previous_hash)
        return { kind: 'fault', why: 'the chain is broken' };
      if (!isTrueToItself(row)) return { kind: 'fault', why: 'a fact was changed' };
      if (row.wire !== null && sha256(row.wire) !== row.wire_sha256)
        return { kind: 'fault', why: 'an item was changed' };
      previous = row;
      facts += 1;
    }
    return rows.length < SLICE ? { kind: 'end', facts } : { kind: 'more' };
  };
}

/** Runs one step of a walk. Damage that SQLite reports is a fault of the walk. */
export function attempt(next: () => WalkStep): WalkStep {
  try {
    return next();
  } catch (error) {
    if (isDamage(error)) return { kind: 'fault', why: 'SQLite cannot read it' };
    throw error;
  }
}
