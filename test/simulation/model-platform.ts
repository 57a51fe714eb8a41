/**
 * A model of the event platform with every vice the API document leaves room for: revisions that tie and commit late,
 * deletions some lists hide, pages shorter than asked for, a restore to an older state, refused batches.
 *
 * Invariants: written from the API document and the silences page, shares nothing with the kiosk; an id that was
 * accepted once has one effect (checked here, law 3).
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
type Accepted = { content: string; action: string | null; revision: number };

/** Which vices this world's platform has. */
export type Vices = { readonly ties: number; readonly late: number; readonly pageCap: number };

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

export type ModelPlatform = ReturnType<typeof createModelPlatform>;

/** The model over a seeded world; `now` is virtual time. */
export const createModelPlatform = (chance: Chance, now: () => number, vices: Vices) => {
  let state: State = { revision: 10, rows: new Map(RESOURCES.map((name) => [name, new Map()])) };
  let accepted = new Map<string, Accepted>();
  let snapshot: { state: State; accepted: Map<string, Accepted> } | null = null;
  let tieRun = 0;
  const poison = new Set<string>();

  const rowsOf = (resource: string): Map<string, Row> => {
    const rows = state.rows.get(resource);
    if (rows === undefined) throw new Error(`Expected a known resource, got ${resource}`);
    return rows;
  };

  const nextRevision = (): number => {
    // A run of ties must fit a page: beyond that no client can walk it.
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
      // An update that commits late shows its old self until then.
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
    /** A list page as JSON text (API document: increasing revision, `fromRevision` inclusive). */
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
    /** The write extension: results by id; `null` when the batch is refused as a whole. */
    write: (text: string): string | null => {
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
        if (known !== undefined && known.content !== content) {
          return {
            id,
            result: 'rejected',
            errors: [{ field: 'id', error: 'conflict', description: 'other content' }],
          };
        }
        if (known !== undefined) {
          return { id, result: 'duplicate', actionID: known.action, revision: known.revision };
        }
        const leavesAction = ['tap', 'collect', 'checkin'].includes(String(item.kind));
        const row = leavesAction
          ? put('actions', `act-${id}`, { id: `act-${id}`, clientID: id, partnerID: item.partnerID })
          : null;
        put('participants', `part-${String(item.badge)}`, {
          visitorID: `part-${String(item.badge)}`,
          last: id,
        });
        if (typeof item.undoes === 'string') rowsOf('actions').delete(`act-${item.undoes}`);
        const entry = { content, action: row?.id ?? null, revision: row?.revision ?? state.revision };
        accepted.set(id, entry);
        return { id, result: 'created', actionID: entry.action, revision: entry.revision };
      });
      return JSON.stringify(chance.hits(0.5) ? results.toReversed() : results);
    },
    accepted: (): ReadonlyMap<string, Accepted> => accepted,
    takeSnapshot: (): void => {
      snapshot = copy();
    },
    /** Back to the snapshot, as after a restore from a backup; false when there is none. */
    restore: (): boolean => {
      if (snapshot === null) return false;
      ({ state, accepted } = snapshot);
      pending = [];
      snapshot = null;
      return true;
    },
  };
};
