/**
 * Who may speak to the shell. Pure.
 *
 * Invariant: only the top frame of a page of ours; a frame that is gone, or that went elsewhere, does not count.
 * Electron security checklist, item 17.
 */
import { isOwnAddress } from './page-address.ts';

/** The sender of a message, as far as it decides. */
export type Sender = {
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null;
};

/** Whether this frame may speak the contract. */
export function maySpeak({ senderFrame }: Sender): boolean {
  return senderFrame !== null && senderFrame.parent === null && isOwnAddress(senderFrame.url);
}
