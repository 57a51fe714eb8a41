/**
 * Accepts items at a hub (`POST /actions/{expoId}`), which delivers them to the platform later.
 *
 * Invariants
 * - The hub stores an item unchanged and derives nothing from it. Its lists show the effects of an item only after
 *   the platform's lists do.
 * - The content of an id never changes, as at the platform. The exception is an item that upstream refused: it may be
 *   submitted again with other content.
 * - A device submits only for its own touchpoint. An undo may also name the touchpoint of the fact that it undoes.
 * - Of the facts in the store, a device may undo only facts of its own partner, and only these: its own facts, the
 *   facts of a revoked device that it replaces at its touchpoint, facts that signed-in staff undo, and erased facts.
 * - An exact repeat of an accepted undo changes nothing, so it is accepted even if these rules forbid the undo. A
 *   device with a copied disk may submit it.
 * - A forgotten person stays forgotten: an item from a device that missed the request is parked without its content.
 * - An item that may have been sent upstream before this store began starts as `uncertain`. The hub looks it up
 *   first.
 */
import type { FieldError } from '../http/errors.ts';
import { hashOf, type Item, type ItemResult, isItem, reject, understand } from '../interactions/item.ts';
import type { CallingDevice } from '../keys/caller.ts';
import { isRevoked } from '../keys/devices.ts';
import { writeJson } from '../store/json.ts';
import type { HubFactTable } from '../store/schema.ts';
import type { Store, Write } from '../store/store.ts';
import { ERASED, forgottenOf, lookupOf, WITHOUT_CONTENT } from './forgotten.ts';
import { LONGEST_ITEM } from './intake.ts';

export type HubScope = {
  readonly expoId: string;
  /** The submitting device, or null for the key of a person. */
  readonly device: CallingDevice | null;
  /** Whether the device may have submitted these items before. */
  readonly wereOut: boolean;
  /** When the hub's store began, in epoch milliseconds. Another hub may have sent earlier facts. */
  readonly since: number;
};

/** The field that the device may not submit, or null. `undone`: the fact that this item undoes, if the hub holds it. */
async function foreignField(
  { db }: Write,
  item: Item,
  device: CallingDevice | null,
  undone: Known | null,
  isRepeated: boolean,
): Promise<FieldError | null> {
  if (device === null) return null;
  const isAllowed = undone === null || isRepeated || mayUndo(undone, item, device);
  if (!isAllowed && !(await succeeds(db, device, undone))) {
    const description = 'This device may not take this fact back';
    return { field: 'undoes', error: 'foreign', description };
  }
  const places = [device.touchpointId, ...(undone === null ? [] : [undone.touchpoint_id])];
  if (!places.includes(item.touchpointID ?? null)) {
    const description = 'This device was added to the hub for another touchpoint';
    return { field: 'touchpointID', error: 'foreign', description };
  }
  if (item.partnerID !== undefined && item.partnerID !== device.partnerId) {
    const description = 'This device was added to the hub for another partner';
    return { field: 'partnerID', error: 'foreign', description };
  }
  return null;
}

/** Whether a device may undo a fact of its partner. */
function mayUndo(undone: Known, { staff }: Item, { id, partnerId }: CallingDevice): boolean {
  if (undone.partner_id !== partnerId) return false;
  const isForgotten = undone.item === '';
  const isOwn = undone.device_id === id || undone.other_device_id === id;
  return isOwn || staff !== undefined || isForgotten;
}

/**
 * Whether a device replaces a revoked one at its touchpoint. A laptop that was set up again keeps the right to undo
 * its earlier facts.
 */
async function succeeds(db: Write['db'], device: CallingDevice, undone: Known): Promise<boolean> {
  if (undone.partner_id !== device.partnerId || undone.touchpoint_id !== device.touchpointId) return false;
  return undone.device_id !== null && isRevoked(db, undone.device_id);
}

const TOO_LONG: FieldError = {
  field: 'fields',
  error: 'tooLong',
  description: `An item has at most ${LONGEST_ITEM} characters`,
};

/** A notice contains at most this many numbers of facts. */
const NAMED_AT_ONCE = 300;

/** One request that submits items. */
export type Submission = {
  readonly scope: HubScope;
  readonly entries: readonly unknown[];
  readonly now: Date;
};

