/**
 * Differences between Linux, macOS and Windows, as tables. Each branch runs on any machine. The effect on the real
 * system is not tested.
 */
import { expect, test } from 'vitest';
import { dataFolderPath } from '../../src-main/data-folder/data-folder.ts';
import { escapeFunction } from '../../src-main/devices/card/pcsc-card.ts';
import { hasDisplay, openCommand } from '../../src-main/machine/open-address.ts';
import { type Disks, findPlaces } from '../../src-main/machine/places.ts';
import { downloadPlace } from '../../src-main/shell-electron/policies/downloads.ts';

type Case = readonly [NodeJS.Platform, Readonly<Record<string, string>>, string, string];

test.each<Case>([
  ['win32', { LOCALAPPDATA: 'D:\\Profile\\Jörg Müller' }, 'C:\\x', 'D:\\Profile\\Jörg Müller\\Touchpoint'],
  ['win32', {}, 'C:\\Users\\Jörg Müller', 'C:\\Users\\Jörg Müller\\AppData\\Local\\Touchpoint'],
  ['win32', { LOCALAPPDATA: '' }, 'C:\\Users\\a', 'C:\\Users\\a\\AppData\\Local\\Touchpoint'],
  ['darwin', { HOME: '/x' }, '/Users/Jörg M', '/Users/Jörg M/Library/Application Support/Touchpoint'],
  ['linux', { HOME: '/home/Jörg M' }, '/x', '/home/Jörg M/.local/share/touchpoint'],
  ['linux', { XDG_DATA_HOME: '/große Platte' }, '/x', '/große Platte/touchpoint'],
])('the data folder on %s, with %j and the home %s, is below %s', (os, env, home, place) => {
  const platform = { url: 'https://p.example:8443/api', expo: '77' };
  const slash = os === 'win32' ? '\\' : '/';
  const at = (choice: Parameters<typeof dataFolderPath>[0]) => dataFolderPath(choice, env, os, home);
  expect(at({ data: null, platform: null })).toBe(`${place}${slash}demo`);
  expect(at({ data: null, platform: null, setUp: true })).toBe(`${place}${slash}stand`);
  expect(at({ data: null, platform })).toBe(`${place}${slash}p.example_8443-77`);
});

test.each<readonly [NodeJS.Platform, string, string]>([
  ['win32', 'E:\\Messe München\\..\\Stand 7\\', 'E:\\Stand 7'],
  ['win32', 'E:/Messe München/Stand 7', 'E:\\Messe München\\Stand 7'],
  ['win32', '\\\\server\\Stände\\7', '\\\\server\\Stände\\7'],
  ['darwin', '/Volumes/Messe München/7/', '/Volumes/Messe München/7'],
  ['linux', '/srv/Messe München/./7', '/srv/Messe München/7'],
])('a data folder given on %s as %s is %s', (os, data, wanted) => {
  expect(dataFolderPath({ data, platform: null }, {}, os, '/home/x')).toBe(wanted);
});

test.each<readonly [NodeJS.Platform, readonly string[]]>([
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler']],
  ['darwin', ['open']],
  ['linux', ['xdg-open']],
])('on %s an address is one argument that no shell interprets', (os, command) => {
  const address = 'http://127.0.0.1:4747/?launch=a&b=%20"c';
  expect(openCommand(address, os)).toEqual([...command, address]);
});

test('Windows and macOS always have a screen, Linux only with a display variable', () => {
  expect([hasDisplay({}, 'win32'), hasDisplay({}, 'darwin'), hasDisplay({}, 'linux')]).toEqual([
    true,
    true,
    false,
  ]);
  expect([hasDisplay({ DISPLAY: ':0' }, 'linux'), hasDisplay({ WAYLAND_DISPLAY: 'w' }, 'linux')]).toEqual([
    true,
    true,
  ]);
});

/** Disks with these folders. Each folder in `/Volumes` is a separate disk. */
const disksWith = (folders: readonly string[], system = ''): Disks => ({
  isFolder: (path) => folders.includes(path),
  names: (folder) =>
    folders.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)),
  disk: (path) => (path === '/' || path === system ? 1 : 2),
  free: () => 7,
});

test.each<readonly [NodeJS.Platform, string, Disks, readonly (readonly string[])[]]>([
  [
    'win32',
    'C:\\Users\\Jörg Müller',
    disksWith(['E:\\', 'C:\\Users\\Jörg Müller\\Downloads']),
    [
      ['stick:E:', 'E:\\'],
      ['downloads:Downloads', 'C:\\Users\\Jörg Müller\\Downloads'],
    ],
  ],
  [
    'darwin',
    '/Users/jm',
    disksWith(['/Volumes/Macintosh HD', '/Volumes/Stick ü', '/Users/jm/Desktop'], '/Volumes/Macintosh HD'),
    [
      ['stick:Stick ü', '/Volumes/Stick ü'],
      ['desktop:Desktop', '/Users/jm/Desktop'],
    ],
  ],
  [
    'linux',
    '/home/jm',
    disksWith(['/media/jm/STICK 1', '/run/media/jm/ü', '/media/other/x', '/home/jm/Documents']),
    [
      ['stick:STICK 1', '/media/jm/STICK 1'],
      ['stick:ü', '/run/media/jm/ü'],
      ['documents:Documents', '/home/jm/Documents'],
    ],
  ],
])('finds targets for an exported file on %s', (os, home, disks, wanted) => {
  const found = findPlaces({ home, user: 'jm' }, os, disks);
  expect(found.map(({ id, path }) => [id, path])).toEqual(wanted);
});

test.each([
  ['C:\\Users\\Jörg Müller\\Downloads', 'C:\\Users\\Jörg Müller\\Downloads\\leads.csv'],
  ['\\\\server\\Profile\\Downloads', '\\\\server\\Profile\\Downloads\\leads.csv'],
  ['/home/Jörg M/Downloads', '/home/Jörg M/Downloads/leads.csv'],
])("a kiosk's download goes into %s, whatever its name", (folder, wanted) => {
  for (const name of ['leads.csv', '..\\..\\leads.csv', '../../leads.csv', 'D:\\leads.csv']) {
    const asked = { address: 'blob:app://touchpoint/1', name };
    expect(downloadPlace(asked, true, folder, () => false)).toEqual({ kind: 'path', path: wanted });
  }
});

test('a reader blinks with the control code of its system', () => {
  expect([escapeFunction('win32'), escapeFunction('darwin'), escapeFunction('linux')]).toEqual([3500, 1, 1]);
});
