/**
 * Files between a page and the device, in chunks.
 *
 * Invariant: a chunk is never larger than the contract's messages may be. A refused file is reported and leaves
 * nothing behind.
 */
import type { Link } from '../../link/link.ts';
import { setupTimes } from '../../times.ts';
import { handToBrowser } from '../parts/browser-file.ts';

const PIECE = 192 * 1024;

/** Uploads a file; returns its upload id, or null if the device refuses it. @throws when the link is lost */
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

/** Downloads the set-up of the device. @throws if the link is lost, or if the device lacks the set-up or a PIN */
export async function fetchSetup(
  link: Link,
  secrets: { readonly withKey: boolean; readonly withPins: boolean },
): Promise<void> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const name = await link.call(async (client, signal) => {
    let found = '';
    for await (const piece of await client.setup.write(secrets, { signal })) {
      pieces.push(Uint8Array.from(atob(piece.bytes), (letter) => letter.charCodeAt(0)));
      found = piece.name;
    }
    return found;
  }, setupTimes.ask);
  if (pieces.length === 0) throw new Error('There is no such set-up');
  handToBrowser(pieces, name, 'application/json');
}

function base64(buffer: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}
