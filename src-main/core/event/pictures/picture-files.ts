/**
 * Scaled pictures on disk: `<name>.small.webp`, `<name>.large.webp` and, written last, `<name>.json`. The name is the
 * hash of the picture's address.
 *
 * Invariants:
 * - A picture is available only after its note was written. The note holds the sizes of the picture's files.
 * - A failed write only means a missing picture.
 * - All files can be deleted and fetched again.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Picture } from '../../../contract/stand.ts';

/** One WebP picture; sides in pixels. */
export type Scaled = { readonly bytes: Uint8Array; readonly width: number; readonly height: number };
export type ScaledPicture = { readonly small: Scaled; readonly large: Scaled };

const sizeSchema = z.object({ width: z.int(), height: z.int(), bytes: z.int() });
const noteSchema = z.object({
  /** Revision of the record that named the address. */
  revision: z.string(),
  /** Time of the download in Unix milliseconds. */
  at: z.number(),
  /** Null if it could not be rendered. */
  sizes: z.object({ small: sizeSchema, large: sizeSchema }).nullable(),
});

/** The note of a picture. */
type PictureNote = z.infer<typeof noteSchema>;

type PictureFiles = {
  readonly note: (name: string) => PictureNote | null;
  readonly keep: (name: string, revision: string, at: number, scaled: ScaledPicture | null) => void;
  /** The picture as a data URL. Null when it is not available. */
  readonly read: (name: string, size: 'small' | 'large') => Promise<Picture | null>;
  /** Removes the oldest pictures until at most `limit` bytes are left. Those in `wanted` are removed last. */
  readonly trim: (limit: number, wanted: ReadonlySet<string>) => void;
};

/** The name of the picture with this address. */
export function pictureName(address: string): string {
  return createHash('sha256').update(address).digest('hex');
}

/** The pictures in `folder`, which is created when it is missing. */
export function openPictureFiles(folder: string): PictureFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const notes = new Map<string, PictureNote>();
  for (const file of readdirSync(folder)) {
    const [, name] = /^([0-9a-f]{64})\.json$/.exec(file) ?? [];
    const note = name === undefined ? null : readNote(join(folder, file));
    if (name !== undefined && note !== null) notes.set(name, note);
  }
  const pathOf = (name: string, ending: string): string => join(folder, `${name}.${ending}`);
  const write = (path: string, content: string | Uint8Array): void => {
    writeFileSync(`${path}.part`, content, { mode: 0o600 });
    renameSync(`${path}.part`, path);
  };
  const remove = (name: string): void => {
    notes.delete(name);
    for (const ending of ['json', 'small.webp', 'large.webp']) rmSync(pathOf(name, ending), { force: true });
  };

  return {
    note: (name) => notes.get(name) ?? null,
    keep: (name, revision, at, scaled) => {
      if (scaled === null) remove(name);
      else
        for (const size of ['small', 'large'] as const)
          write(pathOf(name, `${size}.webp`), scaled[size].bytes);
      const sizes = scaled && { small: sizeOf(scaled.small), large: sizeOf(scaled.large) };
      const note: PictureNote = { revision, at, sizes };
      write(pathOf(name, 'json'), JSON.stringify(note));
      notes.set(name, note);
    },
    read: async (name, size) => {
      const sides = notes.get(name)?.sizes?.[size];
      if (sides === undefined) return null;
      try {
        const bytes = await readFile(pathOf(name, `${size}.webp`));
        const address = `data:image/webp;base64,${bytes.toString('base64')}`;
        return { address, width: sides.width, height: sides.height };
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error;
        // The file was removed: it is fetched again.
        remove(name);
        return null;
      }
    },
    trim: (limit, wanted) => {
      let total = 0;
      for (const { sizes } of notes.values()) total += (sizes?.small.bytes ?? 0) + (sizes?.large.bytes ?? 0);
      const leaving = [...notes].toSorted(
        ([one, a], [other, b]) => Number(wanted.has(one)) - Number(wanted.has(other)) || a.at - b.at,
      );
      for (const [name, { sizes }] of leaving) {
        if (total <= limit) return;
        total -= (sizes?.small.bytes ?? 0) + (sizes?.large.bytes ?? 0);
        remove(name);
      }
    },
  };
}

function sizeOf({ width, height, bytes }: ScaledPicture['small']) {
  return { width, height, bytes: bytes.length };
}

function readNote(path: string): PictureNote | null {
  try {
    return noteSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? null;
  } catch (error) {
    // A truncated note counts as missing.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
