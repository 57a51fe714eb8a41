/**
 * Options of our windows. Pure.
 *
 * Invariant: the page of every window is sandboxed, isolated from the preload script, without Node.js, and without
 * DevTools in a package (Electron security checklist, items 2, 3, 4, 6, 8, 9, 10 and 11).
 */
import type { BrowserWindowConstructorOptions, Rectangle, WebPreferences } from 'electron';

/** The requirements on a window. */
export type WindowWish = {
  /** Fills the screen without a frame. The operating system must block the remaining ways out (docs/electron.md). */
  readonly kiosk: boolean;
  /** Whether DevTools may open: only when the app runs from its sources. */
  readonly devTools: boolean;
  /** Path of the preload script. */
  readonly preload: string;
  /** The display to fill; null for a window of the default size. */
  readonly display: Rectangle | null;
};

/** Options of the `BrowserWindow`. It is shown after its first paint. */
export function windowOptions({
  kiosk,
  devTools,
  preload,
  display,
}: WindowWish): BrowserWindowConstructorOptions {
  const place = display === null ? { width: 1280, height: 800 } : { ...display };
  return {
    ...place,
    kiosk,
    fullscreen: kiosk || display !== null,
    frame: !kiosk,
    autoHideMenuBar: true,
    show: false,
    webPreferences: { ...lockedPreferences, preload, devTools },
  };
}

const lockedPreferences: WebPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  disableDialogs: true,
  spellcheck: false,
  // The page must show captures even while no user is active.
  backgroundThrottling: false,
};

type Display = { readonly id: number; readonly bounds: Rectangle };

/** The display for the attract loop: the first display that is not the main one; null when there is only one. */
export function secondDisplay(displays: readonly Display[], main: Pick<Display, 'id'>): Display | null {
  return displays.find(({ id }) => id !== main.id) ?? null;
}
