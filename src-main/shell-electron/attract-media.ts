/**
 * Pictures and films of the attract loop as the shell gives them out. The core lists them for the pages; the shell reads
 * the same folder, so that no film goes through the line between the two.
 *
 * Invariant: the folder is the one the core named last; it is looked into again when a page asks for what is not known.
 */
import { type AttractFiles, openAttractFiles } from '../page/attract-files.ts';

export type AttractMedia = AttractFiles & {
  /** From now on this folder; null: none. */
  readonly show: (folder: string | null) => void;
};

/** Nothing to give out yet. */
export function createAttractMedia(): AttractMedia {
  let folder: string | null = null;
  let files = openAttractFiles(null);
  return {
    show: (next) => {
      if (next === folder) return;
      folder = next;
      files = openAttractFiles(next);
    },
    list: () => files.list(),
    answer: (path, range) => {
      if (!path.startsWith('/media/')) return null;
      const known = files.answer(path, range);
      if (known !== null) return known;
      files.list();
      return files.answer(path, range);
    },
  };
}
