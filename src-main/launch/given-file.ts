/**
 * The file of a hub as the system hands it to the app: a double click, a drop on its icon, a name on the command line. Pure.
 *
 * Invariant: only what ends in `.touchpoint` is one; whether it is sound is for the set-up to say.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The last of these arguments that names such a file, as an absolute path; null where none does. */
export function givenFile(args: readonly string[], folder: string): string | null {
  const named = args.findLast((arg) => isGivenFile(arg));
  if (named === undefined) return null;
  // Desktops of Linux hand over addresses.
  return URL.canParse(named) && named.startsWith('file:') ? fileURLToPath(named) : resolve(folder, named);
}

/** Whether an argument names such a file. */
export function isGivenFile(arg: string): boolean {
  return /\.touchpoint$/i.test(arg) && !arg.startsWith('-');
}
