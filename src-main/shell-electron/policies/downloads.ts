/**
 * What a page may put on the disk. Pure.
 *
 * Invariants: only a file that our own page made in memory (an export, a set-up); in a kiosk no dialog of the system
 * opens, the file goes into the folder for downloads under a name that is free there and leads nowhere else.
 */
import { posix, win32 } from 'node:path';
import { isOwnBlob } from './own-page.ts';

export type Download = {
  readonly address: string;
  /** The name the page gave it. */
  readonly name: string;
};

/** `ask`: the person chooses where, as usual on a desktop. */
export type DownloadPlace =
  | { readonly kind: 'denied' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'path'; readonly path: string };

/** Where it goes. `folder`: for downloads; `taken`: whether there is a file of that path. */
export function downloadPlace(
  { address, name }: Download,
  kiosk: boolean,
  folder: string,
  taken: (path: string) => boolean,
): DownloadPlace {
  if (!isOwnBlob(address)) return { kind: 'denied' };
  if (!kiosk) return { kind: 'ask' };
  // The folder says which kind of paths the system has.
  const { join } = folder.startsWith('/') ? posix : win32;
  const plain = plainName(name);
  const dot = plain.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, ''];
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? plain : `${stem} (${number})${ending}`);
    if (!taken(path)) return { kind: 'path', path };
  }
}

/** Without anything that leads to another folder or hides the file. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return last.replace(/[\u0000-\u001f:*?"<>|]/g, '_').replace(/^\.+/, '') || 'touchpoint';
}
