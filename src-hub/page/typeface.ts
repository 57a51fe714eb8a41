/** The typeface of our pages, from its installed package. */
import { readFileSync } from 'node:fs';
import { hubFile } from '../packed-file.ts';

/** Reads its Latin letters, in the format WOFF2. */
export function readTypeface(): Uint8Array {
  const files = '../node_modules/@fontsource-variable/figtree/files';
  return readFileSync(hubFile(`${files}/figtree-latin-wght-normal.woff2`));
}
