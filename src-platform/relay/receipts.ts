/**
 * Where items are that were handed to the box: one word for each id.
 *
 * Invariant: `confirmed` is said only of what upstream was seen to hold.
 */
import type { Store } from '../store/store.ts';

export type ReceiptState = 'at-box' | 'sent' | 'confirmed' | 'parked' | 'unknown';

/** `reason`: why upstream refused it for good. */
export type Receipt = { readonly id: string; readonly state: ReceiptState; readonly reason?: string };

function stateOf(state: string): ReceiptState {
  switch (state) {
    case 'sent':
    case 'confirmed':
    case 'parked':
      return state;
    default:
      return 'at-box';
  }
}

/** A receipt for each id, in their order; `unknown` for what this box never took. */
export async function receiptsOf(
  store: Store,
  expoId: string,
  ids: readonly string[],
): Promise<readonly Receipt[]> {
  const asked = ids.filter((id) => !id.includes('\0'));
  const rows =
    asked.length === 0
      ? []
      : await store.db
          .selectFrom('relay_fact')
          .select(['id', 'state', 'reason'])
          .where('expo_id', '=', expoId)
          .where('id', 'in', asked)
          .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = known.get(id);
    if (row === undefined) return { id, state: 'unknown' };
    const state = stateOf(row.state);
    return state === 'parked' && row.reason !== null ? { id, state, reason: row.reason } : { id, state };
  });
}
