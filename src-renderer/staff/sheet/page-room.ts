/**
 * How many lines of each part of the shift sheet fit one A4 page. Pure.
 *
 * Invariants:
 * - Every part gets the lines that are reserved for it. Unused lines go to the other parts, in order.
 * - A line that may wrap counts as a row of two lines, so the result never overflows the page.
 */
import type { LeadLine } from '../../../src-main/contract/leads.ts';

/** A part, the number of its leads, and its reserved lines. */
export type SheetPart = {
  readonly leads: readonly LeadLine[];
  readonly most: number;
  /** Whether the remark of a line may wrap. The other cells always may. */
  readonly remarkWraps: boolean;
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
  const costs = parts.map(({ leads, remarkWraps }) =>
    leads.map((lead) => (mayWrap(lead) || (remarkWraps && mayRemarkWrap(lead)) ? TWO : 1)),
  );
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

/**
 * Whether a cell before the remark may need a second line, given the letters that fit. A lead without a name may, too:
 * its cell shows the badge.
 */
function mayWrap({ name, company, phone, email }: LeadLine): boolean {
  return name === null || width(name) > 20 || width(company) > 17 || width(phone ?? email) > 26;
}

function mayRemarkWrap({ note, hot }: LeadLine): boolean {
  return note === null ? hot.why?.kind === 'answer' : width(note) > 30;
}

/** East Asian characters are twice as wide. */
function width(text: string | null): number {
  return [...(text ?? '')].reduce((sum, letter) => sum + (letter > '\u2e7f' ? 2 : 1), 0);
}