type Known = Pick<
  HubFactTable,
  'id' | 'seq' | 'hash' | 'state' | 'device_id' | 'other_device_id' | 'item' | 'partner_id' | 'touchpoint_id'
>;

/** The stored items, by event and id. */
type KnownItems = Map<string, Known>;

/** A submission with its parsed entries: items, or the results that refuse them. */
type Understood = Submission & { readonly items: readonly (Item | ItemResult)[] };

/** One transaction that accepts items. */
type Acceptance = {
  readonly write: Write;
  readonly known: KnownItems;
  readonly forgotten: ReadonlySet<Item>;
  /** The new rows, by event and id. */
  readonly rows: Map<string, HubFactTable>;
  /**
   * Numbers of items that were already known. Their receipts may have arrived before the device knew that the hub has
   * them.
   */
  readonly repeated: Set<bigint>;
};

function keyOf(expoId: string, id: string): string {
  return `${expoId}\n${id}`;
}

async function findKnown({ db }: Write, understood: readonly Understood[]): Promise<KnownItems> {
  const ids = understood.flatMap(({ items }) =>
    items.filter(isItem).flatMap(({ id, undoes }) => (undoes === undefined ? [id] : [id, undoes])),
  );
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('relay_fact')
    .select([
      'expo_id',
      'id',
      'seq',
      'hash',
      'state',
      'device_id',
      'other_device_id',
      'item',
      'partner_id',
      'touchpoint_id',
    ])
    .where('expo_id', 'in', [...new Set(understood.map(({ scope }) => scope.expoId))])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [keyOf(row.expo_id, row.id), row]));
}

/**
 * Handles an item with a known id: a parked item is stored again and becomes due. Otherwise the same content is a
 * duplicate, and other content is rejected.
 */
async function acceptAgain(
  acceptance: Acceptance,
  { expoId, device }: HubScope,
  item: Item,
  text: string,
  known: Known,
  at: string,
): Promise<ItemResult> {
  const hash = hashOf(item);
  const update = acceptance.write.db
    .updateTable('relay_fact')
    .where('expo_id', '=', expoId)
    .where('id', '=', item.id);
  if (known.state === 'parked' && known.item === '') return refuseForgotten(item.id);
  if (known.state === 'parked') {
    const place = { expoId, partnerId: known.partner_id };
    await update
      // The sender may have retried it in the meantime.
      .where('state', '=', 'parked')
      .set({
        ...lookupOf(place, item),
        hash,
        item: text,
        state: 'due',
        changed: at,
        attempts: 0n,
        reason: null,
      })
      .execute();
    return { id: item.id, result: 'created' };
  }
  if (known.hash !== hash) {
    const description = 'This id was sent before with other content';
    return reject(item.id, [{ field: 'id', error: 'conflict', description }]);
  }
  await noteOther(acceptance, { expoId, device }, known);
  acceptance.repeated.add(known.seq);
  return { id: item.id, result: 'duplicate' };
}

/** Rejects an item about a forgotten person. The device reads the request to forget from the hub. */
function refuseForgotten(id: string): ItemResult {
  return reject(id, [{ field: 'id', error: 'forgotten', description: ERASED }]);
}

/** The new items, except undos, about a forgotten person. */
function findForgotten(
  write: Write,
  understood: readonly Understood[],
  known: KnownItems,
): Promise<ReadonlySet<Item>> {
  const placed = understood.flatMap(({ scope: { expoId, device }, items }) => {
    const partnerId = device?.partnerId ?? null;
    if (partnerId === null) return [];
    const isNew = (item: Item): boolean => item.kind !== 'undo' && !known.has(keyOf(expoId, item.id));
    return items
      .filter(isItem)
      .filter(isNew)
      .map((item) => ({ place: { expoId, partnerId }, item }));
  });
  return forgottenOf(write, placed);
}

/**
 * Records that a second device submits the same fact. One of the two works on a copied disk, and both show a warning.
 */
async function noteOther(
  { write, rows, known: items }: Acceptance,
  { expoId, device }: Pick<HubScope, 'expoId' | 'device'>,
  known: Known,
): Promise<void> {
  if (device === null || known.device_id === null || device.id === known.device_id) return;
  const key = keyOf(expoId, known.id);
  // The item that undoes this fact may follow in the same request.
  items.set(key, { ...known, other_device_id: device.id });
  const row = rows.get(key);
  if (row !== undefined) {
    rows.set(key, { ...row, other_device_id: device.id });
    return;
  }
  await write.db
    .updateTable('relay_fact')
    .set({ other_device_id: device.id })
    .where('expo_id', '=', expoId)
    .where('id', '=', known.id)
    .execute();
}

