/**
 * Which browser the screen is shown in, and how it is started. Pure but for the look at what is installed.
 *
 * Invariants: the browser keeps a profile of its own; it offers nothing but the page (no first steps, no translation, no
 * offer to restore, no gestures that leave the page), and never runs without its sandbox by our doing.
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

/** The first browser of Chromium's kind at its usual place, or null. */
export function findBrowser(exists: (path: string) => boolean = existsSync): string | null {
  return places.find(exists) ?? null;
}

export type KioskWish = {
  /** Folder of the profile; it holds the cookie that lets this screen in. */
  readonly profile: string;
  readonly window: boolean;
  /** Flags of whoever starts it, which come last and so win. */
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
    // Linux alone: the page reads aloud with a voice of the system; Wayland where there is no X server.
    '--enable-speech-dispatcher',
    '--ozone-platform-hint=auto',
    ...more,
  ];
}
