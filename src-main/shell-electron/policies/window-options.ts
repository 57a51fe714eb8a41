/**
 * How a window of ours is made. Pure.
 *
 * Invariant: every window has the same locked page: sandboxed, apart from the preload's world, without Node.js, without
 * DevTools in a package. Electron security checklist, items 2, 3, 4, 6, 8, 9, 10 and 11.
 */
import type { BrowserWindowConstructorOptions, Rectangle, WebPreferences } from 'electron';

/** What a window is for. */
export type WindowWish = {
  /** Over the whole screen, without a frame; what escapes that is the system's lock-down (docs/electron.md). */
  readonly kiosk: boolean;
  /** Whether DevTools may be opened: only where the app runs from its sources. */
  readonly devTools: boolean;
  /** Path of the preload. */
  readonly preload: string;
  /** The display to fill; null: where the system puts a window of its usual size. */
  readonly display: Rectangle | null;
};

/** Options of the `BrowserWindow`. It is shown when its page was drawn. */
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
  // A page in front of nobody still has to follow what is captured.
  backgroundThrottling: false,
};

type Display = { readonly id: number; readonly bounds: Rectangle };

/** The display for the attract loop: the first that is not the main one; null where there is one only. */
export function secondDisplay(displays: readonly Display[], main: Pick<Display, 'id'>): Display | null {
  return displays.find(({ id }) => id !== main.id) ?? null;
}
