/**
 * The space for the layout, measured in layout units. Pure; `show-room.ts` puts it on the document.
 *
 * Invariant: letters never shrink to fit. Without room for the designed layouts the page becomes one scrolling column
 * (`visitor/comfort/reflow.css`), so that zoom, large letters and small screens lose nothing.
 */

/**
 * `full` fits the designed layouts, `tight` fits them with less space, `low` fits outcomes while steps scroll, `scroll`
 * is one scrolling column.
 */
export type Room = 'full' | 'tight' | 'low' | 'scroll';

type Extent = readonly [width: number, height: number];

/** The minimum size for each, in units. */
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
