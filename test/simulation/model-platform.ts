/**
 * A model of the event platform that behaves as badly as the interface (docs/interface/lists.md) allows:
 * - revisions that tie and commit late, deletions that some lists hide, pages shorter than requested;
 * - a restore to an older state, and refused batches;
 * - ids that are ignored (each accepted item is a new effect) or not returned.
 *
 * Invariants:
 * - Written from docs/interface/overview.md and docs/interface/undocumented.md. It shares nothing with the device.
 * - If ids are honoured, an id that was accepted once has one effect.
 * - If ids are ignored, each further effect is counted with its cause. An effect that a read-back would have avoided
 *   is a breach of docs/laws.md#law-3 (`repeats`).
 */
import type { Chance } from './chance.ts';

export type Row = {
  id: string;
  revision: number;
  deleted: boolean;
  visibleAt: number;
  body: Record<string, unknown>;
};
type State = { revision: number; rows: Map<string, Map<string, Row>> };
type Accepted = {
  content: string;
  action: string | null;
  revision: number;
  effects: number;
  /** Time of the latest arrival, and whether its answer reached the device. */
  arrivedAt: number;
  answered: boolean;
};

/** How the platform of this world misbehaves. */
export type Vices = {
  readonly ties: number;
  readonly late: number;
  readonly pageCap: number;
  /** Whether a repeated id is a duplicate. Otherwise it is one more effect. */
  readonly honoursIds: boolean;
  /** Whether actions contain their `clientID`. */
  readonly tellsClientIds: boolean;
};

/**
 * Effects beyond the first of their fact. `forced`: a read-back could not have shown the first one. `asked`: the
 * first was answered, and its id was sent again to query its state. `overlooked`: the first is in the list, but the
 * read-back did not request it (of another partner, or from before a restore).
 */
export type Repeats = { forced: number; asked: number; overlooked: number; readonly breaches: string[] };

const HIDES_DELETED = new Set([
  'contents',
  'participants',
  'touchpoints',
  'connections',
  'registrationTypes',
]);
const RESOURCES = [
  'touchpoints',
  'partners',
  'contents',
  'activities',
  'labels',
  'registrationTypes',
  'visitors',
  'participants',
  'connections',
  'actions',
];

/** The part of a record that only the single read returns. */
export const detailOf = (body: Record<string, unknown>): Record<string, unknown> => ({
  website: `https://${String(body.id)}.example/${String(body.note ?? 0)}`,
});

export type ModelPlatform = ReturnType<typeof createModelPlatform>;

