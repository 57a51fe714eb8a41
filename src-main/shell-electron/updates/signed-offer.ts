/**
 * What a feed offers (`latest-linux.yml`, as electron-updater reads it), and whether our key signed it.
 *
 * Invariants: the signature is over version, name, size and checksum together, so that none of them can be taken from another
 * release; without a key of our own nothing counts as signed.
 */
import { verify } from 'node:crypto';
import { z } from 'zod';

const fileSchema = z.object({
  url: z.string().regex(/^[\w.-]{1,200}$/),
  size: z.int().positive().max(2_000_000_000),
  sha512: z.base64().length(88),
});

/** One file an offer, and our signature beside what electron-updater knows. */
const offerSchema = z.object({
  version: z.string().max(40),
  files: z.array(fileSchema).length(1),
  stagingPercentage: z.number().min(0).max(100).optional(),
  signature: z.string().max(200).optional(),
});

export type OfferedFile = z.infer<typeof fileSchema>;
export type SignedOffer = {
  readonly version: string;
  readonly file: OfferedFile;
  readonly share: number;
  readonly isSigned: boolean;
};

/** The text that is signed. */
export function signedText(version: string, { url, size, sha512 }: OfferedFile): Buffer {
  return Buffer.from(['touchpoint update', version, url, size, sha512, ''].join('\n'));
}

/** Reads an offer; null where it is none. `key`: Ed25519, as PEM. */
export function readOffer(info: unknown, key: string | null): SignedOffer | null {
  const read = offerSchema.safeParse(info);
  const [file] = read.success ? read.data.files : [];
  if (!read.success || file === undefined) return null;
  const { version, stagingPercentage = 100, signature } = read.data;
  const isSigned =
    key !== null && signature !== undefined && holds(key, signedText(version, file), signature);
  return { version, file, share: stagingPercentage, isSigned };
}

function holds(key: string, text: Buffer, signature: string): boolean {
  try {
    return verify(null, text, key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
