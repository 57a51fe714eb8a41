/**
 * What a quarantine folder still tells: facts that are true to themselves, where they were on their way, and the
 * people of the leads, gathered from the journal's pages, its log, its sidecar log and its backups.
 *
 * Invariants: a fact counts only if both its hashes hold; a payload that was erased in any place stays erased; of
 * several rows of the outbox the one written last counts.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyPayload } from '../journal/fact.ts';
import { FACT_KINDS, sha256 } from '../journal/fact.ts';
import { type FactRow, isTrueToItself } from '../journal/fact-rows.ts';
import type { VisitorSnapshot } from '../journal/leads.ts';
import { OUTBOX_STATES, type OutboxState } from '../journal/outbox.ts';
import { SETTING_KEYS } from '../journal/settings.ts';
import { type Database, isDamage, openReadOnly } from '../store/database.ts';
import { copiesIn } from './backup.ts';
import { pageImages, type StoredRecord, type StoredValue } from './page-images.ts';
import { readSidecarLog } from './sidecar-log.ts';

/** A row of the outbox as it was found. */
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
  /** What the old leads knew of a fact's visitor. */
  readonly visitorOf: (payload: AnyPayload) => VisitorSnapshot | null;
};

/** The outbox has the fewest columns of what is looked for. */
const LEAST_COLUMNS = 10;
/** More than any log has frames. */
const RANKS = 1_000_000_000;

/** Files with pages, the most trusted last. */
function sourcesIn(folder: string): readonly string[] {
  return [...copiesIn(folder), 'journal.db'];
}

/** Gathers; each `yield` is a good moment to let others work. */
export function* recoverRows(folder: string): Generator<void, RecoveredRows> {
  const facts = new Map<string, FactRow>();
  const deliveries = new Map<number, { readonly rank: number; readonly row: RecoveredDelivery }>();
  const people = new Map<
    string,
    { readonly rank: number; readonly badge: string; readonly visitor: VisitorSnapshot }
  >();

  const takeFact = (row: FactRow): void => {
    const known = facts.get(row.id);
    // Most facts stand in many images of their page; only what would change something is worth two hashes.
    const better = known === undefined || (known.payload !== null && row.payload === null);
    if (better && isTrueToItself(row)) facts.set(row.id, row);
  };
  for (const [index, source] of sourcesIn(folder).entries()) {
    for (const image of pageImages(join(folder, source), LEAST_COLUMNS)) {
      for (const record of image.records()) {
        const rank = index * RANKS + record.rank;
        const fact = factIn(record);
        if (fact !== null) takeFact(fact);
        const delivery = fact === null ? deliveryIn(record) : null;
        if (delivery !== null && (deliveries.get(delivery.seq)?.rank ?? -1) <= rank) {
          deliveries.set(delivery.seq, { rank, row: delivery.row });
        }
        const person = personIn(record);
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
 * What a new journal must know at once: the settings, how far the old numbers and the old chain went, and e-mails that
 * wait. Those are taken from what SQLite itself can read, and from no backup: one that went out meanwhile must not go
 * out again, while one that is lost can be asked for again.
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

/** A confirmation e-mail that waits (`email-queue.ts`), as its row has it. */
type QueuedEmail = { readonly type: string; readonly visitor: string; readonly asked_at: number };

/** What SQLite itself can still read. */
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
  for (const image of pageImages(path, 2)) {
    for (const { rowid, values } of image.records()) {
      const [key, value] = values;
      if (rowid === null && values.length === 2 && isSettingKey(key) && typeof value === 'string')
        settings.set(key, value);
    }
  }
  return settings;
}

function textOrNull(value: StoredValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
function numberOrNull(value: StoredValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
function integerOrNull(value: StoredValue | undefined): number | bigint | null {
  return typeof value === 'number' || typeof value === 'bigint' ? value : null;
}

/** The fact in a record of the `fact` table, in the order of its columns, still to be proved; null when it is none. */
function factIn({ rowid, values }: StoredRecord): FactRow | null {
  if (rowid === null || values.length < 16) return null;
  const [
    ,
    id,
    kind,
    at,
    mono,
    boot,
    clock,
    touchpoint,
    partner,
    reader,
    source,
    staff,
    payload,
    sum,
    before,
    hash,
  ] = values;
  if (
    typeof id !== 'string' ||
    typeof boot !== 'string' ||
    typeof at !== 'number' ||
    typeof mono !== 'number'
  )
    return null;
  if (typeof sum !== 'string' || typeof before !== 'string' || typeof hash !== 'string') return null;
  const known = FACT_KINDS.find((name) => name === kind);
  if (known === undefined) return null;
  const row: FactRow = {
    seq: rowid,
    id,
    kind: known,
    at,
    mono,
    boot,
    clock_offset: numberOrNull(clock),
    touchpoint: textOrNull(touchpoint),
    partner: textOrNull(partner),
    reader: textOrNull(reader),
    source: textOrNull(source) as FactRow['source'],
    staff: textOrNull(staff),
    payload: textOrNull(payload),
    payload_sha256: sum,
    previous_hash: before,
    hash,
  };
  return row;
}

function deliveryIn({
  rowid,
  values,
}: StoredRecord): { readonly seq: number; readonly row: RecoveredDelivery } | null {
  if (rowid === null || values.length < 10 || values[0] !== null) return null;
  const state = OUTBOX_STATES.find((known) => known === values[1]);
  const changed = values[9];
  if (state === undefined || typeof changed !== 'number') return null;
  const wire = textOrNull(values[3]);
  const sound = wire !== null && sha256(wire) === values[4];
  const row: RecoveredDelivery = {
    state,
    attempts: numberOrNull(values[2]) ?? 0,
    wire: sound ? wire : null,
    wire_sha256: sound ? textOrNull(values[4]) : null,
    since_revision: integerOrNull(values[5]),
    action: textOrNull(values[6]),
    revision: integerOrNull(values[7]),
    reason: textOrNull(values[8]),
    changed_at: changed,
  };
  return { seq: rowid, row };
}

/** The person in a record of the `lead` table. It has no checksum; the mirror says it anew when it can. */
function personIn({
  rowid,
  values,
}: StoredRecord): { readonly badge: string; readonly visitor: VisitorSnapshot } | null {
  if (rowid !== null || values.length < 13) return null;
  const [, badge, id, , , , , name, company, jobTitle, place, , record] = values;
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
      company: textOrNull(company),
      jobTitle: textOrNull(jobTitle),
      place: textOrNull(place),
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
