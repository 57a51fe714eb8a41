/**
 * Files between a page and the device, piece by piece.
 *
 * Invariant: never larger than a message of the contract; a file the device does not take is told, not half kept.
 */
import type { Link } from '../../link/link.ts';
import { setupTimes } from '../../times.ts';
import { handToBrowser } from '../parts/browser-file.ts';

const PIECE = 192 * 1024;

/** Hands a file over; its upload, or null where the device does not take it. @throws when the link is lost */
export async function putFile(link: Link, file: Blob): Promise<string | null> {
  let upload: string | null = null;
  for (let at = 0; at === 0 || at < file.size; at += PIECE) {
    const bytes = base64(await file.slice(at, at + PIECE).arrayBuffer());
    const before: string | null = upload;
    const answer: { readonly upload: string | null } = await link.call(
      (client, signal) => client.setup.put({ upload: before, bytes }, { signal }),
      setupTimes.ask,
    );
    if (answer.upload === null) return null;
    upload = answer.upload;
  }
  return upload;
}

/** Has the set-up of the device downloaded by the browser. @throws when the link is lost, or there is none */
export async function fetchSetup(link: Link, withKey: boolean): Promise<void> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const name = await link.call(async (client, signal) => {
    let found = '';
    for await (const piece of await client.setup.write({ withKey }, { signal })) {
      pieces.push(Uint8Array.from(atob(piece.bytes), (letter) => letter.charCodeAt(0)));
      found = piece.name;
    }
    return found;
  }, setupTimes.ask);
  if (pieces.length === 0) throw new Error('There is no set-up yet');
  handToBrowser(pieces, name, 'application/json');
}

function base64(buffer: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}
