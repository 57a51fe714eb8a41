/**
 * Badge codes and their owners over time. A badge can pass from one visitor to another. A tap belongs to the owner at the
 * time of the tap, even if it is submitted or resolved later.
 *
 * Invariants
 * - A tap before the first owner belongs to the first owner, because badges are often tapped before they are
 *   registered.
 * - A tap between two owners belongs to the later owner.
 * - An earlier owner keeps the taps of that time, even after that visitor was deleted.
 */
import type { Write } from '../store/store.ts';

/**
 * The form of a badge code for comparison. The serial number of a chip (4 to 10 bytes) has many notations and becomes
 * upper-case hex without separators. Every other code stays as it is.
 */
export function normaliseCode(code: string): string {
  return /^[0-9a-f]{2}(?:[:\- ]?[0-9a-f]{2}){3,9}$/i.test(code)
    ? code.replace(/[:\- ]/g, '').toUpperCase()
    : code;
}

/** Returns the visitor who owned `code` at `at` (ISO 8601 in UTC), or null if there never was one. */
export type OwnerAt = (code: string, at: string) => string | null;

/** Reads the current and earlier owners of these badge codes (normalised) in one event. */
export async function readOwners(
  db: Write['db'],
  expoId: string,
  codes: readonly string[],
): Promise<OwnerAt> {
  if (codes.length === 0) return () => null;
  const present = await db
    .selectFrom('badge')
    .select(['code', 'visitor_id'])
    .where('expo_id', '=', expoId)
    .where('code', 'in', [...codes])
    .execute();
  const past = await db
    .selectFrom('badge_past')
    .select(['code', 'visitor_id', 'until'])
    .where('expo_id', '=', expoId)
    .where('code', 'in', [...codes])
    .orderBy('until')
    .execute();
  const owners = new Map(present.map(({ code, visitor_id }) => [code, visitor_id]));
  const earlier = Map.groupBy(past, ({ code }) => code);
  return (code, at) =>
    earlier.get(code)?.find(({ until }) => at < until)?.visitor_id ?? owners.get(code) ?? null;
}
