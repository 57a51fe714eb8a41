/**
 * A device requests that the hub forget a person. The hub erases the submitted facts about them and notifies the
 * other devices of the partner (`team-facts.ts`). This is our own extension, which only a hub has (docs/hub.md).
 *
 *     erase items ★ ► store pseudonym hashes ★ ► numbered in one sequence with the facts, for the partner's devices
 *
 * Invariants
 * - A device acts only for its own partner (docs/laws.md#law-14).
 * - The request and the store hold no name, only ids of facts and pseudonym hashes.
 * - Facts that are due, in flight or uncertain are parked and no longer sent. No fact is deleted (docs/laws.md#law-2).
 * - A repeated request with the same id changes nothing and gets the same answer.
 */
import { type Kysely, sql } from 'kysely';
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
  /** Time of the request by the platform's clock. */
  at: instant(),
  /** Facts about the person, as far as the device holds them. */
  facts: z.array(z.string().max(64)).max(1_000),
  /** The pseudonym hashes of the person. */
  people: z.array(z.string().regex(/^(badge|visitor):[0-9a-f]{64}$/)).max(100),
});
type Forgetting = z.infer<typeof body>;

const answer = z.object({
  /** The ones of `facts` that the platform will never receive. */
  neverOut: z.array(z.string()),
});

/** Maximum number of ids in one statement. */
const SLICE = 500;

/**
 * Facts of a partner that may be about the person, found by an index: facts with one of the pseudonym hashes, and facts
 * that were stored before hashes existed.
 */
export function candidatesOf(db: Kysely<Tables>, { expoId, partnerId }: Place, people: readonly string[]) {
  const facts = db
    .selectFrom('relay_fact')
    .select(['id', 'item'])
    .where('expo_id', '=', expoId)
    .where('partner_id', '=', partnerId)
    .where('item', '<>', '');
  const marked = people.length === 0 ? [''] : people;
  return facts
    .where('badge_mark', 'in', marked)
    .unionAll(facts.where('visitor_mark', 'in', marked))
    .unionAll(facts.where('has_lookup', '=', 0));
}

/** The ids of the submitted facts about the person: the listed ones, and those from before the request. */
async function findAll(
  { db }: Write,
  place: Place,
  { at, facts, people }: Forgetting,
): Promise<readonly string[]> {
  const marks = new Set(people);
  const found = new Set<string>();
  for (let from = 0; from < facts.length; from += SLICE) {
    const rows = await db
      .selectFrom('relay_fact')
      .select('id')
      .where('expo_id', '=', place.expoId)
      .where('id', 'in', facts.slice(from, from + SLICE))
      .where('partner_id', '=', place.partnerId)
      .where('item', '<>', '')
      .execute();
    for (const { id } of rows) found.add(id);
  }
  for (const { id, item } of await candidatesOf(db, place, people).execute())
    if (saidBefore(item, at, marks, place)) found.add(id);
  return [...found];
}

function saidBefore(text: string, at: string, people: ReadonlySet<string>, place: Place): boolean {
  const item = JSON.parse(text) as {
    readonly at: string;
    readonly badge?: string;
    readonly visitorID?: string;
  };
  return Date.parse(item.at) <= Date.parse(at) && isAbout(people, place, item);
}

/**
 * Erases the content, and parks facts that are due, in flight or uncertain, so that they are no longer sent. One
 * statement reads and changes the state, because the sender may change it at the same time.
 */
async function erase({ db }: Write, expoId: string, ids: readonly string[], at: string): Promise<void> {
  const unsent = sql`state in ('due', 'in_flight', 'uncertain')`;
  for (let from = 0; from < ids.length; from += SLICE)
    await db
      .updateTable('relay_fact')
      .set({
        ...WITHOUT_CONTENT,
        state: sql`case when ${unsent} then 'parked' else state end`,
        changed: sql`case when ${unsent} then ${at} else changed end`,
        reason: sql`case when state = 'due' then ${ERASED} when ${unsent} then ${ERASED_ON_THE_WAY} else reason end`,
      })
      .where('expo_id', '=', expoId)
      .where('id', 'in', ids.slice(from, from + SLICE))
      .execute();
}

/** Stores the pseudonym hashes, so that nothing about the person is accepted again. */
async function keepMarks({ db }: Write, place: Place, { at, facts, people }: Forgetting): Promise<void> {
  const alone = people.some((mark) => mark.startsWith('visitor:')) ? 0 : 1;
  const { expoId: expo_id, partnerId: partner_id } = place;
  const rows = [
    ...facts.map((id) => ({ expo_id, partner_id, mark: markOfFact(id), at: null, alone: 0 })),
    ...people.map((mark) => ({ expo_id, partner_id, mark, at, alone })),
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

/** The operation that forgets a person. */
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
          await write.db
            .insertInto('forgetting')
            .values({
              expo_id: expo.id,
              partner_id: partnerId,
              id: asked.id,
              seq: write.nextRevision(),
              device_id: device.id,
              told: writeJson(asked),
            })
            .execute();
          write.notify('team', partnerId);
        }
        return neverOutOf(write, expo.id, asked.facts);
      });
      await store.emptyLog();
      return { neverOut };
    },
  };
}
