/**
 * Typed cells of a sheet, and their text. Pure.
 *
 * Invariants:
 * - Numbers and times have their own cell types; they are never text cells.
 * - Times are local times of the event.
 */
import { cleanCell, cutText, MOST_IN_A_CELL } from './clean-text.ts';
import type { WallClock } from './wall-clock.ts';

/** `wall` as `2026-11-22 17:05`, local time of the event. `day` as `2026-11-22`. */
export type Cell =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'time'; readonly wall: string }
  | { readonly kind: 'day'; readonly day: string };

export const EMPTY = { kind: 'empty' } as const;

export function textCell(text: string | null): Cell {
  return text === null || text === '' ? EMPTY : { kind: 'text', text };
}

export function numberCell(number: number | null): Cell {
  return number === null || !Number.isFinite(number) ? EMPTY : { kind: 'number', number };
}

/** `at` in Unix milliseconds. */
export function timeCell(at: number | null, clock: WallClock): Cell {
  return at === null || Number.isNaN(new Date(at).getTime()) ? EMPTY : { kind: 'time', wall: clock.time(at) };
}

/** A day as `2026-11-22`. Any other text becomes a text cell. */
export function dayCell(day: string | null): Cell {
  if (day === null || day === '') return EMPTY;
  return /^\d{4}-\d{2}-\d{2}$/u.test(day) && !Number.isNaN(Date.parse(day))
    ? { kind: 'day', day }
    : { kind: 'text', text: day };
}

/** The text of a text cell in a sheet: without characters that a sheet cannot hold, and truncated to its limit. */
export function cellText(
  text: string,
  most = MOST_IN_A_CELL,
): { readonly text: string; readonly isCut: boolean } {
  return cutText(cleanCell(text), most);
}
