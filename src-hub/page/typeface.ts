/** The typeface of our pages, from its installed package. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Its Latin letters as WOFF2. */
export function readTypeface(): Uint8Array {
  const path = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2';
  return readFileSync(createRequire(import.meta.url).resolve(path));
}
