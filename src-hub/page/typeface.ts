/** The typeface of our pages, as it is installed with us. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The bytes of its Latin letters, WOFF2. */
export function readTypeface(): Uint8Array {
  const path = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2';
  return readFileSync(createRequire(import.meta.url).resolve(path));
}
