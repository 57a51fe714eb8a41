/**
 * The signature of an update: Ed25519, over the feed's description of the file.
 *
 * Invariants:
 * - the signature covers version, name, size and checksum together, so none of them can come from another release;
 * - a build without a public key accepts no update.
 */
import { verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const fileSchema = z.object({
  url: z.string().regex(/^[\w.-]{1,200}$/),
  size: z.int().positive().max(2_000_000_000),
  sha512: z.base64().length(88),
});

/** One file per release, and our signature beside the fields of electron-updater. */
const releaseSchema = z.object({
  version: z.string().max(40),
  files: z.tuple([fileSchema]),
  signature: z.string().max(200),
});

export type ReleasedFile = z.infer<typeof fileSchema>;

/** The text that is signed. */
export function signedText(version: string, { url, size, sha512 }: ReleasedFile): Buffer {
  return Buffer.from(['touchpoint update', version, url, size, sha512, ''].join('\n'));
}

/** Whether the key signed this entry of a feed. `info`: as electron-updater reads it; `key`: a public key as PEM. */
export function isSigned(info: unknown, key: string): boolean {
  const release = releaseSchema.safeParse(info);
  if (!release.success) return false;
  const { version, files, signature } = release.data;
  try {
    return verify(null, signedText(version, files[0]), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

const manifestSchema = z.object({ updateKey: z.string().startsWith('-----BEGIN PUBLIC KEY-----') });

/** The public key of this build, from `updateKey` in the manifest of the packed app, or null. */
export function readUpdateKey(manifest: string): string | null {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(manifest, 'utf8'))).updateKey;
  } catch {
    return null;
  }
}
