/** How the screen of a kiosk is started. */
import { expect, test } from 'vitest';
import { findBrowser, kioskArguments } from '../../src-main/commands/screen/kiosk-flags.ts';

test('the screen is Chromium filling the display, with a profile of its own and without offers', () => {
  const flags = kioskArguments({ profile: '/data/screen', window: false, more: [] });
  expect(flags).toEqual(
    expect.arrayContaining(['--kiosk', '--user-data-dir=/data/screen', '--no-first-run', '--disable-pinch']),
  );
  expect(flags.join(' ')).not.toMatch(/no-sandbox|disable-web-security|remote-debugging/);
});

test('it can be tried out in a window, and a flag of whoever starts it comes last', () => {
  const flags = kioskArguments({ profile: '/p', window: true, more: ['--password-store=gnome'] });
  expect(flags).not.toContain('--kiosk');
  expect(flags.at(-1)).toBe('--password-store=gnome');
});

test("the first browser of Chromium's kind that is installed is taken, and none is said", () => {
  expect(findBrowser((path) => path.endsWith('google-chrome'))).toBe('/usr/bin/google-chrome');
  expect(findBrowser(() => false)).toBeNull();
});
