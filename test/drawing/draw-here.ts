/** Draws pictures in the process of the test. */
import type { DrawPicture } from '../../src-main/core/event/pictures/pictures.ts';
import { scalePicture } from '../../src-main/drawing/scale.ts';

/** As the drawing process draws, without one. */
export const drawHere: DrawPicture = async (source) => (await scalePicture(source)) ?? 'broken';
