/**
 * The initial content of an empty database: the demo, a number of visitors, or nothing.
 *
 * Invariant: a database with any event is never changed.
 */
import type { Store } from '../store/store.ts';
import { seedDemo } from './demo.ts';

/** `demo`, `empty`, or the number of visitors of a demo event. */
export type SeedOption = 'demo' | 'empty' | number;

/** Seeds a database without an event. Any other stays unchanged. */
export async function seed(store: Store, option: SeedOption, now: Date): Promise<void> {
  if (option === 'empty') return;
  const anything = await store.db
    .selectFrom('record')
    .select('id')
    .where('kind', '=', 'expo')
    .limit(1)
    .executeTakeFirst();
  if (anything) return;
  await (option === 'demo' ? seedDemo(store, now) : seedDemo(store, now, option));
}