/** The model in a seeded world. `now` is virtual time. */
export const createModelPlatform = (chance: Chance, now: () => number, vices: Vices) => {
  let state: State = { revision: 10, rows: new Map(RESOURCES.map((name) => [name, new Map()])) };
  let accepted = new Map<string, Accepted>();
  let snapshot: { state: State; accepted: Map<string, Accepted> } | null = null;
  let tieRun = 0;
  let wasRestored = false;
  /** Accepted facts that a restore removed. */
  const lostByRestore = new Set<string>();
  /** Every id it ever accepted, including removed ones. */
  const everAccepted = new Set<string>();
  const poison = new Set<string>();
  const repeats: Repeats = { forced: 0, asked: 0, overlooked: 0, breaches: [] };
  /** When each device last received a complete page of actions, and of which partner. */
  const looks = new Map<number, { readonly at: number; readonly partner: unknown }>();

  const rowsOf = (resource: string): Map<string, Row> => {
    const rows = state.rows.get(resource);
    if (rows === undefined) throw new Error(`Expected a known resource, got ${resource}`);
    return rows;
  };

  const nextRevision = (): number => {
    // A run of ties must fit a page, because no client can page through a longer one.
    if (chance.hits(vices.ties) && tieRun < vices.pageCap - 3) {
      tieRun += 1;
      return state.revision;
    }
    tieRun = 0;
    state.revision += chance.between(1, 3);
    return state.revision;
  };

  const put = (resource: string, id: string, body: Record<string, unknown>, deleted = false): Row => {
    const revision = nextRevision();
    const visibleAt = chance.hits(vices.late) ? now() + chance.between(500, 20_000) : now();
    const row = { id, revision, deleted, visibleAt, body: { ...body, revision } };
    const before = rowsOf(resource).get(id);
    if (visibleAt > now() && before !== undefined) {
      // The list shows the old record until the late update commits.
      pending.push({ resource, row });
    } else {
      rowsOf(resource).set(id, row);
    }
    return row;
  };
  let pending: { resource: string; row: Row }[] = [];

  const commitLate = (): void => {
    for (const { resource, row } of pending.filter((entry) => entry.row.visibleAt <= now())) {
      const current = rowsOf(resource).get(row.id);
      if (current === undefined || current.revision <= row.revision) rowsOf(resource).set(row.id, row);
    }
    pending = pending.filter((entry) => entry.row.visibleAt > now());
  };

  const visible = (resource: string): Row[] =>
    [...rowsOf(resource).values()]
      .filter((row) => row.visibleAt <= now())
      .toSorted((a, b) => a.revision - b.revision || (a.id < b.id ? -1 : 1));

  const actionsOf = (fact: string): Row[] =>
    [...rowsOf('actions').values()].filter(
      (row) => row.id === `act-${fact}` || row.id.startsWith(`act-${fact}-`),
    );

  /** Judges a repeated arrival of a fact at a platform that ignores ids. */
  const judgeRepeat = (kiosk: number, fact: string, { arrivedAt, answered }: Accepted): void => {
    const look = looks.get(kiosk);
    if (look === undefined || look.at < arrivedAt) {
      repeats.breaches.push(`docs/laws.md#law-3: fact ${fact} was repeated without a read-back`);
      return;
    }
    // A record that committed late may not have been visible yet.
    const shown = actionsOf(fact).filter((row) => vices.tellsClientIds && row.visibleAt <= arrivedAt);
    const isAskedFor = shown.some(
      ({ body }) => look.partner === undefined || look.partner === body.partnerID,
    );
    // After a restore, revisions start below their earlier end.
    if (shown.length > 0 && (wasRestored || !isAskedFor)) repeats.overlooked += 1;
    else if (isAskedFor)
      repeats.breaches.push(`docs/laws.md#law-3: fact ${fact} was repeated though a read-back shows it`);
    else if (answered) repeats.asked += 1;
    else repeats.forced += 1;
  };

  const copy = (): { state: State; accepted: Map<string, Accepted> } => ({
    state: {
      revision: state.revision,
      rows: new Map([...state.rows].map(([name, rows]) => [name, new Map(rows)])),
    },
    accepted: new Map(accepted),
  });

  return {
    put,
    poison,
    living: (resource: string): Row[] => {
      commitLate();
      return visible(resource).filter((row) => !row.deleted);
    },
    commitEverything: (): void => {
      for (const { row } of pending) row.visibleAt = now();
      for (const rows of state.rows.values()) {
        for (const [id, row] of rows) if (row.visibleAt > now()) rows.set(id, { ...row, visibleAt: now() });
      }
      commitLate();
    },
    /** A list page as JSON text (docs/interface/lists.md#order: increasing revision, `fromRevision` inclusive). */
    list: (resource: string, query: Readonly<Record<string, unknown>>): string => {
      commitLate();
      const from = Number(query.fromRevision ?? 0);
      const limit = Math.min(Number(query.limit ?? 100), vices.pageCap);
      const showDeleted = query.showDeleted === true && !HIDES_DELETED.has(resource);
      const page = visible(resource)
        .filter((row) => row.revision >= from && (showDeleted || !row.deleted))
        .filter((row) => query.partnerId === undefined || row.body.partnerID === query.partnerId);
      return JSON.stringify(
        page
          .slice(0, resource === 'registrationTypes' ? undefined : limit)
          .map((row) => (row.deleted ? { id: row.id, revision: row.revision, deleted: true } : row.body)),
      );
    },
    /** One record with the part that only the single read returns, or null. */
    single: (resource: string, id: string): Record<string, unknown> | null => {
      commitLate();
      const row = visible(resource).find((one) => one.id === id && !one.deleted);
      return row === undefined ? null : { ...row.body, ...detailOf(row.body) };
    },
    /** Records that a device has received a complete page of actions. */
    wasRead: (kiosk: number, resource: string, partner: unknown): void => {
      if (resource === 'actions') looks.set(kiosk, { at: now(), partner });
    },
    /** Records that a device has received the complete answer to this write. */
    wasAnswered: (text: string): void => {
      for (const { id } of JSON.parse(text) as { readonly id: string }[]) {
        const entry = accepted.get(id);
        if (entry !== undefined) accepted.set(id, { ...entry, answered: true });
      }
    },
    repeats,
    /** The write extension: results by id. `null` when the whole batch is refused. */
    write: (text: string, kiosk: number): string | null => {
      commitLate();
      const items = JSON.parse(text) as Record<string, unknown>[];
      if (items.some((item) => poison.has(String(item.badge)) && chance.hits(0.5))) return null;
      const results = items.map((item) => {
        const id = String(item.id);
        const content = JSON.stringify(item);
        const known = accepted.get(id);
        if (poison.has(String(item.badge))) {
          return {
            id,
            result: 'rejected',
            errors: [{ field: 'badge', error: 'invalid', description: 'refused' }],
          };
        }
        if (known !== undefined && !vices.honoursIds) judgeRepeat(kiosk, id, known);
        if (known !== undefined && vices.honoursIds && known.content !== content) {
          return {
            id,
            result: 'rejected',
            errors: [{ field: 'id', error: 'conflict', description: 'other content' }],
          };
        }
        if (known !== undefined && vices.honoursIds) {
          return { id, result: 'duplicate', actionID: known.action, revision: known.revision };
        }
        const leavesAction = ['tap', 'collect', 'checkin'].includes(String(item.kind));
        const effects = (known?.effects ?? 0) + 1;
        const action = effects === 1 ? `act-${id}` : `act-${id}-${effects}`;
        const told = vices.tellsClientIds ? { clientID: id } : {};
        const row = leavesAction
          ? put('actions', action, { id: action, ...told, partnerID: item.partnerID })
          : null;
        put('participants', `part-${String(item.badge)}`, {
          visitorID: `part-${String(item.badge)}`,
          last: id,
        });
        for (const { id: taken } of typeof item.undoes === 'string' ? actionsOf(item.undoes) : [])
          rowsOf('actions').delete(taken);
        const entry: Accepted = {
          content,
          action: row?.id ?? null,
          revision: row?.revision ?? state.revision,
          effects,
          arrivedAt: now(),
          answered: false,
        };
        accepted.set(id, entry);
        everAccepted.add(id);
        return { id, result: 'created', actionID: entry.action, revision: entry.revision };
      });
      return JSON.stringify(chance.hits(0.5) ? results.toReversed() : results);
    },
    accepted: (): ReadonlyMap<string, Accepted> => accepted,
    everAccepted: (id: string): boolean => everAccepted.has(id),
    /** Whether an action shows the id of its fact. */
    tellsFacts: vices.tellsClientIds,
    /** At a platform that ignores ids and whose actions show none, nothing reveals the loss of this fact. */
    lostUnseen: (id: string): boolean => !vices.honoursIds && lostByRestore.has(id),
    takeSnapshot: (): void => {
      snapshot = copy();
    },
    /** Resets to the snapshot, like a restore from a backup. Returns false when there is none. */
    restore: (): boolean => {
      if (snapshot === null) return false;
      for (const id of accepted.keys()) if (!snapshot.accepted.has(id)) lostByRestore.add(id);
      ({ state, accepted } = snapshot);
      pending = [];
      snapshot = null;
      wasRestored = true;
      return true;
    },
  };
};
