/**
 * Taking items in at a box: `POST /actions/{expoId}` where the platform stands elsewhere.
 *
 * Invariants
 * - An item is kept as it came, in the transaction that answers; nothing is derived from it here. What it makes is
 *   upstream's word, and shows in the lists once upstream shows it.
 * - An id has one content for ever, as at the platform; what upstream refused may come again with another content.
 * - A device speaks for its own touchpoint alone.
 * - Whoever was forgotten stays so: what a device that had not heard of it brings is set aside without its content.
 * - What may have been sent to upstream before this box knew of it is looked for there first: it begins as `uncertain`.
 */
import type { FieldError } from '../http/errors.ts';
import { hashOf, type Item, type ItemResult } from '../interactions/item.ts';
import { isItem, reject, understand } from '../interactions/understand.ts';
import type { CallingDevice } from '../keys/caller.ts';
import { writeJson } from '../store/json.ts';
import type { RelayFactTable } from '../store/schema.ts';
import type { Store, Write } from '../store/store.ts';
import { ERASED, forgottenOf } from './forgotten.ts';

export type RelayScope = {
  readonly expoId: string;
  /** The device that sends, or null for the key of a person. */
  readonly device: CallingDevice | null;
  /** The device says that it may have handed these over before. */
  readonly wereOut: boolean;
  /** When this box began with an empty store, in epoch milliseconds; what happened before may have gone through another. */
  readonly since: number;
};

/** What an item says that its device may not say, or null. */
function foreignField(item: Item, device: CallingDevice | null): FieldError | null {
  if (device === null) return null;
  if (item.touchpointID !== device.touchpointId) {
    const description = 'This device was added to the box for another touchpoint';
    return { field: 'touchpointID', error: 'foreign', description };
  }
  if (item.partnerID !== undefined && item.partnerID !== device.partnerId) {
    const description = 'This device was added to the box for another partner';
    return { field: 'partnerID', error: 'foreign', description };
  }
  return null;
}

type Known = Pick<RelayFactTable, 'id' | 'hash' | 'state' | 'device_id' | 'item'>;

async function findKnown({ db }: Write, expoId: string, items: readonly Item[]): Promise<Map<string, Known>> {
  if (items.length === 0) return new Map();
  const rows = await db
    .selectFrom('relay_fact')
    .select(['id', 'hash', 'state', 'device_id', 'item'])
    .where('expo_id', '=', expoId)
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    )
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The same item again: the first result; of what upstream refused, another try. */
async function takeAgain(
  write: Write,
  { expoId, device }: RelayScope,
  item: Item,
  text: string,
  known: Known,
  at: string,
): Promise<ItemResult> {
  const hash = hashOf(item);
  const update = write.db.updateTable('relay_fact').where('expo_id', '=', expoId).where('id', '=', item.id);
  if (known.state === 'parked' && known.item === '') return refuseForgotten(item.id);
  if (known.state === 'parked') {
    const anew = { hash, item: text, state: 'due', changed: at, attempts: 0n, reason: null };
    await update.set(anew).execute();
    return { id: item.id, result: 'created' };
  }
  if (known.hash !== hash) {
    const description = 'This id was sent before with other content';
    return reject(item.id, [{ field: 'id', error: 'conflict', description }]);
  }
  await noteOther(write, { expoId, device }, known);
  return { id: item.id, result: 'duplicate' };
}

/** The device hears from the box whom to forget, and erases it. */
function refuseForgotten(id: string): ItemResult {
  return reject(id, [{ field: 'id', error: 'forgotten', description: ERASED }]);
}

/** Which of what is new is about somebody who was forgotten. */
async function findForgotten(write: Write, { expoId, device }: RelayScope, items: readonly Item[]) {
  const said = items.filter(({ kind }) => kind !== 'undo');
  if (device === null || device.partnerId === null || said.length === 0) return new Set<string>();
  return forgottenOf(write, { expoId, partnerId: device.partnerId }, said);
}

/** Another device sends what one has sent before: one of the two holds a copy of the other's data, and both are told. */
async function noteOther(
  { db }: Write,
  { expoId, device }: Pick<RelayScope, 'expoId' | 'device'>,
  known: Known,
): Promise<void> {
  if (device === null || known.device_id === null || device.id === known.device_id) return;
  await db
    .updateTable('relay_fact')
    .set({ other_device_id: device.id })
    .where('expo_id', '=', expoId)
    .where('id', '=', known.id)
    .execute();
}

function rowOf(
  write: Write,
  { expoId, device, wereOut, since }: RelayScope,
  item: Item,
  text: string,
  at: string,
): RelayFactTable {
  const isDoubtful = wereOut || Date.parse(item.at) < since;
  return {
    expo_id: expoId,
    id: item.id,
    seq: write.nextRevision(),
    hash: hashOf(item),
    kind: item.kind,
    item: text,
    device_id: device?.id ?? null,
    touchpoint_id: item.touchpointID ?? null,
    partner_id: item.partnerID ?? null,
    received: at,
    other_device_id: null,
    state: isDoubtful ? 'uncertain' : 'due',
    changed: at,
    attempts: 0n,
    reason: isDoubtful ? 'it may have been sent before this box knew of it' : null,
    action_id: null,
    revision: null,
    since_revision: null,
    repeated: 0,
  };
}

/** Keeps what can be kept and says of each item what became of it. */
export function takeIn(
  store: Store,
  scope: RelayScope,
  entries: readonly unknown[],
  now: Date,
): Promise<readonly ItemResult[]> {
  const at = now.toISOString();
  const understood = entries.map(understand);
  return store.write(async (write) => {
    const items = understood.filter(isItem);
    const known = await findKnown(write, scope.expoId, items);
    const forgotten = await findForgotten(
      write,
      scope,
      items.filter(({ id }) => !known.has(id)),
    );
    const rows: RelayFactTable[] = [];
    const results: ItemResult[] = [];
    for (const [index, item] of understood.entries()) {
      if (!isItem(item)) {
        results.push(item);
        continue;
      }
      const text = writeJson(entries[index]);
      const foreign = foreignField(item, scope.device);
      const before = known.get(item.id);
      if (foreign !== null) {
        if (before !== undefined) await noteOther(write, scope, before);
        results.push(reject(item.id, [foreign]));
      } else if (before !== undefined) results.push(await takeAgain(write, scope, item, text, before, at));
      else {
        const isGone = forgotten.has(item.id);
        const taken = rowOf(write, scope, item, text, at);
        const row = isGone ? { ...taken, item: '', state: 'parked', reason: ERASED } : taken;
        known.set(item.id, row);
        rows.push(row);
        results.push(isGone ? refuseForgotten(item.id) : { id: item.id, result: 'created' });
      }
    }
    if (rows.length > 0) await write.db.insertInto('relay_fact').values(rows).execute();
    return results;
  });
}
