/**
 * The key that updates of this build are signed with: `updateKey` in the manifest of the packed app (packaging/stage.ts).
 *
 * Invariant: a manifest without one, or that cannot be read, means that no update counts as signed.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifestSchema = z.object({ updateKey: z.string().startsWith('-----BEGIN PUBLIC KEY-----') });

/** The public key as PEM, from the manifest at `path`; null: this build takes no updates. */
export function readUpdateKey(path: string): string | null {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).updateKey;
  } catch {
    return null;
  }
}
