/**
 * The people forgotten at a hub: ids of facts and pseudonym hashes, in the table `forgotten`.
 *
 * Invariants
 * - A hash contains no name, badge or visitor. It is valid for one partner only.
 * - The hub never again accepts a listed fact, or a fact about the person from before the request.
 */
import { createHash } from 'node:crypto';
import type { Item } from '../interactions/item.ts';
import type { Write } from '../store/store.ts';

/** Reason of a parked item whose person was forgotten before the hub sent it. */
export const ERASED = 'the person asked to be forgotten, so the content was erased';
/** Reason of a parked item whose person was forgotten after it may have reached the platform. */
export const ERASED_ON_THE_WAY = 'the person asked to be forgotten while this was on its way';

/** One partner at one event. */
export type Place = { readonly expoId: string; readonly partnerId: string };

type Named = Pick<Item, 'badge' | 'visitorID'>;

/** The key of a fact's row. */
export function markOfFact(id: string): string {
  return `fact:${id}`;
}

/** The pseudonym hash of a badge or a visitor (docs/hub.md#for-developers). It cannot be converted back to the code. */
export function markOf(kind: 'badge' | 'visitor', { expoId, partnerId }: Place, code: string): string {
  const text = [expoId, partnerId, kind, code].join('\n');
  return `${kind}:${createHash('sha256').update(text).digest('hex')}`;
}

/** The columns that find a fact without reading its text: pseudonym hashes of the person, and the fact that it undoes. */
type FactLookup = {
  readonly badge_mark: string | null;
  readonly visitor_mark: string | null;
  readonly undoes: string | null;
  /** 1: the three columns above are filled. 0: the fact was stored before these columns existed. */
  readonly has_lookup: number;
};

/** The lookup columns of an item. Only a partner can forget a person, so a fact without a partner gets no hashes. */
export function lookupOf(
  { expoId, partnerId }: { readonly expoId: string; readonly partnerId: string | null },
  { badge, visitorID, undoes }: Pick<Item, 'badge' | 'visitorID' | 'undoes'>,
): FactLookup {
  const place = partnerId === null ? null : { expoId, partnerId };
  return {
    badge_mark: place === null || badge === undefined ? null : markOf('badge', place, badge),
    visitor_mark: place === null || visitorID === undefined ? null : markOf('visitor', place, visitorID),
    undoes: undoes ?? null,
    has_lookup: 1,
  };
}

/** The changed columns of a fact whose person was forgotten: no text and no pseudonym hashes. */
export const WITHOUT_CONTENT = { item: '', badge_mark: null, visitor_mark: null } as const;

/** Whether an item is about one of `people` (pseudonym hashes). A visitor id takes precedence over a badge. */
export function isAbout(people: ReadonlySet<string>, place: Place, { badge, visitorID }: Named): boolean {
  const knowsVisitor = [...people].some((mark) => mark.startsWith('visitor:'));
  const byBadge = badge !== undefined && people.has(markOf('badge', place, badge));
  if (visitorID === undefined || !knowsVisitor) return byBadge;
  return people.has(markOf('visitor', place, visitorID));
}

/** An item of a partner. */
type PlacedItem = { readonly place: Place; readonly item: Item };

/** The items about a forgotten person. */
export async function forgottenOf({ db }: Write, placed: readonly PlacedItem[]): Promise<ReadonlySet<Item>> {
  if (placed.length === 0) return new Set();
  const marked = placed.map(({ place, item }) => ({
    place,
    item,
    fact: markOfFact(item.id),
    badge: item.badge === undefined ? null : markOf('badge', place, item.badge),
    visitor: item.visitorID === undefined ? null : markOf('visitor', place, item.visitorID),
  }));
  const asked = marked.flatMap(({ fact, badge, visitor }) => [fact, badge, visitor]);
  const rows = await db
    .selectFrom('forgotten')
    .select(['expo_id', 'partner_id', 'mark', 'at', 'alone'])
    .where('expo_id', 'in', [...new Set(placed.map(({ place }) => place.expoId))])
    .where(
      'mark',
      'in',
      asked.filter((mark) => mark !== null),
    )
    .execute();
  const known = new Map(
    rows.map((row) => [keyOf({ expoId: row.expo_id, partnerId: row.partner_id }, row.mark), row]),
  );
  const counts = (place: Place, mark: string | null, { at }: Item, alone: boolean): boolean => {
    const row = mark === null ? undefined : known.get(keyOf(place, mark));
    if (row === undefined || (alone && Number(row.alone) === 0)) return false;
    return row.at === null || Date.parse(at) <= Date.parse(row.at);
  };
  const gone = marked.filter(
    ({ place, item, fact, badge, visitor }) =>
      counts(place, fact, item, false) ||
      counts(place, visitor, item, false) ||
      counts(place, badge, item, visitor !== null),
  );
  return new Set(gone.map(({ item }) => item));
}

function keyOf({ expoId, partnerId }: Place, mark: string): string {
  return [expoId, partnerId, mark].join('\n');
}
