/**
 * Photos and voice notes as files in `attachments/` of the data folder. A fact names the file and holds its hash.
 *
 * Invariants:
 * - A file is complete and on disk before its fact is recorded, and never changes afterwards.
 * - A file is removed after its fact was erased or undone.
 * - A start removes files that no fact names, except while a quarantine exists, because its facts may still be
 *   recovered (docs/decisions/attachments-are-files.md).
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../foundations/store/database.ts';
import { syncFolder } from '../../foundations/store/sync-folder.ts';

/** The files in the data folder. */
export const ATTACHMENTS_FOLDER = 'attachments';

/** The format of a file name. A fact from another device may name anything. */
const FILE_NAME = /^[0-9a-f-]{36}\.(webp|webm)$/u;
/** Also matches the file of an interrupted write. */
const OWN_NAME = /^[0-9a-f-]{36}\.(webp|webm)(\.part)?$/u;

export type AttachmentFiles = {
  /** Writes a file durably. Returns its hash. @throws when the disk refuses */
  readonly keep: (name: string, bytes: Uint8Array) => string;
  /** The bytes of a file whose hash matches. Null if it is missing or damaged. */
  readonly read: (name: string, sha256: string) => Buffer | null;
  readonly remove: (names: Iterable<string>) => void;
  /** Names of all files. */
  readonly names: () => readonly string[];
  /** Bytes of all files. */
  readonly bytes: () => number;
};

/** The files of a data folder. */
export function createAttachmentFiles(dataFolder: string): AttachmentFiles {
  const folder = join(dataFolder, ATTACHMENTS_FOLDER);
  const names = (): readonly string[] => {
    try {
      return readdirSync(folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  };
  return {
    keep: (name, bytes) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, name);
      const part = `${path}.part`;
      try {
        const file = openSync(part, 'w', 0o600);
        try {
          for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
        renameSync(part, path);
      } catch (error) {
        rmSync(part, { force: true });
        throw error;
      }
      syncFolder(folder);
      return sha256Of(bytes);
    },
    read: (name, sha256) => {
      if (!FILE_NAME.test(name)) return null;
      try {
        const bytes = readFileSync(join(folder, name));
        return sha256Of(bytes) === sha256 ? bytes : null;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: (gone) => {
      for (const name of gone) if (OWN_NAME.test(name)) rmSync(join(folder, name), { force: true });
    },
    names,
    bytes: () => {
      let sum = 0;
      for (const name of names()) sum += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
      return sum;
    },
  };
}

/** A file that a fact names, and the size that the fact states. */
export type NamedFile = { readonly file: string; readonly size: number };

/** The files that facts of a partner name (null: of all partners), without facts that are erased or undone. */
export function namedFiles(database: Database, partner: string | null = null): readonly NamedFile[] {
  return database
    .prepare<[{ partner: string | null }], NamedFile>(
      `SELECT fact.payload ->> '$.fields.attachment.file' AS file,
         fact.payload ->> '$.fields.attachment.bytes' AS size
       FROM fact JOIN lead_fact USING (seq) JOIN lead ON lead.id = lead_fact.lead
       WHERE fact.kind = 'note' AND fact.payload IS NOT NULL AND lead_fact.undone_by IS NULL
         AND fact.payload ->> '$.fields.attachment.file' IS NOT NULL
         AND (@partner IS NULL OR lead.partner = @partner)`,
    )
    .all({ partner });
}

/** Removes files of an interrupted write, and files that no fact names. Files of somebody else stay. */
export function removeUnnamed(files: AttachmentFiles, database: Database): void {
  const named = new Set(namedFiles(database).map(({ file }) => file));
  files.remove(files.names().filter((name) => !named.has(name)));
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
