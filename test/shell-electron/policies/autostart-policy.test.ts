/** How each system stores the start with the user's session. */
import { expect, test } from 'vitest';
import {
  type AutostartTerms,
  autostartStep,
} from '../../../src-main/shell-electron/policies/autostart-policy.ts';

const terms = (more: Partial<AutostartTerms>): AutostartTerms => ({
  wanted: true,
  system: 'linux',
  program: '/opt/Touchpoint/touchpoint',
  args: ['--kiosk', '--autostart', 'on', '--data', '/srv/Messe München', '/home/a/b.touchpoint'],
  folder: '/home/a/fair',
  home: '/home/a',
  configHome: null,
  ...more,
});

test('writes a desktop entry on Linux, with the arguments of this start but without the autostart option and a file to open', () => {
  expect(autostartStep(terms({}))).toEqual({
    kind: 'file',
    path: '/home/a/.config/autostart/touchpoint.desktop',
    text: '[Desktop Entry]\nType=Application\nName=Touchpoint\nExec="/opt/Touchpoint/touchpoint" "--kiosk" "--data" "/srv/Messe München"\nTerminal=false\n',
  });
  expect(autostartStep(terms({ configHome: '/cfg' }))).toMatchObject({
    path: '/cfg/autostart/touchpoint.desktop',
  });
});

test('special characters of a desktop entry are quoted', () => {
  const step = autostartStep(terms({ program: '/opt/a "b"/100 %/$x`y\\z', args: ['--autostart=on'] }));
  expect(step).toMatchObject({
    text: expect.stringContaining('Exec="/opt/a \\\\"b\\\\"/100 %%/\\\\$x\\\\`y\\\\\\\\z"\n'),
  });
});

test('writes a launch agent of the user on macOS', () => {
  const step = autostartStep(
    terms({ system: 'darwin', home: '/Users/a', program: '/Applications/T & <T>.app/x', args: ['--kiosk'] }),
  );
  expect(step).toMatchObject({ path: '/Users/a/Library/LaunchAgents/app.touchpoint.kiosk.plist' });
  expect(step).toMatchObject({
    text: expect.stringContaining(
      '<string>/Applications/T &amp; &lt;T&gt;.app/x</string>\n    <string>--kiosk</string>',
    ),
  });
});

test('creates a login item on Windows, whose arguments Electron quotes', () => {
  const args = ['--kiosk', '--autostart', 'on', '--data', 'D:\\Messe München'];
  expect(autostartStep(terms({ system: 'win32', program: 'C:\\T\\electron.exe', args }))).toEqual({
    kind: 'loginItem',
    openAtLogin: true,
    path: 'C:\\T\\electron.exe',
    args: ['--kiosk', '--data', 'D:\\Messe München'],
  });
});

test('relative paths are kept as absolute ones, and the file of --provision stays', () => {
  const args = (system: string, folder: string, given: readonly string[]) =>
    autostartStep(terms({ system, folder, args: given }));
  expect(args('win32', 'C:\\Fair', ['--data', 'stand', '--autostart', 'on'])).toMatchObject({
    args: ['--data', 'C:\\Fair\\stand'],
  });
  expect(
    args('linux', '/home/a', ['--data=stand', '--provision', 'T01.Touchpoint', 'T02.touchpoint']),
  ).toMatchObject({
    text: expect.stringContaining(
      'touchpoint" "--data=/home/a/stand" "--provision" "/home/a/T01.Touchpoint"\n',
    ),
  });
});

test('switching off removes the file or the login item; other systems have no autostart', () => {
  expect(autostartStep(terms({ wanted: false }))).toMatchObject({ kind: 'file', text: null });
  expect(autostartStep(terms({ wanted: false, system: 'darwin' }))).toMatchObject({
    kind: 'file',
    text: null,
  });
  expect(autostartStep(terms({ wanted: false, system: 'win32' }))).toMatchObject({ openAtLogin: false });
  expect(autostartStep(terms({ system: 'freebsd' }))).toBeNull();
});
