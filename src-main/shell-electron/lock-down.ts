/**
 * What Electron allows by default and we do not: permissions, devices, navigation, windows, embedded views.
 *
 * Invariants: every session that is ever made is locked; a page of ours leads nowhere but to pages of ours; the one
 * permission there is, the camera, goes to our own page and never with a microphone. Electron answers a permission with
 * yes where nobody answers (Electron security checklist, items 5, 13, 14).
 */
import type { Session, WebContents, WebPreferences } from 'electron';
import { PAGE_ADDRESS } from './page-protocol.ts';

/** Denies every permission, device and capture in this session, but for a picture from the camera to our own page. */
export function lockSession(
  session: Pick<
    Session,
    | 'setPermissionRequestHandler'
    | 'setPermissionCheckHandler'
    | 'setDevicePermissionHandler'
    | 'setDisplayMediaRequestHandler'
  >,
): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const kinds = permission === 'media' && 'mediaTypes' in details ? details.mediaTypes : undefined;
    const cameraOnly = kinds !== undefined && kinds.length > 0 && kinds.every((kind) => kind === 'video');
    answer(cameraOnly && details.isMainFrame && isOwn(details.requestingUrl));
  });
  session.setPermissionCheckHandler(
    (_contents, permission, origin, { mediaType, isMainFrame }) =>
      permission === 'media' && mediaType === 'video' && isMainFrame && isOwn(`${origin}/`),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler(null);
}

/** Keeps contents on our own pages, in their own window. */
export function lockContents(contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('will-navigate', (event) => {
    if (!isOwn(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isOwn(event.url)) event.preventDefault();
  });
}

function isOwn(address: string): boolean {
  return address.startsWith(PAGE_ADDRESS);
}

/** The page's process: sandboxed, apart from the preload's world, without Node.js. */
export function lockedPreferences(preload: string): WebPreferences {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    safeDialogs: true,
  };
}

/** Switches that would open the page to other programs; fuses do not cover them. */
const openingSwitches = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'inspect',
  'inspect-brk',
];

/** The first switch for which we do not start, or null. */
export function openingSwitch(hasSwitch: (name: string) => boolean): string | null {
  return openingSwitches.find(hasSwitch) ?? null;
}
