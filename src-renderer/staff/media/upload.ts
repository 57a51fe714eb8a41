/**
 * Uploads a file for a lead in pieces.
 *
 * Invariant: a piece is never larger than a message of the contract allows.
 */
import type { Link } from '../../link/link.ts';
import { setupTimes } from '../../times.ts';

const PIECE = 192 * 1024;

/** The upload id, or null when the device refuses the size. @throws when the link is lost */
export async function uploadFile(link: Link, file: Blob): Promise<string | null> {
  let upload: string | null = null;
  for (let at = 0; at === 0 || at < file.size; at += PIECE) {
    const bytes = base64Of(await file.slice(at, at + PIECE).arrayBuffer());
    const before: string | null = upload;
    const answer: { readonly upload: string | null } = await link.call(
      (client, signal) => client.leads.attachments.put({ upload: before, bytes }, { signal }),
      setupTimes.ask,
    );
    if (answer.upload === null) return null;
    upload = answer.upload;
  }
  return upload;
}

function base64Of(buffer: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}
