/**
 * Chromium switches with which a package refuses to start. Pure.
 *
 * Invariant: no other program can open one of our pages, and no page runs without the sandbox. Fuses do not cover
 * these switches.
 */
const openingSwitches = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-targets',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'inspect-publish-uid',
  'no-sandbox',
  'disable-web-security',
  'load-extension',
];

/** The first of these switches on the command line, or null. */
export function openingSwitch(hasSwitch: (name: string) => boolean): string | null {
  return openingSwitches.find(hasSwitch) ?? null;
}

/**
 * Why a package refuses to start with a switch. An AppImage's start script adds `--no-sandbox` on a system without
 * user namespaces (Ubuntu 24.04), because an AppImage's mount has no setuid programs. The Debian package contains
 * such a program.
 */
export function switchSentence(name: string, isAppImage: boolean): string {
  return name === 'no-sandbox' && isAppImage
    ? 'This system gives an AppImage no sandbox, so Touchpoint does not start from it: install the Debian package instead.'
    : `Touchpoint does not start with --${name}.`;
}
