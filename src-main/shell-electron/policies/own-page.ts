/**
 * Identifies our pages, and decides what only they may do. Pure.
 *
 * Invariants:
 * - an address is ours only if it begins with `app://touchpoint/`, exactly;
 * - our page navigates only to our pages, and loads nothing over a network, even if its own policy allows it
 *   (Electron security checklist, items 1, 13 and 14);
 * - the system's browser opens the sign-in page of a CRM only (item 15);
 * - only our page in its top frame gets a permission. Everything else is denied, because Electron grants it if no
 *   handler answers (item 5);
 * - the page may write text to the clipboard, after a touch or key (Chromium requires it), but never read it;
 * - the page may use the camera while staff have it switched on, take a photo, or scan a set-up code;
 * - the page may use the microphone while staff record a voice note;
 * - only our page in its top frame may send messages to the shell (item 17).
 */

/** The origin of our pages. */
export const PAGE_ORIGIN = 'app://touchpoint';
/** The page. */
export const PAGE_ADDRESS = `${PAGE_ORIGIN}/`;
/** The attract loop alone, for a second display. */
export const SECOND_ADDRESS = `${PAGE_ORIGIN}/second`;
/** Shown when the page keeps crashing. Its link loads the page again. */
export const SAFE_ADDRESS = `${PAGE_ORIGIN}/safe`;
/** Shown while the core cannot be kept running. */
export const STOPPED_ADDRESS = `${PAGE_ORIGIN}/stopped`;

/** Whether the address is one of our pages or of their files. */
export function isOwnAddress(address: string): boolean {
  return address.startsWith(PAGE_ADDRESS);
}

/** Whether the address is a file that our page made in memory. */
export function isOwnBlob(address: string): boolean {
  return address.startsWith(`blob:${PAGE_ORIGIN}/`);
}

/** Whether a frame may navigate to the address, including by a redirect. */
export function mayGo(address: string): boolean {
  return isOwnAddress(address);
}

/** Whether a page may load the address. `devTools`: whether DevTools may load their own parts. */
export function mayLoad(address: string, devTools: boolean): boolean {
  if (isOwnAddress(address) || isOwnBlob(address)) return true;
  return devTools && address.startsWith('devtools://');
}

/**
 * Whether the system's browser may open the address. It may open only a sign-in page of Salesforce or of a server on
 * this machine.
 */
export function isSignInPage(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.pathname !== '/services/oauth2/authorize' || url.username !== '') return false;
  if (url.protocol === 'http:') return url.hostname === '127.0.0.1' || url.hostname === 'localhost';
  return url.protocol === 'https:' && url.hostname.endsWith('.salesforce.com') && url.port === '';
}

/** A request or a check of a permission. */
export type PermissionAsk = {
  readonly permission: string;
  /** `video`, `audio`; empty for other permissions. */
  readonly kinds: readonly string[];
  /** Address of the requesting frame, from Electron. */
  readonly address: string;
  readonly isMainFrame: boolean;
};

/** Whether the camera and the microphone are in use now. */
export type MediaUses = { readonly camera: boolean; readonly microphone: boolean };

/** Whether a permission is granted. */
export function mayUse(
  { permission, kinds, address, isMainFrame }: PermissionAsk,
  { camera, microphone }: MediaUses,
): boolean {
  if (!isMainFrame || !isOwnAddress(address)) return false;
  if (permission === 'clipboard-sanitized-write') return true;
  return (
    permission === 'media' &&
    kinds.length > 0 &&
    kinds.every((kind) => (kind === 'video' && camera) || (kind === 'audio' && microphone))
  );
}

/** Whether a frame may send messages to the shell. `senderFrame`: null when the frame is gone. */
export function maySpeak({
  senderFrame,
}: {
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null;
}): boolean {
  return senderFrame !== null && senderFrame.parent === null && isOwnAddress(senderFrame.url);
}
