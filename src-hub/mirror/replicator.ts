/**
 * Writes the records of the mirror into the store that devices read. Ids and fields come from the platform; revisions
 * are the hub's own.
 *
 * Invariants
 * - The store follows the mirror and is never ahead of it.
 * - A store that was filled from another mirror (of the hub before a takeover, or of a lost file) is compared only
 *   with an up-to-date mirror. An old mirror would restore old records, and a new mirror does not contain the
 *   deletions. Lists that do not show deletions are read completely before (`bridge.ts`).
 * - One transaction writes a record and the hash of its source text. So one comparison finds all remaining
 *   differences, even after a kill or after either file was lost.
 * - A record that upstream deleted or hides stays as a tombstone without data, so every device receives the deletion.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Mirror } from '../../src-main/core/event/mirror/mirror.ts';
import type { ResourceName } from '../../src-main/core/event/mirror/resources.ts';
import { parseJson } from '../../src-main/core/foundations/api/json.ts';
import { shapeOf } from '../../src-platform/resources/resource.ts';
import { readHubSetting, writeHubSetting } from '../../src-platform/store/hub-setting.ts';
import { createPuts, type Doc, findRecords, type Shape } from '../../src-platform/store/records.ts';
import type { Store, Write } from '../../src-platform/store/store.ts';
import { HUB_RESOURCES, servedAs } from './resources.ts';

type Replicator = {
  /** Queues records of a list that may differ from the hub's store. */
  readonly note: (resource: ResourceName, ids: readonly string[]) => void;
  /** Whether the records in the store came from this mirror, or the store is empty. */
  readonly isSource: () => Promise<boolean>;
  /** Queues every record that differs between the store and the mirror, which is the source of the store from now on. */
  readonly compare: () => Promise<void>;
  /** Writes the queued records. Returns how many were new, changed or deleted. */
  readonly replicate: () => Promise<number>;
  /** Whether records are queued, being written, or were never compared. With `resource`: only of that list. */
  readonly hasWork: (resource?: ResourceName) => boolean;
};

/** Number of records per transaction: few enough that a request of a device waits only briefly for the transaction. */
const PORTION = 200;
const COMPARED_AT_ONCE = 1_000;

/**
 * The fields that a tombstone keeps: those that identify its owner, because each partner reads only its own records.
 * No personal data.
 */
const KEPT = [
  'id',
  'visitorID',
  'expoID',
  'partnerID',
  'contentID',
  'touchpointID',
  'type',
  'clientID',
  'at',
];

/** The stored hash of a tombstone. */
const GONE = 'gone';

/** The name of the mirror's metadata with its random id, and of the store's setting with the id of the last source. */
const MIRROR_ID = 'mirror id';
const SOURCE = 'mirror';

/** The replicator of one event. */
export function createReplicator({
  store,
  mirror,
  expoId,
}: {
  readonly store: Store;
  readonly mirror: Mirror;
  readonly expoId: string;
}): Replicator {
  const noted = new Map<ResourceName, Set<string>>();
  const note = (resource: ResourceName, ids: Iterable<string>): void => {
    const set = noted.get(resource) ?? new Set();
    for (const id of ids) set.add(id);
    noted.set(resource, set);
  };

  const compareOne = async (name: ResourceName): Promise<void> => {
    const kind = servedAs(name).kind;
    const rows = await store.db
      .selectFrom('copied')
      .select(['id', 'hash'])
      .where('kind', '=', kind)
      .where('hash', '<>', GONE)
      .execute();
    const replicated = new Map(rows.map(({ id, hash }) => [id, hash]));
    let last = '';
    for (;;) {
      const texts = mirror.textsAfter(name, last, COMPARED_AT_ONCE);
      for (const { id, body } of texts) {
        if (replicated.get(id) !== hashOf(body)) note(name, [id]);
        replicated.delete(id);
      }
      last = texts.at(-1)?.id ?? last;
      if (texts.length < COMPARED_AT_ONCE) break;
    }
    if (mirror.progress(name).complete) note(name, replicated.keys());
  };

  let isCompared = false;
  let writing: ResourceName | null = null;
  const replicateSome = async (name: ResourceName, ids: readonly string[]): Promise<number> => {
    const texts = new Map(ids.map((id) => [id, mirror.record(name, id)?.text ?? null]));
    return store.write((write) => writeSome(write, expoId, name, texts));
  };

  return {
    note,
    isSource: async () => {
      const source = await readHubSetting(store.db, SOURCE);
      if (source !== null && source === mirror.metadata(MIRROR_ID)) return true;
      return (await store.db.selectFrom('copied').select('id').limit(1).executeTakeFirst()) === undefined;
    },
    compare: async () => {
      for (const { name } of HUB_RESOURCES) await compareOne(name);
      const id = mirror.metadata(MIRROR_ID) ?? randomUUID();
      mirror.setMetadata(MIRROR_ID, id);
      await writeHubSetting(store, SOURCE, id);
      isCompared = true;
    },
    replicate: async () => {
      let changed = 0;
      for (const [name, ids] of noted) {
        while (ids.size > 0) {
          const some = [...ids].slice(0, PORTION);
          // The record is removed from the queue before the read, so a change during the write queues it again.
          for (const id of some) ids.delete(id);
          writing = name;
          changed += await replicateSome(name, some)
            .catch((error: unknown) => {
              note(name, some);
              throw error;
            })
            .finally(() => {
              writing = null;
            });
        }
      }
      return changed;
    },
    hasWork: (name) => {
      if (!isCompared) return true;
      if (name !== undefined) return writing === name || (noted.get(name)?.size ?? 0) > 0;
      return writing !== null || [...noted.values()].some(({ size }) => size > 0);
    },
  };
}

