/**
 * Decides which downloads a page may save, and in which folder. Pure.
 *
 * Invariants:
 * - only files that our page made in memory (an export, a set-up) are saved;
 * - in a kiosk no system dialog opens: the file goes into the downloads folder under an unused name without path parts.
 */
import { posix, win32 } from 'node:path';
import { isOwnBlob } from './own-page.ts';

export type Download = {
  readonly address: string;
  /** The name that the page gave the file. */
  readonly name: string;
};

/** `ask`: the user chooses the folder, as usual on a desktop. */
export type DownloadPlace =
  | { readonly kind: 'denied' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'path'; readonly path: string };

/** Where a download goes. `folder`: the downloads folder; `taken`: whether a file with that path exists. */
export function downloadPlace(
  { address, name }: Download,
  kiosk: boolean,
  folder: string,
  taken: (path: string) => boolean,
): DownloadPlace {
  if (!isOwnBlob(address)) return { kind: 'denied' };
  if (!kiosk) return { kind: 'ask' };
  // The folder's path shows whether the system has POSIX or Windows paths.
  const { join } = folder.startsWith('/') ? posix : win32;
  const plain = plainName(name);
  const dot = plain.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, ''];
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? plain : `${stem} (${number})${ending}`);
    if (!taken(path)) return { kind: 'path', path };
  }
}

/** The file name without path parts, reserved characters and leading dots. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return last.replace(/[\u0000-\u001f:*?"<>|]/g, '_').replace(/^\.+/, '') || 'touchpoint';
}
