/**
 * The packed Electron app as Electron's own processes see it: `app.asar` is a folder that includes the unpacked files.
 *
 * Invariant: every byte of the program comes from the package. The archive itself is beside the folder, for code that
 * reads the original file.
 */
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openArchive } from '../asar-archive.ts';

/** The suffix of the archive's name, because the folder has the archive's own name. */
export const ARCHIVE_AS_FILE = '.file';

/** Lays out a copy of the resources at `from` in `folder`. */
export function layOutForElectron(from: string, folder: string): void {
  cpSync(from, folder, { recursive: true });
  const path = join(folder, 'app.asar');
  const archive = openArchive(path);
  renameSync(path, `${path}${ARCHIVE_AS_FILE}`);
  for (const file of archive.files) {
    const place = join(path, file.path);
    mkdirSync(dirname(place), { recursive: true });
    if (file.unpacked) symlinkSync(join(`${path}.unpacked`, file.path), place);
    else writeFileSync(place, archive.bytes(file.path));
  }
}
