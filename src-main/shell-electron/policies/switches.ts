/**
 * Switches of Electron for which we do not start. Pure.
 *
 * Invariant: a page of ours is never open to another program; fuses do not cover these switches.
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

/** The first of them that was given, or null. */
export function openingSwitch(hasSwitch: (name: string) => boolean): string | null {
  return openingSwitches.find(hasSwitch) ?? null;
}
