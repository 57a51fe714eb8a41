/**
 * Recovers data from a quarantine folder: sound facts, their delivery states, and the people of the leads. The sources
 * are the journal's pages, its log, its sidecar log and its backups.
 *
 * Invariants:
 * - A fact is accepted only if both its hashes match.
 * - A payload that is erased in any source stays erased.
 * - Of several rows of the outbox for one fact, the one that was written last is used.
 * - Values are read by the names of their columns, in every version of the schema.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FACT_KINDS } from '../../../contract/fact-kinds.ts';
import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import { type Database, isDamage, openReadOnly } from '../../foundations/store/database.ts';
import type { AnyPayload } from '../facts/fact.ts';
import { sha256 } from '../facts/fact.ts';
import { type FactRow, isTrueToItself } from '../facts/fact-rows.ts';
import { JOURNAL_MIGRATIONS } from '../facts/schema.ts';
import { SETTING_KEYS } from '../facts/settings.ts';
import { OUTBOX_STATES, type OutboxState } from '../facts/transitions.ts';
import { copiesIn } from './backup.ts';
import { pageImages, type StoredValue } from './page-images.ts';
import { readSidecarLog } from './sidecar-log.ts';
import { type StoredRow, storedTables } from './stored-rows.ts';

/** A row of the outbox, unverified. */
export type RecoveredDelivery = {
  readonly state: OutboxState;
  readonly attempts: number;
  readonly wire: string | null;
  readonly wire_sha256: string | null;
  readonly since_revision: number | bigint | null;
  readonly action: string | null;
  readonly revision: number | bigint | null;
  readonly reason: string | null;
  readonly changed_at: number;
};

export type RecoveredRows = {
  /** In order of `seq`. */
  readonly facts: readonly FactRow[];
  readonly deliveryOf: (seq: number) => RecoveredDelivery | null;
  /** The visitor data that the old leads held for a fact. */
  readonly visitorOf: (payload: AnyPayload) => VisitorSnapshot | null;
};

/** The tables and columns to recover. */
const LOOKED_FOR = {
  fact: [
    'seq',
    'id',
    'kind',
    'at',
    'mono',
    'boot',
    'clock_offset',
    'touchpoint',
    'partner',
    'reader',
    'source',
    'staff',
    'payload',
    'payload_sha256',
    'previous_hash',
    'hash',
  ],
  outbox: [
    'seq',
    'state',
    'attempts',
    'wire',
    'wire_sha256',
    'since_revision',
    'action',
    'revision',
    'reason',
    'changed_at',
  ],
  lead: ['badge', 'visitor', 'name', 'company', 'job_title', 'place', 'record'],
  setting: ['key', 'value'],
} as const;

type Found<Table extends keyof typeof LOOKED_FOR> = StoredRow<(typeof LOOKED_FOR)[Table][number]>;

/** Ranks per file: more than the frames of any log. */
const RANKS = 1_000_000_000;

/** The files with pages. Later files in the list are trusted more. */
function sourcesIn(folder: string): readonly string[] {
  return [...copiesIn(folder), 'journal.db'];
}

