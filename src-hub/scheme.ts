/**
 * Whether a box serves https or plain http.
 *
 * Invariants: it is kept with the facts, so a standby on the same database serves as the box did; a box that served before
 * there was https goes on with http until it is told otherwise, because its devices know it by that.
 */
import { readBoxSetting, writeBoxSetting } from '../src-platform/store/box-setting.ts';
import type { Store } from '../src-platform/store/store.ts';

export type Scheme = 'http' | 'https';

/** How the box over this store serves, or will when it is started. */
export async function readScheme(store: Store): Promise<Scheme> {
  const kept = await readBoxSetting(store.db, 'scheme');
  if (kept === 'http' || kept === 'https') return kept;
  return (await readBoxSetting(store.db, 'expo')) === null ? 'https' : 'http';
}

/** The same for a box that starts, which keeps it; `asked`: what it is told, or null. */
export async function settleScheme(store: Store, asked: Scheme | null): Promise<Scheme> {
  const scheme = asked ?? (await readScheme(store));
  await writeBoxSetting(store, 'scheme', scheme);
  return scheme;
}
