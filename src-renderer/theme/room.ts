/**
 * How much room the layout has, counted in its unit. Pure; `show-room.ts` puts it on the document.
 *
 * Invariants: letters are never made smaller to fit; where the drawn layouts have no room for them, the page becomes one
 * column that scrolls (`visitor/comfort/reflow.css`), so that zoom, large letters and small screens lose nothing.
 */

/**
 * `full` holds the layouts as drawn, `tight` holds them with less air, `low` the outcomes while steps scroll, `scroll` is
 * one column that scrolls.
 */
export type Room = 'full' | 'tight' | 'low' | 'scroll';

type Extent = readonly [width: number, height: number];

/** What each room needs at least, in units. */
const needs: Readonly<
  Record<'landscape' | 'portrait', readonly (readonly [Exclude<Room, 'scroll'>, Extent])[]>
> = {
  landscape: [
    ['full', [62, 44]],
    ['tight', [62, 38]],
    ['low', [54, 31]],
  ],
  portrait: [
    ['full', [44, 70]],
    ['tight', [36, 58]],
  ],
};

/** The room of a page of `width` by `height`, both in units of the layout. */
export function roomOf(width: number, height: number): Room {
  const found = needs[height >= width ? 'portrait' : 'landscape'].find(
    ([, [wide, high]]) => width >= wide && height >= high,
  );
  return found?.[0] ?? 'scroll';
}
