/**
 * Stores one uploaded image while it streams in.
 *
 * Invariants
 * - Only a JPEG or PNG that can be decoded to its last pixel is stored. Its file name and declared type are ignored.
 * - At most 10 MB are read; memory use does not depend on the size.
 * - The file gets its name only when it is complete and on disk. Only the service can read the files, because they
 *   show people and their documents.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';

/** 10 MB, in bytes. */
export const largestImage = 10_000_000;

export type StoredImage = { readonly size: number; readonly sha256: string };

/** Maximum number of pixels, 9,000 × 9,000: a decompression bomb is refused before it is unpacked. */
const mostPixels = 81_000_000;

/** Why an image was not stored. */
export type ImageError = 'tooLarge' | 'notAnImage';

const signatures = [
  { extension: 'jpg', bytes: Buffer.from([0xff, 0xd8, 0xff]) },
  { extension: 'png', bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
] as const;
const longestSignature = 8;

function extensionOf(start: Buffer): string | null {
  return signatures.find(({ bytes }) => start.subarray(0, bytes.length).equals(bytes))?.extension ?? null;
}

/**
 * Decodes every pixel of the file and keeps none. sharp is loaded for the first image, because most platforms never
 * get one.
 */
async function canBeDecoded(path: string): Promise<boolean> {
  const { default: sharp } = await import('sharp');
  const image = sharp(path, { failOn: 'error', limitInputPixels: mostPixels, sequentialRead: true });
  return image
    .resize(16)
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    );
}

/** Stores the image as `<path>.jpg` or `<path>.png`, replacing an earlier one. A broken stream throws. */
export async function storeImage(
  path: string,
  temporary: string,
  bytes: Readable,
): Promise<StoredImage | ImageError> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  const file = await open(temporary, 'wx', 0o600);
  let size = 0;
  let start = Buffer.alloc(0);
  let kept = false;
  try {
    for await (const part of bytes) {
      const chunk = part as Buffer;
      size += chunk.length;
      if (size > largestImage) return 'tooLarge';
      if (start.length < longestSignature) {
        start = Buffer.concat([start, chunk.subarray(0, longestSignature)]);
        if (start.length >= longestSignature && extensionOf(start) === null) return 'notAnImage';
      }
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    const extension = extensionOf(start);
    if (extension === null) return 'notAnImage';
    await file.sync();
    if (!(await canBeDecoded(temporary))) return 'notAnImage';
    await rename(temporary, `${path}.${extension}`);
    kept = true;
    for (const other of signatures) {
      if (other.extension !== extension) await rm(`${path}.${other.extension}`, { force: true });
    }
    return { size, sha256: hash.digest('hex') };
  } finally {
    await file.close();
    if (!kept) await rm(temporary, { force: true });
  }
}
