/**
 * Brings what the mirror holds of upstream into the store that devices read: with upstream's ids and fields, under
 * revisions of the hub's own.
 *
 * Invariants: the store follows the mirror and is never ahead of it; a record is written together with the note of which
 * text it was made of, so that after any end (a kill, a lost file on either side) one comparison finds what is left to do;
 * what upstream deleted, or no longer shows, stays as a tombstone without data, so that every device learns of it.
 */
import { createHash } from 'node:crypto';
import type { Mirror } from '../../src-main/core/event/mirror/mirror.ts';
import type { ResourceName } from '../../src-main/core/event/mirror/resources.ts';
import { parseJson } from '../../src-main/core/foundations/api/json.ts';
import { shapeOf } from '../../src-platform/resources/resource.ts';
import { createPuts, type Doc, findRecords, type Shape } from '../../src-platform/store/records.ts';
import type { Store, Write } from '../../src-platform/store/store.ts';
import { HUB_RESOURCES, servedAs } from './resources.ts';

export type CopierPorts = {
  readonly store: Store;
  readonly mirror: Mirror;
  readonly expoId: string;
};

export type Copier = {
  /** These records of a list may differ from what is served. */
  readonly note: (resource: ResourceName, ids: readonly string[]) => void;
  /** Notes everything in which the store differs from the mirror. */
  readonly compare: () => Promise<void>;
  /** Writes what was noted; how many records were new, changed or gone. */
  readonly copy: () => Promise<number>;
  /** Whether something is noted, being written or was never compared; of one list where it is named. */
  readonly hasWork: (resource?: ResourceName) => boolean;
};

/** Records of one transaction: few enough that a device that asks meanwhile does not wait. */
const PORTION = 200;
const COMPARED_AT_ONCE = 1_000;

/** What a tombstone keeps: whose it was, so that the narrowed lists of devices show it, and nothing of anybody. */
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

/** The note of a tombstone. */
const GONE = 'gone';

/** The copier of one event. */
export function createCopier({ store, mirror, expoId }: CopierPorts): Copier {
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
    const copied = new Map(rows.map(({ id, hash }) => [id, hash]));
    let last = '';
    for (;;) {
      const texts = mirror.textsAfter(name, last, COMPARED_AT_ONCE);
      for (const { id, body } of texts) {
        if (copied.get(id) !== hashOf(body)) note(name, [id]);
        copied.delete(id);
      }
      last = texts.at(-1)?.id ?? last;
      if (texts.length < COMPARED_AT_ONCE) break;
    }
    // A mirror that was begun anew knows nothing yet; what it will not show is found by the next comparison.
    if (mirror.progress(name).complete) note(name, copied.keys());
  };

  let isCompared = false;
  let writing: ResourceName | null = null;
  const copySome = async (name: ResourceName, ids: readonly string[]): Promise<number> => {
    const texts = new Map(ids.map((id) => [id, mirror.record(name, id)?.text ?? null]));
    return store.write((write) => writeSome(write, expoId, name, texts));
  };

  return {
    note,
    compare: async () => {
      for (const { name } of HUB_RESOURCES) await compareOne(name);
      isCompared = true;
    },
    copy: async () => {
      let changed = 0;
      for (const [name, ids] of noted) {
        while (ids.size > 0) {
          const some = [...ids].slice(0, PORTION);
          // Taken out before it is read: what changes while it is written is noted anew.
          for (const id of some) ids.delete(id);
          writing = name;
          changed += await copySome(name, some)
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

/** Writes records as they are in the mirror (null: not there), those of them that changed. */
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
  const copied = new Map(rows.map(({ id, hash }) => [id, hash]));
  const before = new Map(
    (await findRecords(write.db, kind, expoId, ids)).map((record) => [record.id, record.doc]),
  );
  const puts = createPuts(write);
  const made: { readonly id: string; readonly hash: string }[] = [];
  for (const [id, text] of texts) {
    const hash = text === null ? GONE : hashOf(text);
    const known = copied.get(id);
    if (known === hash || (text === null && known === undefined)) continue;
    const doc = text === null ? tombstone(before.get(id) ?? { id }) : withoutRevision(text);
    const old = text === null ? {} : detailOf(before.get(id), served.extra?.shape ?? {});
    puts.put(shapeFor(shapeOf(served), doc, old), expoId, { ...old, ...doc });
    made.push({ id, hash });
  }
  await puts.flush();
  await noteCopied(write, kind, made);
  return made.length;
}

/** Notes of which texts records were made. */
export async function noteCopied(
  { db }: Write,
  kind: string,
  made: readonly { readonly id: string; readonly hash: string }[],
): Promise<void> {
  if (made.length === 0) return;
  await db
    .insertInto('copied')
    .values(made.map((one) => ({ ...one, kind, detailed: null })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id']).doUpdateSet(({ ref }) => ({ hash: ref('excluded.hash') })),
    )
    .execute();
}

/** Every field of upstream is kept, in its order; what only the single read says stands beside. */
export function shapeFor(shape: Shape, list: Doc, detail: Doc): Shape {
  const basic = Object.keys(list).filter((field) => field !== 'deleted');
  return {
    ...shape,
    basic,
    detail: Object.keys(detail).filter((field) => !basic.includes(field) && field !== 'deleted'),
    keepsUnknown: false,
  };
}

/** What the detailed form said, until it is read anew. */
function detailOf(before: Doc | undefined, extra: Readonly<Record<string, unknown>>): Doc {
  if (before === undefined) return {};
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

/** The same for the same text. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
