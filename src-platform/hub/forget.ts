/**
 * A device asks the hub to forget a person: what was handed over about them loses its content, and the other devices of the
 * partner are told (`team-facts.ts`). Ours alone, and only at a hub (docs/hub.md).
 *
 *     erase items ★ ► keep marks ★ ► in one order with the facts, told to the partner's devices
 *
 * Invariants: a device speaks for its own partner alone (docs/laws.md#law-14); no name comes or is kept, only ids of facts and
 * marks of people; what was due is set aside and never leaves, nothing is deleted (docs/laws.md#law-2); asked again under the
 * same id, nothing happens and the answer is the same.
 */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { forbidden } from '../http/errors.ts';
import type { ExpoCall, Operation } from '../http/operation.ts';
import { instant } from '../resources/fields.ts';
import { writeJson } from '../store/json.ts';
import type { Tables } from '../store/schema.ts';
import type { Store, Write } from '../store/store.ts';
import { ERASED, ERASED_ON_THE_WAY, isAbout, markOfFact, type Place, WITHOUT_CONTENT } from './forgotten.ts';

const body = z.strictObject({
  id: z.uuid(),
  /** When the person asked, by the clock of the platform. */
  at: instant(),
  /** Facts that were about them, as far as the device knows. */
  facts: z.array(z.string().max(64)).max(1_000),
  /** Their marks. */
  people: z.array(z.string().regex(/^(badge|visitor):[0-9a-f]{64}$/)).max(100),
});
type Forgetting = z.infer<typeof body>;

const answer = z.object({
  /** Of `facts`, those that the platform will never have. */
  neverOut: z.array(z.string()),
});

/** Most ids in one statement. */
const SLICE = 500;

type Found = { readonly id: string; readonly state: string };

/**
 * Facts of a partner that may be about the person, by an index: those that carry a mark, or were taken before facts had marks.
 */
export function candidatesOf(db: Kysely<Tables>, { expoId, partnerId }: Place, people: readonly string[]) {
  const facts = db
    .selectFrom('relay_fact')
    .select(['id', 'state', 'item'])
    .where('expo_id', '=', expoId)
    .where('partner_id', '=', partnerId)
    .where('item', '<>', '');
  const marked = people.length === 0 ? [''] : people;
  return facts
    .where('badge_mark', 'in', marked)
    .unionAll(facts.where('visitor_mark', 'in', marked))
    .unionAll(facts.where('has_lookup', '=', 0));
}

/** What was handed over about the person: what was named, and what was said of them before they asked. */
async function findAll(
  { db }: Write,
  place: Place,
  { at, facts, people }: Forgetting,
): Promise<readonly Found[]> {
  const marks = new Set(people);
  const found = new Map<string, Found>();
  for (let from = 0; from < facts.length; from += SLICE) {
    const rows = await db
      .selectFrom('relay_fact')
      .select(['id', 'state'])
      .where('expo_id', '=', place.expoId)
      .where('id', 'in', facts.slice(from, from + SLICE))
      .where('partner_id', '=', place.partnerId)
      .where('item', '<>', '')
      .execute();
    for (const row of rows) found.set(row.id, row);
  }
  for (const { id, state, item } of await candidatesOf(db, place, people).execute())
    if (saidBefore(item, at, marks, place)) found.set(id, { id, state });
  return [...found.values()];
}

function saidBefore(text: string, at: string, people: ReadonlySet<string>, place: Place): boolean {
  const item = JSON.parse(text) as {
    readonly at: string;
    readonly badge?: string;
    readonly visitorID?: string;
  };
  return Date.parse(item.at) <= Date.parse(at) && isAbout(people, place, item);
}

/** Takes the content away; what had not left the hub never will. */
async function erase({ db }: Write, expoId: string, found: readonly Found[], at: string): Promise<void> {
  const set = async (
    states: readonly string[],
    change: { readonly state?: string; readonly reason?: string },
  ) => {
    const ids = found.filter(({ state }) => states.includes(state)).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += SLICE)
      await db
        .updateTable('relay_fact')
        .set({ ...WITHOUT_CONTENT, ...change, ...(change.state === undefined ? {} : { changed: at }) })
        .where('expo_id', '=', expoId)
        .where('id', 'in', ids.slice(from, from + SLICE))
        .execute();
  };
  await set(['due'], { state: 'parked', reason: ERASED });
  await set(['in_flight', 'uncertain'], { state: 'parked', reason: ERASED_ON_THE_WAY });
  await set(['sent', 'confirmed', 'parked'], {});
}

/** Keeps what nothing of them comes back by. */
async function keepMarks({ db }: Write, place: Place, { at, facts, people }: Forgetting): Promise<void> {
  const alone = people.some((mark) => mark.startsWith('visitor:')) ? 0 : 1;
  const common = { expo_id: place.expoId, partner_id: place.partnerId };
  const rows = [
    ...facts.map((id) => ({ ...common, mark: markOfFact(id), at: null, alone: 0 })),
    ...people.map((mark) => ({ ...common, mark, at, alone })),
  ];
  for (let from = 0; from < rows.length; from += SLICE)
    await db
      .insertInto('forgotten')
      .values(rows.slice(from, from + SLICE))
      .onConflict((conflict) =>
        conflict
          .columns(['expo_id', 'partner_id', 'mark'])
          .doUpdateSet((row) => ({ at: row.ref('excluded.at'), alone: row.ref('excluded.alone') })),
      )
      .execute();
}

async function neverOutOf({ db }: Write, expoId: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('relay_fact')
    .select(['id', 'reason'])
    .where('expo_id', '=', expoId)
    .where('id', 'in', ids)
    .where('state', '=', 'parked')
    .execute();
  return rows.filter(({ reason }) => reason !== ERASED_ON_THE_WAY).map(({ id }) => id);
}

/** The operation that forgets a person at the hub. */
export function forgetOperation(store: Store, now: () => Date): Operation {
  return {
    method: 'POST',
    path: '/hub/forget/{expoId}',
    tag: 'hub',
    summary: 'Forget a person here and at the other devices of the partner',
    documented: false,
    right: 'write',
    body,
    bodyShape: body,
    answer,
    onExpo: true,
    handle: async ({ caller, expo, body: given }: ExpoCall) => {
      const { device } = caller;
      if (device === undefined || device.partnerId === null)
        throw forbidden('Only a device of a partner of this hub may do this');
      const asked = { ...(given as Forgetting), at: new Date((given as Forgetting).at).toISOString() };
      const { partnerId } = device;
      const place = { expoId: expo.id, partnerId };
      const neverOut = await store.write(async (write) => {
        const known = await write.db
          .selectFrom('forgetting')
          .select('id')
          .where('expo_id', '=', expo.id)
          .where('id', '=', asked.id)
          .executeTakeFirst();
        if (known === undefined) {
          await erase(write, expo.id, await findAll(write, place, asked), now().toISOString());
          await keepMarks(write, place, asked);
          const told = writeJson(asked);
          const row = { id: asked.id, seq: write.nextRevision(), device_id: device.id, told };
          await write.db
            .insertInto('forgetting')
            .values({ expo_id: expo.id, partner_id: partnerId, ...row })
            .execute();
        }
        return neverOutOf(write, expo.id, asked.facts);
      });
      await store.emptyLog();
      return { neverOut };
    },
  };
}
