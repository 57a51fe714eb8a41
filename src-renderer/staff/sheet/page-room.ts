/**
 * How many lines of each part of the shift sheet fit one A4 page. Pure.
 *
 * Invariants:
 * - Every part gets the lines that are reserved for it. Unused lines go to the other parts, in order.
 * - A line that may wrap counts as two, so the result never overflows the page.
 */
import type { LeadLine } from '../../../src-main/contract/leads.ts';

/** A part, the number of its leads, and its reserved lines. */
export type SheetPart = {
  readonly leads: readonly LeadLine[];
  readonly most: number;
  /** Whether each of its lines may wrap to two. */
  readonly wraps: boolean;
};

/** Lines per page below the head and the titles of five parts (print.css). */
const ROOM = 40;
/** Height of a row of two lines. */
const TWO = 1.75;

/** Whether everything fits even if each line wraps. If so, no name and no address is cut. */
export function isRoomy(parts: readonly SheetPart[]): boolean {
  return parts.reduce((rows, { leads }) => rows + leads.length, 0) * TWO <= ROOM;
}

/** The number of leads that are shown in each part. */
export function fillPage(parts: readonly SheetPart[]): readonly number[] {
  const counts = parts.map(({ leads, most }) => Math.min(leads.length, most));
  const costs = parts.map((part) => part.leads.map((lead) => (part.wraps && mayWrap(lead) ? TWO : 1)));
  const taken = costs.flatMap((of, index) => of.slice(0, counts[index]));
  let left = ROOM - taken.reduce((sum, cost) => sum + cost, 0);
  return costs.map((of, index) => {
    let count = counts[index] ?? 0;
    for (let cost = of[count]; cost !== undefined && cost <= left; cost = of[count]) {
      left -= cost;
      count += 1;
    }
    return count;
  });
}

/** Whether a cell may need a second line, given the number of letters that fit into each column. */
function mayWrap({ name, company, phone, email, note, hot }: LeadLine): boolean {
  const remark = note ?? (hot.why?.kind === 'answer' ? null : '');
  return (
    remark === null ||
    width(name) > 20 ||
    width(company) > 17 ||
    width(phone ?? email) > 26 ||
    width(remark) > 30
  );
}

/** East Asian characters are twice as wide. */
function width(text: string | null): number {
  return [...(text ?? '')].reduce((sum, letter) => sum + (letter > '\u2e7f' ? 2 : 1), 0);
}
