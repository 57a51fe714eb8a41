/**
 * How many lines of each part of the shift sheet one page of A4 has room for. Pure.
 *
 * Invariants: every part gets the lines it is promised; what others leave is filled in the order of the parts; a line that
 * may wrap counts as what two take, so that the page is never too short.
 */
import type { LeadLine } from '../../../src-main/contract/leads.ts';

/** A part with the leads there are for it, and how many it gets however full the page is. */
export type SheetPart = {
  readonly leads: readonly LeadLine[];
  readonly most: number;
  /** Whether its lines may take two. */
  readonly wraps: boolean;
};

/** Lines of one row that fit one page below its head and the titles of five parts (print.css). */
const ROOM = 40;
/** What a row of two lines takes. */
const TWO = 1.75;

/** Whether everybody has room, also where each line takes two: then no name and no address is cut. */
export function isRoomy(parts: readonly SheetPart[]): boolean {
  return parts.reduce((rows, { leads }) => rows + leads.length, 0) * TWO <= ROOM;
}

/** How many leads of each part are shown. */
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

/** Whether a cell of the row may need a second line: its column holds about so many letters. */
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

/** Letters of East Asia are twice as wide. */
function width(text: string | null): number {
  return [...(text ?? '')].reduce((sum, letter) => sum + (letter > '\u2e7f' ? 2 : 1), 0);
}
