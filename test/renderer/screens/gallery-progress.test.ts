/** The progress messages of the gallery. */
import { expect, it } from 'vitest';
import { progressLine } from './gallery-progress.ts';

it.each([
  [0, 0, '0 of 928 pictures'],
  [232, 100_000, '232 of 928 pictures, about 5 min left (captured.wall.en.png)'],
  [900, 400_000, '900 of 928 pictures, about 13 s left (captured.wall.en.png)'],
  [928, 410_000, '928 of 928 pictures, about 0 s left (captured.wall.en.png)'],
])(
  'shows the number of pictures and the remaining time after %i pictures in %i ms',
  (done, elapsed, line) => {
    expect(progressLine(done, 928, elapsed, 'captured.wall.en.png')).toBe(line);
  },
);
