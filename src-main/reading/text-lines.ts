/** The lines that Tesseract found, from top to bottom. Pure. */
import { z } from 'zod';
import type { ReadLine } from '../core/team/recognition/read-line.ts';

/** A line in a message between the app and the reading process. */
export const readLineSchema = z.object({ text: z.string(), sure: z.number(), height: z.number() });

type FoundLine = {
  readonly text: string;
  readonly confidence: number;
  readonly bbox: { readonly y0: number; readonly y1: number };
};

/** The lines of `blocks`, with confidences from 0 to 1. */
export function linesOf(
  blocks: readonly { readonly paragraphs: readonly { readonly lines: readonly FoundLine[] }[] }[],
): readonly ReadLine[] {
  return blocks
    .flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
    .toSorted((one, other) => one.bbox.y0 - other.bbox.y0)
    .map(({ text, confidence, bbox }) => ({
      text: text.trim(),
      sure: confidence / 100,
      height: bbox.y1 - bbox.y0,
    }));
}
