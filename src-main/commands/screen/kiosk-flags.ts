/**
 * Finds the browser for the screen and its flags. Pure, except that it checks which browsers are installed.
 *
 * Invariants:
 * - the browser has its own profile;
 * - it shows only the page: no first-run dialog, no translation, no offer to restore, no gestures that leave the page;
 * - none of our flags disables its sandbox.
 */
import { existsSync } from 'node:fs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The first Chromium-based browser at its usual path, or null. */
export function findBrowser(exists: (path: string) => boolean = existsSync): string | null {
  return places.find(exists) ?? null;
}

export type KioskWish = {
  /** Folder of the profile. It contains the session cookie of this screen. */
  readonly profile: string;
  readonly window: boolean;
  /** The user's flags. They come last, so they override ours. */
  readonly more: readonly string[];
};

/** The flags of Chromium, without the address. */
export function kioskArguments({ profile, window, more }: KioskWish): readonly string[] {
  return [
    `--user-data-dir=${profile}`,
    ...(window ? ['--new-window'] : ['--kiosk']),
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-session-crashed-bubble',
    '--noerrdialogs',
    '--disable-features=Translate',
    '--disable-pinch',
    '--overscroll-history-navigation=0',
    '--disable-component-update',
    '--disable-background-networking',
    '--password-store=basic',
    '--autoplay-policy=no-user-gesture-required',
    // For Linux: speech uses a system voice, and Wayland is used if there is no X server.
    '--enable-speech-dispatcher',
    '--ozone-platform-hint=auto',
    ...more,
  ];
}
