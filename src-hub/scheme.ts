/**
 * Whether a hub serves https or plain http.
 *
 * Invariants: it is kept with the facts, so a standby on the same database serves as the hub did; a hub that served before
 * there was https goes on with http until it is told otherwise, because its devices know it by that.
 */
import { readHubSetting, writeHubSetting } from '../src-platform/store/hub-setting.ts';
import type { Store } from '../src-platform/store/store.ts';

export type Scheme = 'http' | 'https';

/** How the hub over this store serves, or will when it is started. */
export async function readScheme(store: Store): Promise<Scheme> {
  const kept = await readHubSetting(store.db, 'scheme');
  if (kept === 'http' || kept === 'https') return kept;
  return (await readHubSetting(store.db, 'expo')) === null ? 'https' : 'http';
}

/** The same for a hub that starts, which keeps it; `asked`: what it is told, or null. */
export async function settleScheme(store: Store, asked: Scheme | null): Promise<Scheme> {
  const scheme = asked ?? (await readScheme(store));
  await writeHubSetting(store, 'scheme', scheme);
  return scheme;
}
