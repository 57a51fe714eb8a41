/**
 * Denies what Electron allows by default, for every session and all contents.
 *
 * Invariant: each handler asks a policy and contains no rules (Electron security checklist, items 5, 12, 13, 14, 15).
 */
import type { ShellContents, ShellSession } from './electron-api.ts';
import { type Download, downloadPlace } from './policies/downloads.ts';
import { mayPress } from './policies/keys.ts';
import { isSignInPage, type MediaUses, mayGo, mayLoad, mayUse } from './policies/own-page.ts';

/** The state on which policies depend. */
export type LockTerms = {
  /** Whether camera and microphone are in use now. */
  readonly uses: () => MediaUses;
  readonly kiosk: boolean;
  readonly devTools: boolean;
  /** Folder for downloads. */
  readonly downloads: () => string;
  readonly exists: (path: string) => boolean;
};

/** Denies every permission, device, capture, download and address that no policy allows. */
export function lockSession(session: ShellSession, terms: LockTerms): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const kinds = 'mediaTypes' in details ? (details.mediaTypes ?? []) : [];
    const { requestingUrl: address, isMainFrame } = details;
    answer(mayUse({ permission, kinds, address, isMainFrame }, terms.uses()));
  });
  session.setPermissionCheckHandler((_contents, permission, origin, { mediaType, isMainFrame }) => {
    const kinds = mediaType === undefined ? [] : [mediaType];
    return mayUse({ permission, kinds, address: `${origin.replace(/\/$/, '')}/`, isMainFrame }, terms.uses());
  });
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler(null);
  session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }));
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayLoad(url, terms.devTools) }));
  session.on('will-download', (event, item) => {
    const asked: Download = { address: item.getURL(), name: item.getFilename() };
    const place = downloadPlace(asked, terms.kiosk, terms.downloads(), terms.exists);
    if (place.kind === 'denied') event.preventDefault();
    else if (place.kind === 'path') item.setSavePath(place.path);
  });
}

/** Keeps contents on our pages, in their own window, and at their own size. `openOutside`: opens the system's browser. */
export function lockContents(
  contents: ShellContents,
  devTools: boolean,
  openOutside: (address: string) => void,
): void {
  contents.setWindowOpenHandler(({ url }) => {
    if (isSignInPage(url)) openOutside(url);
    return { action: 'deny' };
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  const stay = (event: { readonly preventDefault: () => void; readonly url: string }) => {
    if (!mayGo(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('before-input-event', (event, input) => {
    if (!mayPress(input, devTools)) event.preventDefault();
  });
  contents.on('zoom-changed', () => contents.setZoomLevel(0));
  contents.on('did-finish-load', () => {
    contents.setZoomLevel(0);
    // Rejects if the page was closed in the meantime.
    contents.setVisualZoomLevelLimits(1, 1).catch(() => undefined);
  });
}
