/**
 * `destinations.db`: the destinations, and the state of every lead at each of them.
 *
 * Invariants:
 * - It holds no value of a lead and no token: values are stored as hashes, which are enough to detect a change.
 * - It may be lost: the page asks staff to connect again, and every lead is looked up there before a write.
 * - Each version of a lead is one row of `push`. The states and their transitions are those of the outbox
 *   (`TRANSITIONS` in `core/journal/facts/transitions.ts`).
 * - The state of a lead is that of its latest row, the only one that is not `superseded`.
 * - A row of `push` is deleted only with its destination, or when its lead is erased.
 * - After a destination was removed, only the ids of the leads that were sent there stay: a later erasure of a person
 *   names the destination.
 * - It is a separate file, so that its writes do not use the journal's lock or syncs, for which taps wait.
 */
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import type { DestinationSettings } from '../../../contract/destinations.ts';
import { type Database, isUnreadable, openDatabase } from '../../foundations/store/database.ts';
import type { Migration } from '../../foundations/store/migrations.ts';
import {
  type OutboxEvent,
  type OutboxState,
  TRANSITIONS,
  type Transition,
} from '../../journal/facts/transitions.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    version: 10,
    name: 'destinations',
    sql: `
      CREATE TABLE destination (
        id TEXT PRIMARY KEY,
        partner TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        address TEXT NOT NULL,
        settings TEXT NOT NULL,
        read_seq INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE record (
        destination TEXT NOT NULL REFERENCES destination(id) ON DELETE CASCADE,
        lead TEXT NOT NULL,
        external_id TEXT NOT NULL,
        remote_id TEXT,
        made_here INTEGER NOT NULL DEFAULT 0,
        was_there INTEGER NOT NULL DEFAULT 0,
        wrote TEXT NOT NULL DEFAULT '{}',
        conflicts TEXT NOT NULL DEFAULT '[]',
        decided TEXT NOT NULL DEFAULT '{}',
        PRIMARY KEY (destination, lead),
        UNIQUE (destination, remote_id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE push (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        destination TEXT NOT NULL REFERENCES destination(id) ON DELETE CASCADE,
        lead TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('due','in_flight','uncertain','sent','confirmed','parked')),
        attempts INTEGER NOT NULL DEFAULT 0,
        reason TEXT,
        why TEXT,
        sending TEXT NOT NULL DEFAULT '{}',
        looked_at INTEGER NOT NULL DEFAULT 0,
        changed_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX push_by_state ON push(destination, state, seq);
      CREATE INDEX push_by_lead ON push(lead, destination, seq);

      CREATE TABLE erasure (
        id INTEGER PRIMARY KEY,
        destination TEXT NOT NULL,
        name TEXT NOT NULL,
        protocol TEXT NOT NULL,
        external_id TEXT NOT NULL,
        remote_id TEXT,
        state TEXT NOT NULL CHECK (state IN ('due','asked','gone','left')),
        at INTEGER NOT NULL
      ) STRICT;
    `,
  },
  {
    version: 11,
    name: 'leads-named-later',
    sql: 'ALTER TABLE destination ADD COLUMN read_number INTEGER NOT NULL DEFAULT 0;',
  },
  {
    version: 12,
    name: 'destinations-at-the-hub',
    sql: 'ALTER TABLE destination ADD COLUMN hub_id TEXT;',
  },
  {
    version: 13,
    name: 'delivery-ids',
    sql: "ALTER TABLE record ADD COLUMN delivery TEXT NOT NULL DEFAULT '';",
  },
  {
    version: 14,
    name: 'losses',
    sql: 'CREATE TABLE loss (at INTEGER NOT NULL) STRICT;',
  },
  {
    version: 15,
    name: 'leads-at-removed-destinations',
    sql: `
      CREATE TABLE left_there (
        destination TEXT NOT NULL,
        name TEXT NOT NULL,
        lead TEXT NOT NULL,
        PRIMARY KEY (destination, lead)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: 16,
    name: 'leads-in-turn',
    sql: `
      CREATE INDEX push_in_turn ON push(destination, state, attempts, seq);
      DROP INDEX push_by_state;
      CREATE INDEX record_in_conflict ON record(destination) WHERE conflicts <> '[]';
    `,
  },
  {
    version: 17,
    name: 'latest-versions',
    sql: `
      ALTER TABLE push ADD COLUMN superseded INTEGER NOT NULL DEFAULT 0;
      UPDATE push SET superseded = 1 WHERE seq NOT IN (SELECT max(seq) FROM push GROUP BY destination, lead);
      CREATE INDEX push_latest ON push(destination, state, reason) WHERE superseded = 0;
    `,
  },
];

/** Whether a record's lead was sent, or may have been. */
const MAY_BE_THERE = `EXISTS (SELECT 1 FROM push WHERE push.destination = record.destination
  AND push.lead = record.lead AND (attempts > 0 OR state NOT IN ('due', 'parked')))`;

/** A field that is being written: hashes of our value and of the previous value there. */
export type Sending = Readonly<Record<string, { readonly want: string; readonly before: string }>>;
/**
 * The last write: hashes of our value and of the value seen there since. `tried`: later values that may have arrived.
 * `want` and `seen` are null until a value was seen there.
 */
export type Wrote = Readonly<
  Record<
    string,
    { readonly want: string | null; readonly seen: string | null; readonly tried: readonly string[] }
  >
>;
/** Decisions of staff about a conflict, with hashes of both values. */
export type Decided = Readonly<
  Record<string, { readonly keep: 'ours' | 'theirs'; readonly want: string; readonly there: string }>
>;

export type DestinationRow = {
  readonly id: string;
  readonly partner: string;
  readonly kind: 'hubspot' | 'salesforce' | 'webhook';
  readonly name: string;
  readonly address: string;
  /** Its id at the hub that holds its token. Null if the token is on this device. */
  readonly hubId: string | null;
  readonly settings: DestinationSettings;
  readonly read: Position;
};

/**
 * The position up to which changes were examined: the number of a fact, and the number of a change of a lead without
 * a fact, such as a new name.
 */
export type Position = { readonly seq: number; readonly number: number };

export type RecordRow = {
  readonly lead: string;
  readonly externalId: string;
  readonly remoteId: string | null;
  /** Whether this device created the record there. */
  readonly madeHere: boolean;
  /** Whether the record was seen there. */
  readonly wasThere: boolean;
  readonly wrote: Wrote;
  /** Names of the properties in conflict. */
  readonly conflicts: readonly string[];
  readonly decided: Decided;
  /** The id of the last delivery (`deliveryId`). Empty before the first one. */
  readonly delivery: string;
};

export type PushRow = {
  readonly seq: number;
  readonly lead: string;
  readonly state: OutboxState;
  readonly attempts: number;
  /** Why the row is parked or due again. `answered`: the destination answered with an error. */
  readonly reason: string | null;
  /** The destination's message. */
  readonly why: string | null;
  readonly sending: Sending;
  readonly changedAt: number;
};

export type ErasureRow = {
  readonly id: number;
  readonly destination: string;
  readonly externalId: string;
  readonly remoteId: string | null;
  readonly state: 'due' | 'asked' | 'gone' | 'left';
};

type ErasureAt = { readonly name: string; readonly state: ErasureRow['state'] | 'forgotten' };

export type DestinationStore = ReturnType<typeof createDestinationStore>;

/** A hash that distinguishes values. Empty for an empty value. */
export function hashOf(value: string): string {
  return value === '' ? '' : createHash('sha256').update(value).digest('base64url').slice(0, 16);
}

/** An open file. `origin`: whether it was there, was created, or replaces a damaged one. */
export type OpenedDestinations = {
  readonly database: Database;
  readonly origin: 'kept' | 'new' | 'replaced';
};

/** Opens or creates the file. A damaged file is replaced. @throws if the file cannot be opened for another reason */
export function openDestinations(path: string): OpenedDestinations {
  const open = () => openDatabase(path, { durability: 'normal', migrations: MIGRATIONS });
  const isThere = existsSync(path);
  try {
    const database = open();
    database.prepare('SELECT count(*) FROM push').get();
    return { database, origin: isThere ? 'kept' : 'new' };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    return { database: open(), origin: 'replaced' };
  }
}

type RawDestination = Omit<DestinationRow, 'settings' | 'read'> & Position & { readonly settings: string };
type RawRecord = {
  lead: string;
  externalId: string;
  remoteId: string | null;
  madeHere: number;
  wasThere: number;
  wrote: string;
  conflicts: string;
  decided: string;
  delivery: string;
};
type RawPush = Omit<PushRow, 'sending'> & { readonly sending: string };

const DESTINATION =
  'id, partner, kind, name, address, hub_id AS hubId, settings, read_seq AS seq, read_number AS number';
const RECORD =
  'lead, external_id AS externalId, remote_id AS remoteId, made_here AS madeHere, was_there AS wasThere, wrote, conflicts, decided, delivery';
const PUSH = 'seq, lead, state, attempts, reason, why, sending, changed_at AS changedAt';

/** The store over an open database. */
export function createDestinationStore(database: Database) {
  const prepare = <Parameters extends unknown[], Row>(sql: string) => database.prepare<Parameters, Row>(sql);
  const destinations = prepare<[], RawDestination>(
    `SELECT ${DESTINATION} FROM destination ORDER BY name, id`,
  );
  const record = prepare<[string, string], RawRecord>(
    `SELECT ${RECORD} FROM record WHERE destination = ? AND lead = ?`,
  );
  const byRemote = prepare<[string, string], RawRecord>(
    `SELECT ${RECORD} FROM record WHERE destination = ? AND remote_id = ?`,
  );
  const inConflict = prepare<[string, number], RawRecord>(
    `SELECT ${RECORD} FROM record INDEXED BY record_in_conflict
     WHERE destination = ? AND conflicts <> '[]' LIMIT ?`,
  );
  const inState = prepare<[string, string, number], RawPush>(
    `SELECT ${PUSH} FROM push WHERE destination = ? AND state = ? ORDER BY looked_at, seq LIMIT ?`,
  );
  const looked = database.prepare(
    'UPDATE push SET looked_at = ? WHERE seq IN (SELECT value FROM json_each(?))',
  );
  const due = prepare<[string, number], RawPush>(
    `SELECT ${PUSH} FROM push WHERE destination = ? AND state = 'due' AND NOT EXISTS (
       SELECT 1 FROM push AS earlier WHERE earlier.destination = push.destination AND earlier.lead = push.lead
         AND earlier.state IN ('in_flight', 'uncertain')) ORDER BY attempts, seq LIMIT ?`,
  );
  const latest = prepare<[string, string], RawPush>(
    `SELECT ${PUSH} FROM push WHERE destination = ? AND lead = ? ORDER BY seq DESC LIMIT 1`,
  );
  const counts = prepare<[string], { state: OutboxState; n: number }>(
    'SELECT state, count(*) AS n FROM push WHERE destination = ? AND superseded = 0 GROUP BY state',
  );
  const parked = prepare<[string, number], RawPush>(
    `SELECT ${PUSH} FROM push WHERE destination = ? AND state = 'parked' AND superseded = 0 ORDER BY seq LIMIT ?`,
  );
  const refused = prepare<[string], { n: number }>(
    `SELECT count(*) AS n FROM push WHERE destination = ? AND state = 'parked' AND superseded = 0
       AND reason NOT IN ('nobody', 'takenBack', 'deletedThere', 'shared')`,
  );
  const undecided = prepare<[string], { n: number }>(
    `SELECT count(*) AS n FROM record INDEXED BY record_in_conflict
     WHERE destination = ? AND conflicts <> '[]'`,
  );
  const add = database.prepare(
    "INSERT INTO push (destination, lead, state, changed_at) VALUES (?, ?, 'due', ?)",
  );
  const supersede = database.prepare(
    `UPDATE push SET superseded = seq < (SELECT max(seq) FROM push AS other
       WHERE other.destination = push.destination AND other.lead = push.lead)
     WHERE destination = ? AND lead = ?`,
  );
  const addRecord = database.prepare(
    'INSERT INTO record (destination, lead, external_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const saveRecord = database.prepare(
    `UPDATE record SET external_id = @externalId, remote_id = @remoteId, made_here = @madeHere, was_there = @wasThere, wrote = @wrote,
       conflicts = @conflicts, decided = @decided, delivery = @delivery WHERE destination = @destination AND lead = @lead`,
  );
  const setSending = database.prepare('UPDATE push SET sending = ? WHERE seq = ?');
  const setRead = database.prepare('UPDATE destination SET read_seq = ?, read_number = ? WHERE id = ?');
  const dropUnwritten = database.prepare(
    `DELETE FROM record WHERE destination = @destination AND lead = @into AND remote_id IS NULL AND wrote = '{}'
       AND EXISTS (SELECT 1 FROM record WHERE destination = @destination AND lead = @from)`,
  );
  const moveRecord = database.prepare(
    'UPDATE OR IGNORE record SET lead = @into WHERE destination = @destination AND lead = @from',
  );
  const movePushes = database.prepare(
    'UPDATE push SET lead = @into WHERE destination = @destination AND lead = @from',
  );
  const erasures = prepare<[string], ErasureRow>(
    `SELECT id, destination, external_id AS externalId, remote_id AS remoteId, state FROM erasure
     WHERE destination = ? AND state IN ('due', 'asked')`,
  );
  const waiting = prepare<[string], { n: number }>(
    `SELECT count(DISTINCT lead) AS n FROM push WHERE destination = ?
       AND state IN ('due', 'in_flight', 'uncertain')`,
  );
  const erasuresDue = prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM erasure WHERE destination = ? AND state = 'due'",
  );
  const lastErasure = prepare<[string, string], { id: number }>(
    'SELECT id FROM erasure WHERE destination = ? AND external_id = ? ORDER BY id DESC LIMIT 1',
  );
  const moves = new Map(
    Object.entries(TRANSITIONS).map(([event, step]) => [event, database.prepare(moveSql(step))]),
  );

  const latestOf = (destination: string, lead: string): PushRow | null => {
    const row = latest.get(destination, lead);
    return row === undefined ? null : pushOf(row);
  };
  /** Applies an event. Returns false if the event does not change a row in this state. */
  const move = (
    event: OutboxEvent,
    seq: number,
    at: number,
    said: { readonly reason?: string; readonly why?: string } = {},
  ): boolean =>
    (moves.get(event)?.run({ seq, at, reason: said.reason ?? null, why: said.why ?? null }).changes ?? 0) > 0;

  const save = (destination: string, row: RecordRow): void =>
    void saveRecord.run({
      destination,
      lead: row.lead,
      externalId: row.externalId,
      remoteId: row.remoteId,
      madeHere: row.madeHere ? 1 : 0,
      wasThere: row.wasThere ? 1 : 0,
      wrote: JSON.stringify(row.wrote),
      conflicts: JSON.stringify(row.conflicts),
      decided: JSON.stringify(row.decided),
      delivery: row.delivery,
    });

  return {
    all: (): readonly DestinationRow[] =>
      destinations.all().map(({ seq, number, ...row }) => ({
        ...row,
        settings: JSON.parse(row.settings) as DestinationSettings,
        read: { seq, number },
      })),
    create: ({ settings, read, ...row }: DestinationRow): void => {
      database
        .prepare(
          `INSERT INTO destination (id, partner, kind, name, address, hub_id, settings, read_seq, read_number)
           VALUES (@id, @partner, @kind, @name, @address, @hubId, @settings, @seq, @number)`,
        )
        .run({ ...row, ...read, settings: JSON.stringify(settings) });
      database.prepare('DELETE FROM loss').run();
    },
    /** Records that an earlier file was lost, until a destination is connected again. */
    lose: (at: number): void => void database.prepare('INSERT INTO loss (at) VALUES (?)').run(at),
    isLost: (): boolean => database.prepare('SELECT 1 FROM loss LIMIT 1').get() !== undefined,
    rename: (id: string, name: string): void =>
      void database.prepare('UPDATE destination SET name = ? WHERE id = ?').run(name, id),
    saveSettings: (id: string, settings: DestinationSettings): void =>
      void database
        .prepare('UPDATE destination SET settings = ? WHERE id = ?')
        .run(JSON.stringify(settings), id),
    read: (id: string, { seq, number }: Position): void => void setRead.run(seq, number, id),
    /** Removes a destination with its states. Keeps the ids of the leads that were sent there. */
    remove: database.transaction((id: string): void => {
      database
        .prepare(
          `INSERT INTO left_there (destination, name, lead) SELECT record.destination, destination.name, lead
           FROM record JOIN destination ON destination.id = record.destination
           WHERE record.destination = ? AND ${MAY_BE_THERE}`,
        )
        .run(id);
      database.prepare('DELETE FROM destination WHERE id = ?').run(id);
    }),

    record: (destination: string, lead: string): RecordRow | null => recordOf(record.get(destination, lead)),
    ofRemote: (destination: string, remoteId: string): RecordRow | null =>
      recordOf(byRemote.get(destination, remoteId)),
    conflicts: (destination: string, limit: number): readonly RecordRow[] =>
      inConflict.all(destination, limit).flatMap((row) => recordOf(row) ?? []),
    saveRecord: save,

    /** Makes a new version of a lead due. Returns false if one is already due. A parked version becomes due again. */
    enrol: database.transaction(
      (destination: string, lead: string, externalId: string, at: number): boolean => {
        addRecord.run(destination, lead, externalId);
        const before = latestOf(destination, lead);
        if (before?.state === 'due') return false;
        if (before?.state === 'parked') return move('retried', before.seq, at);
        add.run(destination, lead, at);
        supersede.run(destination, lead);
        return true;
      },
    ),
    /**
     * Lead `from` became a permanent part of `into`. `into` gets the record of `from`, unless it already has one that
     * was written.
     */
    merge: database.transaction((destination: string, from: string, into: string): void => {
      dropUnwritten.run({ destination, from, into });
      if (moveRecord.run({ destination, from, into }).changes === 0) return;
      movePushes.run({ destination, from, into });
      supersede.run(destination, into);
    }),
    latest: latestOf,
    /** Leads whose latest version is parked. */
    parked: (destination: string, limit: number): readonly PushRow[] =>
      parked.all(destination, limit).map(pushOf),
    /**
     * How many parked leads staff must mend. A lead that has no name, was taken back, was deleted there or shares a record
     * may stay as it is.
     */
    countRefused: (destination: string): number => refused.get(destination)?.n ?? 0,
    /** How many leads have a value in conflict. */
    countConflicts: (destination: string): number => undecided.get(destination)?.n ?? 0,
    inState: (destination: string, state: OutboxState, limit: number): readonly PushRow[] =>
      inState.all(destination, state, limit).map(pushOf),
    /** Rows to send, fewest attempts first, then oldest. Leads with a version in flight or uncertain are left out. */
    due: (destination: string, limit: number): readonly PushRow[] => due.all(destination, limit).map(pushOf),
    counts: (destination: string): Readonly<Record<OutboxState, number>> => {
      const sums = { due: 0, in_flight: 0, uncertain: 0, sent: 0, confirmed: 0, parked: 0 };
      for (const { state, n } of counts.all(destination)) sums[state] = n;
      return sums;
    },
    move,
    /**
     * Notes what the next request writes. Returns false, and notes nothing, if the row is no longer due: its lead was
     * erased meanwhile.
     */
    dispatch: database.transaction(
      (destination: string, record: RecordRow, seq: number, sending: Sending, at: number): boolean => {
        if (!move('dispatched', seq, at)) return false;
        save(destination, record);
        setSending.run(JSON.stringify(sending), seq);
        return true;
      },
    ),
    /** Records that these rows were looked up, so that the next lookup begins with others. */
    looked: (seqs: readonly number[], at: number): void => void looked.run(at, JSON.stringify(seqs)),
    /** Rows that were in flight at the end of the last run become uncertain. */
    recover: (destination: string, at: number): void => {
      for (const { seq } of inState.all(destination, 'in_flight', -1)) move('interrupted', seq, at);
    },

    /**
     * Deletes everything about an erased lead. With a protocol, requests the erasure at each destination. At a removed
     * one it stays due.
     */
    eraseLead: database.transaction((lead: string, protocol: string | null, at: number): void => {
      if (protocol !== null)
        database
          .prepare(
            `INSERT INTO erasure (destination, name, protocol, external_id, remote_id, state, at)
             SELECT record.destination, destination.name, @protocol, external_id, remote_id,
               CASE WHEN made_here = 0 AND remote_id IS NOT NULL THEN 'left' ELSE 'due' END, @at
             FROM record JOIN destination ON destination.id = record.destination
             WHERE lead = @lead AND ${MAY_BE_THERE}
             UNION ALL SELECT destination, name, @protocol, '', NULL, 'due', @at FROM left_there WHERE lead = @lead`,
          )
          .run({ lead, protocol, at });
      for (const table of ['record', 'push', 'left_there'])
        database.prepare(`DELETE FROM ${table} WHERE lead = ?`).run(lead);
    }),
    leads: (): readonly string[] =>
      database
        .prepare<[], { lead: string }>('SELECT lead FROM record UNION SELECT lead FROM left_there')
        .all()
        .map((row) => row.lead),
    erasures: (destination: string): readonly ErasureRow[] => erasures.all(destination),
    /** The last erasure of a record at a destination, or null. */
    lastErasure: (destination: string, externalId: string): number | null =>
      lastErasure.get(destination, externalId)?.id ?? null,
    /** How many leads wait for a destination. */
    waiting: (destination: string): number => waiting.get(destination)?.n ?? 0,
    /** How many erasures a destination was not asked for yet. */
    countErasures: (destination: string): number => erasuresDue.get(destination)?.n ?? 0,
    setErasure: (id: number, state: ErasureRow['state']): void =>
      void database.prepare('UPDATE erasure SET state = ? WHERE id = ?').run(state, id),
    /** The erasures at destinations, by the protocol of the erasure. `forgotten`: it was never requested. */
    erasuresOf: (protocol: string): readonly ErasureAt[] =>
      database
        .prepare<[string], ErasureAt>(
          `SELECT DISTINCT name, CASE WHEN state = 'due' AND destination NOT IN (SELECT id FROM destination)
             THEN 'forgotten' ELSE state END AS state FROM erasure WHERE protocol = ? ORDER BY name`,
        )
        .all(protocol),
    close: (): void => void database.close(),
  };
}

/** One transition of the outbox's table as a statement. */
function moveSql({ from, to, reason, attempts }: Transition): string {
  const states = from.map((state) => `'${state}'`).join(', ');
  const sets = [`state = '${to}'`, 'changed_at = @at'];
  if (reason === 'set') sets.push('reason = @reason', 'why = @why');
  if (reason === 'clear') sets.push('reason = NULL', 'why = NULL');
  if (attempts === 'increment') sets.push('attempts = attempts + 1');
  if (attempts === 'decrement') sets.push('attempts = max(0, attempts - 1)');
  if (attempts === 'reset') sets.push('attempts = 0');
  // Every parameter occurs in the SQL text, because SQLite refuses parameters that the text lacks.
  return `UPDATE push SET ${sets.join(', ')} WHERE seq = @seq AND state IN (${states})
    AND (@reason IS NULL OR 1) AND (@why IS NULL OR 1)`;
}

function pushOf({ seq, lead, state, attempts, reason, why, sending, changedAt }: RawPush): PushRow {
  return { seq, lead, state, attempts, reason, why, sending: JSON.parse(sending) as Sending, changedAt };
}

function recordOf(row: RawRecord | undefined): RecordRow | null {
  if (row === undefined) return null;
  return {
    lead: row.lead,
    externalId: row.externalId,
    remoteId: row.remoteId,
    madeHere: row.madeHere === 1,
    wasThere: row.wasThere === 1,
    wrote: JSON.parse(row.wrote) as Wrote,
    conflicts: JSON.parse(row.conflicts) as readonly string[],
    decided: JSON.parse(row.decided) as Decided,
    delivery: row.delivery,
  };
}
