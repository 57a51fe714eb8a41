/**
 * Matches actions without a fact id to our facts, by badge or visitor, touchpoint, content, activity and time. Pure.
 *
 * Invariants:
 * - A fact matches at most one action, and an action one fact.
 * - An action without a time, or without badge and visitor, matches no fact. A missing touchpoint, content or activity
 *   matches only if the fact lacks it too.
 */

/** A sent fact: its id and the text of its item. */
export type Wanted = { readonly id: string; readonly wire: string | null };

/**
 * Platforms may round times. No badge is tapped twice within this (`DEBOUNCE_MS`). Source:
 * docs/interface/undocumented.md#read-back.
 */
const SAME_MOMENT_MS = 2_000;

type Fields = Readonly<Record<string, unknown>>;

export type Likenesses = {
  /** The fact that this action matches, or null. `cannotTell`: the action lacks its time, or both badge and visitor. */
  readonly factLike: (action: string, body: Fields) => string | null | 'cannotTell';
};

/** A matcher for facts that leave an action. */
export function createLikenesses(wanted: readonly Wanted[]): Likenesses {
  const items = wanted.flatMap(({ id, wire }) =>
    wire === null ? [] : [{ id, item: JSON.parse(wire) as Fields }],
  );
  /** The matched fact of each action. */
  const matched = new Map<string, string>();
  return {
    factLike: (action, body) => {
      const before = matched.get(action);
      if (before !== undefined) return before;
      const taken = new Set(matched.values());
      const like = items.find(({ id, item }) => !taken.has(id) && isLike(item, body));
      if (like === undefined) return momentOf(body) === null || !isSomebodys(body) ? 'cannotTell' : null;
      matched.set(action, like.id);
      return like.id;
    },
  };
}

function isLike(item: Fields, body: Fields): boolean {
  const made = momentOf(item);
  const seen = momentOf(body);
  if (made === null || seen === null || Math.abs(made - seen) > SAME_MOMENT_MS) return false;
  const isSame = (name: string) => (item[name] ?? null) === (body[name] ?? null);
  const isSameBadge = typeof item.badge === 'string' && item.badge === body.badge;
  const isSameVisitor = typeof item.visitorID === 'string' && item.visitorID === body.visitorID;
  return (isSameBadge || isSameVisitor) && ['touchpointID', 'contentID', 'activityID'].every(isSame);
}

function momentOf({ at }: Fields): number | null {
  const moment = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return Number.isNaN(moment) ? null : moment;
}

function isSomebodys({ badge, visitorID }: Fields): boolean {
  return typeof badge === 'string' || typeof visitorID === 'string';
}
