/**
 * Receipts for submitted items: the state of each id.
 *
 * Invariants
 * - `confirmed` means that the item was read back from the platform.
 * - A device gets receipts only for its own facts and for those of its partner.
 */
import type { CallingDevice } from '../keys/caller.ts';
import type { Store } from '../store/store.ts';

type ReceiptState = 'at-hub' | 'sent' | 'confirmed' | 'parked' | 'unknown';

/** `reason`: why a parked fact is not delivered, for example because upstream refused it permanently. */
type Receipt = { readonly id: string; readonly state: ReceiptState; readonly reason?: string };

/** The state of a hub's fact in a receipt. */
export function stateOf(state: string): ReceiptState {
  switch (state) {
    case 'sent':
    case 'confirmed':
    case 'parked':
      return state;
    default:
      return 'at-hub';
  }
}

/** Another device, and how many facts both devices submitted. */
type OtherSender = { readonly device: string; readonly facts: number };

/** The devices that submitted some of the same facts as this one. One of the two devices then runs on a copied disk. */
export async function otherSendersOf(
  store: Store,
  expoId: string,
  deviceId: string,
): Promise<readonly OtherSender[]> {
  const pairs = await store.db
    .selectFrom('relay_fact')
    .select(({ fn }) => ['device_id', 'other_device_id', fn.countAll().as('facts')])
    .where('expo_id', '=', expoId)
    .where('other_device_id', 'is not', null)
    .where((is) => is.or([is('device_id', '=', deviceId), is('other_device_id', '=', deviceId)]))
    .groupBy(['device_id', 'other_device_id'])
    .execute();
  if (pairs.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { device_id, other_device_id, facts } of pairs) {
    const other = device_id === deviceId ? other_device_id : device_id;
    if (other !== null) counts.set(other, (counts.get(other) ?? 0) + Number(facts));
  }
  const named = await store.db
    .selectFrom('device')
    .select(['id', 'name'])
    .where('id', 'in', [...counts.keys()])
    .execute();
  return named.map(({ id, name }) => ({ device: name, facts: counts.get(id) ?? 0 }));
}

/** A receipt for each id that `device` may query, in the given order. `unknown`: this hub never accepted it. */
export async function receiptsOf(
  store: Store,
  expoId: string,
  ids: readonly string[],
  device: Pick<CallingDevice, 'id' | 'partnerId'> | null,
): Promise<readonly Receipt[]> {
  const asked = ids.filter((id) => !id.includes('\0'));
  const rows =
    asked.length === 0
      ? []
      : await store.db
          .selectFrom('relay_fact')
          .select(['id', 'state', 'reason', 'device_id', 'partner_id'])
          .where('expo_id', '=', expoId)
          .where('id', 'in', asked)
          .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id): readonly Receipt[] => {
    const row = known.get(id);
    if (row === undefined) return [{ id, state: 'unknown' }];
    const isTheirs =
      device === null ||
      row.device_id === device.id ||
      (row.partner_id !== null && row.partner_id === device.partnerId);
    if (!isTheirs) return [];
    const state = stateOf(row.state);
    return state === 'parked' && row.reason !== null ? [{ id, state, reason: row.reason }] : [{ id, state }];
  });
}