/**
 * Writes those of these records that changed. A null record is one that the mirror does not hold. Returns how many
 * changed.
 */
async function writeSome(
  write: Write,
  expoId: string,
  name: ResourceName,
  texts: ReadonlyMap<string, string | null>,
): Promise<number> {
  const served = servedAs(name);
  const { kind } = served;
  const ids = [...texts.keys()];
  const rows = await write.db
    .selectFrom('copied')
    .select(['id', 'hash'])
    .where('kind', '=', kind)
    .where('id', 'in', ids)
    .execute();
  const replicated = new Map(rows.map(({ id, hash }) => [id, hash]));
  const before = new Map(
    (await findRecords(write.db, kind, expoId, ids)).map((record) => [record.id, record.doc]),
  );
  const puts = createPuts(write);
  const made: { readonly id: string; readonly hash: string }[] = [];
  for (const [id, text] of texts) {
    const hash = text === null ? GONE : hashOf(text);
    const known = replicated.get(id);
    if (known === hash || (text === null && known === undefined)) continue;
    const doc = text === null ? tombstone(before.get(id) ?? { id }) : withoutRevision(text);
    const old = text === null ? {} : detailOf(before.get(id), served.extra?.shape ?? {});
    puts.put(shapeFor(shapeOf(served), doc, old), expoId, { ...old, ...doc });
    made.push({ id, hash });
  }
  await puts.flush();
  await noteReplicated(write, kind, made);
  return made.length;
}

/** Stores the hashes of the source texts. */
export async function noteReplicated(
  { db }: Write,
  kind: string,
  made: readonly { readonly id: string; readonly hash: string }[],
): Promise<void> {
  if (made.length === 0) return;
  await db
    .insertInto('copied')
    .values(made.map(({ id, hash }) => ({ id, hash, kind, detailed: null })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id']).doUpdateSet(({ ref }) => ({ hash: ref('excluded.hash') })),
    )
    .execute();
}

/**
 * All fields of the platform's record, in their order. The detail holds the fields that only the single read returns.
 */
export function shapeFor(shape: Shape, list: Doc, detail: Doc): Shape {
  const basic = Object.keys(list).filter((field) => field !== 'deleted');
  return {
    ...shape,
    basic,
    detail: Object.keys(detail).filter((field) => !basic.includes(field) && field !== 'deleted'),
    keepsUnknown: false,
  };
}

/** The details from the last read. They are kept until the next read. A tombstone has none. */
function detailOf(before: Doc | undefined, extra: Readonly<Record<string, unknown>>): Doc {
  if (before === undefined || before.deleted === true) return {};
  return Object.fromEntries(Object.entries(before).filter(([field]) => field in extra));
}

function withoutRevision(text: string): Doc {
  const { revision: _revision, ...doc } = parseJson(text) as Doc;
  return doc;
}

function tombstone(before: Doc): Doc {
  const kept = KEPT.flatMap((field) => (field in before ? [[field, before[field]] as const] : []));
  return { ...Object.fromEntries(kept), deleted: true };
}

/** The hash of a record's text. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
