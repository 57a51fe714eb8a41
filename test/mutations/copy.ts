/**
 * A copy of the work tree for mutations: every file that git tracks or would add, and the installed packages.
 *
 * Invariants:
 * - The work tree itself is never written.
 * - A change in the copy is reverted before the next one is made.
 */
import { execFileSync } from 'node:child_process';
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Mutation } from './list.ts';

export type Copy = {
  readonly folder: string;
  /** Applies `mutation`. The returned function reverts it. */
  readonly apply: (mutation: Mutation) => () => void;
  readonly remove: () => void;
};

/** Why `mutation` does not fit the tree at `root`, or null when it does. */
export function misfitOf(root: string, { file, find, replace, tests }: Mutation): string | null {
  const path = join(root, file);
  const absent = [file, ...tests].find((name) => !existsSync(join(root, name)));
  if (absent !== undefined) return `${absent} is no file`;
  if (find === replace) return 'it changes nothing';
  const times = readFileSync(path, 'utf8').split(find).length - 1;
  if (times === 1) return null;
  return times === 0 ? `its text is no longer in ${file}` : `its text occurs ${times} times in ${file}`;
}

/** Copies the work tree at `root` to a separate folder. The packages are shared. */
export function copyTree(root: string): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'touchpoint-mutations-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of new Set(listed.split('\0'))) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file), constants.COPYFILE_FICLONE);
  }
  // Some tests query git for the list of files.
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return {
    folder,
    apply: ({ file, find, replace }) => {
      const path = join(folder, file);
      const sound = readFileSync(path, 'utf8');
      writeFileSync(
        path,
        sound.replace(find, () => replace),
      );
      return () => writeFileSync(path, sound);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
