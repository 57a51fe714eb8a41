/** The flags of the browser of a kiosk, and which browser is used. */
import { expect, test } from 'vitest';
import { findBrowser, kioskArguments } from '../../src-main/commands/screen/kiosk-flags.ts';

test('the flags start Chromium in kiosk mode with its own profile, and weaken no protection', () => {
  const flags = kioskArguments({ profile: '/data/screen', window: false, more: [] });
  expect(flags).toEqual(
    expect.arrayContaining(['--kiosk', '--user-data-dir=/data/screen', '--no-first-run', '--disable-pinch']),
  );
  expect(flags.join(' ')).not.toMatch(/no-sandbox|disable-web-security|remote-debugging/);
});

test('the flags open a window on request, and those of the user come last', () => {
  const flags = kioskArguments({ profile: '/p', window: true, more: ['--password-store=gnome'] });
  expect(flags).not.toContain('--kiosk');
  expect(flags.at(-1)).toBe('--password-store=gnome');
});

test('finds the first installed Chromium-based browser, or null', () => {
  expect(findBrowser((path) => path.endsWith('google-chrome'))).toBe('/usr/bin/google-chrome');
  expect(findBrowser(() => false)).toBeNull();
});
