/**
 * Reads the event, and details that upstream returns only in a single read (a partner's address, a content's pages).
 *
 * Invariants
 * - The details of a record are requested once for each version of its list form.
 * - A refused record is not requested again until its list form changes.
 * - While the key lacks the right to the details of a list, each round tries one record of it, because the platform may
 *   grant the right later.
 * - A record whose details change also gets a new revision, so every device reads it again.
 */
import type { ApiClient } from '../../src-main/core/foundations/api/client.ts';
import { readDetail, readExpo } from '../../src-main/core/foundations/api/endpoints.ts';
import { isMissingRight, isRefusal } from '../../src-main/core/foundations/api/error-class.ts';
import { stringifyJson } from '../../src-main/core/foundations/api/json.ts';
import type { Clock } from '../../src-main/core/foundations/ports.ts';
import { expos } from '../../src-platform/resources/expos.ts';
import { shapeOf } from '../../src-platform/resources/resource.ts';
import { withContents } from '../../src-platform/store/expo.ts';
import { createPuts, type Doc, findRecords, putRecord } from '../../src-platform/store/records.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { hashOf, noteReplicated, shapeFor } from './replicator.ts';
import { DETAILED, servedAs } from './resources.ts';

type Details = {
  /** Reads the event and stores it. @throws ApiError */
  readonly readEvent: (signal: AbortSignal) => Promise<void>;
  /** Reads the details that are missing, for about `patienceMs`. @throws ApiError */
  readonly readMissing: (patienceMs: number, signal: AbortSignal) => Promise<void>;
};

/** Maximum number of records of a list that one round selects. */
const AT_ONCE = 100;

/** A detailed form (null if the platform refuses it), and the hash of the list form it belongs to. */
type ReadDetail = { readonly id: string; readonly hash: string; readonly whole: Doc | null };

/** The details of one event. */
export function createDetails({
  client,
  expoId,
  store,
  clock,
}: {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly store: Store;
  readonly clock: Pick<Clock, 'monotonic'>;
}): Details {
  const readOne = async (name: string, id: string, signal: AbortSignal): Promise<Doc | null | 'notNow'> => {
    try {
      return (await readDetail(client, expoId, name, id, signal))?.body ?? null;
    } catch (error) {
      if (isMissingRight(error)) return 'notNow';
      if (isRefusal(error)) return null;
      throw error;
    }
  };
  return {
    readEvent: async (signal) => {
      const { revision: _revision, ...doc } = await readExpo(client, expoId, signal);
      const hash = hashOf(stringifyJson(doc));
      const known = await store.db
        .selectFrom('copied')
        .select('hash')
        .where('kind', '=', 'expo')
        .where('id', '=', expoId)
        .executeTakeFirst();
      if (known?.hash === hash) return;
      const shape = shapeOf(expos);
      const isBasic = (field: string): boolean => !shape.detail.includes(field);
      const basic = Object.fromEntries(Object.entries(doc).filter(([field]) => isBasic(field)));
      await store.write(async (write) => {
        // The hub serves the list of contents even if it is empty.
        const whole = { ...doc, contentManagement: withContents };
        await putRecord(write, shapeFor(shape, basic, doc), expoId, whole);
        await noteReplicated(write, 'expo', [{ id: expoId, hash }]);
      });
    },
    readMissing: async (patienceMs, signal) => {
      const until = clock.monotonic() + patienceMs;
      for (const name of DETAILED) {
        const wanted = await store.db
          .selectFrom('copied')
          .select(['id', 'hash'])
          .where('kind', '=', servedAs(name).kind)
          .where('hash', '<>', 'gone')
          .where((either) =>
            either.or([either('detailed', 'is', null), either('detailed', '<>', either.ref('hash'))]),
          )
          .limit(AT_ONCE)
          .execute();
        const read: ReadDetail[] = [];
        try {
          for (const { id, hash } of wanted) {
            if (clock.monotonic() >= until || signal.aborted) return;
            const whole = await readOne(name, id, signal);
            if (whole === 'notNow') break;
            read.push({ id, hash, whole });
          }
        } finally {
          await storeDetails(store, expoId, name, read);
        }
      }
    },
  };
}

/** Stores detailed forms, in one transaction. */
async function storeDetails(
  store: Store,
  expoId: string,
  name: (typeof DETAILED)[number],
  read: readonly ReadDetail[],
): Promise<void> {
  if (read.length === 0) return;
  const served = servedAs(name);
  const { kind } = served;
  const extra = Object.keys(served.extra?.shape ?? {});
  await store.write(async (write) => {
    const puts = createPuts(write);
    const ids = read.map(({ id }) => id);
    const records = new Map(
      (await findRecords(write.db, kind, expoId, ids)).map((record) => [record.id, record]),
    );
    for (const { id, hash, whole } of read) {
      const record = records.get(id);
      const known = Object.entries(record?.doc ?? {});
      const list = Object.fromEntries(known.filter(([field]) => !extra.includes(field)));
      const detail = detailIn(whole ?? {}, list);
      const doc = { ...list, ...detail };
      if (record !== undefined && !record.deleted && !isSame(record.doc, doc))
        puts.put(shapeFor(shapeOf(served), list, detail), expoId, doc);
      await write.db
        .updateTable('copied')
        .set({ detailed: hash })
        .where('kind', '=', kind)
        .where('id', '=', id)
        .execute();
    }
    await puts.flush();
  });
}

function detailIn(whole: Doc, list: Doc): Doc {
  return Object.fromEntries(
    Object.entries(whole).filter(([field]) => field !== 'revision' && !(field in list)),
  );
}

function isSame(one: Doc, other: Doc): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => stringifyJson(one[name] ?? null) === stringifyJson(other[name] ?? null));
}
