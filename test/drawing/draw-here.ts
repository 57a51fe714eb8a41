/** Draws pictures in the test's own process. */
import type { DrawPicture } from '../../src-main/core/event/pictures/pictures.ts';
import { scalePicture } from '../../src-main/drawing/scale.ts';

/** Draws as the drawing process does. */
export const drawHere: DrawPicture = async (source, smallSide) =>
  (await scalePicture(source, smallSide)) ?? 'broken';