/** Collects the rows. Each `yield` lets other work run. */
export function* recoverRows(folder: string): Generator<void, RecoveredRows> {
  const facts = new Map<string, FactRow>();
  const deliveries = new Map<number, { readonly rank: number; readonly row: RecoveredDelivery }>();
  const people = new Map<
    string,
    { readonly rank: number; readonly badge: string; readonly visitor: VisitorSnapshot }
  >();

  const { fact: factTable, outbox, lead } = storedTables(JOURNAL_MIGRATIONS, LOOKED_FOR);
  const leastColumns = Math.min(factTable.leastColumns, outbox.leastColumns, lead.leastColumns);

  const takeFact = (row: FactRow): void => {
    const known = facts.get(row.id);
    // Most facts occur in many images of the same page. Hashes are computed only for an image that changes the
    // result.
    const better = known === undefined || (known.payload !== null && row.payload === null);
    if (better && isTrueToItself(row)) facts.set(row.id, row);
  };
  for (const [index, source] of sourcesIn(folder).entries()) {
    for (const image of pageImages(join(folder, source), leastColumns)) {
      for (const record of image.records()) {
        const rank = index * RANKS + record.rank;
        const fact = factIn(factTable.rowOf(record));
        if (fact !== null) takeFact(fact);
        const delivery = fact === null ? deliveryIn(outbox.rowOf(record)) : null;
        if (delivery !== null && (deliveries.get(delivery.seq)?.rank ?? -1) <= rank) {
          deliveries.set(delivery.seq, { rank, row: delivery.row });
        }
        const person = personIn(lead.rowOf(record));
        if (person !== null && (people.get(person.visitor.id)?.rank ?? -1) <= rank) {
          people.set(person.visitor.id, { rank, ...person });
        }
      }
      yield;
    }
  }
  for (const row of readSidecarLog(join(folder, 'journal.tail')).facts) takeFact(row);

  const byBadge = new Map([...people.values()].map(({ badge, visitor }) => [badge, visitor]));
  return {
    facts: [...facts.values()].toSorted((one, other) => one.seq - other.seq),
    deliveryOf: (seq) => deliveries.get(seq)?.row ?? null,
    visitorOf: ({ visitor, badge, clash }) => {
      if (clash === true) return null;
      return (visitor === undefined ? byBadge.get(badge ?? '') : people.get(visitor)?.visitor) ?? null;
    },
  };
}

/**
 * The data that a new journal needs at once: the settings, the last number and hash of the old chain, and pending
 * e-mails. E-mails come only from the journal itself, never from a backup: an e-mail that was sent after the backup
 * must not be sent twice, and a lost one can be requested again.
 */
export function recoverSettings(folder: string): {
  readonly settings: ReadonlyMap<string, string>;
  readonly highest: number;
  readonly lastHash: string | null;
  readonly emails: readonly QueuedEmail[];
} {
  const settings = new Map<string, string>();
  let last: { seq: number; hash: string } | null = null;
  let emails: readonly QueuedEmail[] = [];
  for (const source of sourcesIn(folder)) {
    const read = readPlainly(join(folder, source));
    emails = read.emails;
    for (const [key, value] of read.settings) settings.set(key, value);
    if (read.last !== null && read.last.seq > (last?.seq ?? 0)) last = read.last;
  }
  const sidecarLog = readSidecarLog(join(folder, 'journal.tail'));
  for (const [key, value] of sidecarLog.settings) settings.set(key, value);
  for (const fact of sidecarLog.facts) if (fact.seq > (last?.seq ?? 0)) last = fact;
  if (!settings.has('expo'))
    for (const [key, value] of settingsInPages(join(folder, 'journal.db'))) settings.set(key, value);
  return { settings, highest: last?.seq ?? 0, lastHash: last?.hash ?? null, emails };
}

/** A pending confirmation e-mail (`email-queue.ts`) as its row. */
type QueuedEmail = { readonly type: string; readonly visitor: string; readonly asked_at: number };

/** The rows that SQLite itself can still read. */
function readPlainly(path: string): {
  settings: Map<string, string>;
  last: { seq: number; hash: string } | null;
  emails: readonly QueuedEmail[];
} {
  const settings = new Map<string, string>();
  let last: { seq: number; hash: string } | null = null;
  let emails: readonly QueuedEmail[] = [];
  let database: Database | null = null;
  try {
    database = openReadOnly(path);
    const rows =
      database?.prepare<[], { key: string; value: string }>('SELECT key, value FROM setting').all() ?? [];
    for (const { key, value } of rows)
      if (isSettingKey(key) && typeof value === 'string') settings.set(key, value);
    const row = database?.prepare<[], FactRow>('SELECT * FROM fact ORDER BY seq DESC LIMIT 1').get();
    if (row !== undefined && isTrueToItself(row)) last = row;
    const queued =
      database?.prepare<[], QueuedEmail>('SELECT type, visitor, asked_at FROM email').all() ?? [];
    emails = queued.filter(
      ({ type, visitor, asked_at }) =>
        typeof type === 'string' && typeof visitor === 'string' && Number.isSafeInteger(asked_at),
    );
  } catch (error) {
    if (!isDamage(error) && !(error instanceof Error && 'code' in error)) throw error;
  } finally {
    database?.close();
  }
  return { settings, last, emails };
}

function isSettingKey(key: unknown): key is string {
  return SETTING_KEYS.some((known) => known === key);
}

