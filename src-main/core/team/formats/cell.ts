/**
 * Cells of a sheet by their type, and what each looks like as text. Pure.
 *
 * Invariants: a number is a number and a time is a time, never a text that looks like one; times are those of a clock on
 * a wall at the event, as somebody at the stand would read them.
 */
import { cleanCell, cutText, MOST_IN_A_CELL } from './clean-text.ts';
import type { WallClock } from './wall-clock.ts';

/** `wall` as `2026-11-22 17:05`, by the clock at the event; `day` as `2026-11-22`. */
export type Cell =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'time'; readonly wall: string }
  | { readonly kind: 'day'; readonly day: string };

export const EMPTY: Cell = { kind: 'empty' };

export function textCell(text: string | null): Cell {
  return text === null || text === '' ? EMPTY : { kind: 'text', text };
}

export function numberCell(number: number | null): Cell {
  return number === null || !Number.isFinite(number) ? EMPTY : { kind: 'number', number };
}

/** `at` in epoch milliseconds. */
export function timeCell(at: number | null, clock: WallClock): Cell {
  return at === null || Number.isNaN(new Date(at).getTime()) ? EMPTY : { kind: 'time', wall: clock.time(at) };
}

/** A day as `2026-11-22`; anything else stays the text it is. */
export function dayCell(day: string | null): Cell {
  if (day === null || day === '') return EMPTY;
  return /^\d{4}-\d{2}-\d{2}$/u.test(day) && !Number.isNaN(Date.parse(day))
    ? { kind: 'day', day }
    : { kind: 'text', text: day };
}

/** The text of a text cell as it goes into a sheet: without what a sheet cannot hold, and not longer than it takes. */
export function cellText(
  text: string,
  most = MOST_IN_A_CELL,
): { readonly text: string; readonly isCut: boolean } {
  return cutText(cleanCell(text), most);
}