function rowOf(
  write: Write,
  { expoId, device, wereOut, since }: HubScope,
  item: Item,
  text: string,
  at: string,
): HubFactTable {
  const isDoubtful = wereOut || Date.parse(item.at) < since;
  const partnerId = item.partnerID ?? device?.partnerId ?? null;
  return {
    expo_id: expoId,
    id: item.id,
    seq: write.nextRevision(),
    ...lookupOf({ expoId, partnerId }, item),
    hash: hashOf(item),
    kind: item.kind,
    item: text,
    device_id: device?.id ?? null,
    touchpoint_id: item.touchpointID ?? null,
    // An item without a partner gets its device's partner, so that the team can read it and an erasure finds it.
    partner_id: partnerId,
    received: at,
    other_device_id: null,
    state: isDoubtful ? 'uncertain' : 'due',
    changed: at,
    attempts: 0n,
    reason: isDoubtful ? 'it may have been sent before this hub knew of it' : null,
    action_id: null,
    revision: null,
    since_revision: null,
    repeated: 0,
  };
}

/** Accepts one item with the submitted `text`. A new item is added to the rows. */
async function acceptOne(
  acceptance: Acceptance,
  scope: HubScope,
  item: Item,
  text: string,
  at: string,
): Promise<ItemResult> {
  const { write, known, forgotten, rows } = acceptance;
  const key = keyOf(scope.expoId, item.id);
  const undone = item.undoes === undefined ? undefined : known.get(keyOf(scope.expoId, item.undoes));
  const before = known.get(key);
  // An exact repeat of an accepted undo changes nothing, so it is accepted even from a device that may not undo the
  // fact.
  const foreign = await foreignField(
    write,
    item,
    scope.device,
    undone ?? null,
    before?.hash === hashOf(item),
  );
  if (foreign !== null) {
    if (before !== undefined) await noteOther(acceptance, scope, before);
    return reject(item.id, [foreign]);
  }
  if (before !== undefined) return acceptAgain(acceptance, scope, item, text, before, at);
  const isGone = forgotten.has(item);
  const accepted = rowOf(write, scope, item, text, at);
  const row = isGone ? { ...accepted, ...WITHOUT_CONTENT, state: 'parked', reason: ERASED } : accepted;
  known.set(key, row);
  rows.set(key, row);
  return isGone ? refuseForgotten(item.id) : { id: item.id, result: 'created' };
}

/**
 * Stores the valid items of all submissions in one transaction. Returns one result for each item, submission by
 * submission.
 */
export function acceptAll(
  store: Store,
  submissions: readonly Submission[],
): Promise<readonly (readonly ItemResult[])[]> {
  const understood = submissions.map((one) => ({ ...one, items: one.entries.map(understand) }));
  return store.write(async (write) => {
    const known = await findKnown(write, understood);
    const forgotten = await findForgotten(write, understood, known);
    const rows = new Map<string, HubFactTable>();
    const repeated = new Set<bigint>();
    const acceptance = { write, known, forgotten, rows, repeated };
    const results: ItemResult[][] = [];
    for (const { scope, items, entries, now } of understood) {
      const own: ItemResult[] = [];
      for (const [index, item] of items.entries()) {
        const text = isItem(item) ? writeJson(entries[index]) : '';
        if (!isItem(item)) own.push(item);
        else if (text.length > LONGEST_ITEM) own.push(reject(item.id, [TOO_LONG]));
        else own.push(await acceptOne(acceptance, scope, item, text, now.toISOString()));
      }
      results.push(own);
    }
    if (rows.size > 0) {
      await write.db
        .insertInto('relay_fact')
        .values([...rows.values()])
        .execute();
      const partners = new Set([...rows.values()].flatMap(({ partner_id }) => partner_id ?? []));
      for (const partner of partners) write.notify('team', partner);
    }
    const numbers = [...repeated];
    for (let from = 0; from < numbers.length; from += NAMED_AT_ONCE)
      write.notify('receipts', numbers.slice(from, from + NAMED_AT_ONCE).join(','));
    if (results.some((some) => some.some(({ result }) => result === 'created'))) write.notify('taken');
    return results;
  });
}