function settingsInPages(path: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  if (!existsSync(path)) return settings;
  const { setting } = storedTables(JOURNAL_MIGRATIONS, { setting: LOOKED_FOR.setting });
  for (const image of pageImages(path, setting.leastColumns)) {
    for (const record of image.records()) {
      const { key, value } = setting.rowOf(record) ?? { key: null, value: null };
      if (isSettingKey(key) && typeof value === 'string') settings.set(key, value);
    }
  }
  return settings;
}

function textOrNull(value: StoredValue): string | null {
  return typeof value === 'string' ? value : null;
}
function numberOrNull(value: StoredValue): number | null {
  return typeof value === 'number' ? value : null;
}
function integerOrNull(value: StoredValue): number | bigint | null {
  return typeof value === 'number' || typeof value === 'bigint' ? value : null;
}

/** The unverified fact in a row of `fact`. Null when the row is not a fact. */
function factIn(row: Found<'fact'> | null): FactRow | null {
  if (row === null) return null;
  const { seq, id, at, mono, boot, payload_sha256, previous_hash, hash } = row;
  const kind = FACT_KINDS.find((known) => known === row.kind);
  if (kind === undefined || typeof seq !== 'number' || typeof id !== 'string') return null;
  if (typeof at !== 'number' || typeof mono !== 'number' || typeof boot !== 'string') return null;
  if (typeof payload_sha256 !== 'string' || typeof previous_hash !== 'string' || typeof hash !== 'string')
    return null;
  const payload = payloadIn(row.payload);
  if (payload === undefined) return null;
  return {
    seq,
    id,
    kind,
    at,
    mono,
    boot,
    clock_offset: numberOrNull(row.clock_offset),
    touchpoint: textOrNull(row.touchpoint),
    partner: textOrNull(row.partner),
    reader: textOrNull(row.reader),
    source: textOrNull(row.source) as FactRow['source'],
    staff: textOrNull(row.staff),
    payload,
    payload_sha256,
    previous_hash,
    hash,
  };
}

/**
 * A stored payload. Null only if it is erased. One damaged bit can turn a text into a BLOB of the same bytes,
 * which is read as that text. Undefined for any other value: a damaged payload never counts as erased.
 */
function payloadIn(value: StoredValue): string | null | undefined {
  if (value === null || typeof value === 'string') return value;
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : undefined;
}

/** The delivery in a row of `outbox`. Null when the row is not a delivery. */
function deliveryIn(
  row: Found<'outbox'> | null,
): { readonly seq: number; readonly row: RecoveredDelivery } | null {
  if (row === null) return null;
  const { seq, changed_at } = row;
  const state = OUTBOX_STATES.find((known) => known === row.state);
  if (state === undefined || typeof seq !== 'number' || typeof changed_at !== 'number') return null;
  const wire = textOrNull(row.wire);
  const sound = wire !== null && sha256(wire) === row.wire_sha256;
  const found: RecoveredDelivery = {
    state,
    attempts: numberOrNull(row.attempts) ?? 0,
    wire: sound ? wire : null,
    wire_sha256: sound ? textOrNull(row.wire_sha256) : null,
    since_revision: integerOrNull(row.since_revision),
    action: textOrNull(row.action),
    revision: integerOrNull(row.revision),
    reason: textOrNull(row.reason),
    changed_at,
  };
  return { seq, row: found };
}

/** The person in a row of `lead`. The row has no checksum. The mirror supplies the person again when it can. */
function personIn(
  row: Found<'lead'> | null,
): { readonly badge: string; readonly visitor: VisitorSnapshot } | null {
  if (row === null) return null;
  const { badge, visitor: id, name, record } = row;
  if (
    typeof badge !== 'string' ||
    typeof id !== 'string' ||
    typeof name !== 'string' ||
    typeof record !== 'string'
  )
    return null;
  if (!isRecordOf(record, id)) return null;
  return {
    badge,
    visitor: {
      id,
      name,
      company: textOrNull(row.company),
      jobTitle: textOrNull(row.job_title),
      place: textOrNull(row.place),
      record,
    },
  };
}

function isRecordOf(record: string, id: string): boolean {
  try {
    const parsed: unknown = JSON.parse(record);
    return typeof parsed === 'object' && parsed !== null && 'id' in parsed && parsed.id === id;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
