/**
 * Starts of the Electron shell: refusals and their sentences, safe starts after two failed ones, sleep and displays.
 * With a core that does nothing and without a page.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../src-main/core/foundations/ports.ts';
import { realClock } from '../../src-main/machine/real-time.ts';
import {
  PAGE_ADDRESS,
  SECOND_ADDRESS,
  STOPPED_ADDRESS,
} from '../../src-main/shell-electron/policies/own-page.ts';
import { fakeElectron } from './fakes/electron.ts';
import { startShellUnderTest } from './shell-under-test.ts';

const core = join(import.meta.dirname, 'fakes', 'core-child.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchpoint-start-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A start with a core that does nothing, and windows without pages. */
function start(args: readonly string[] = [], electron = fakeElectron(false), data = folder) {
  return startShellUnderTest(data, { args, electron, places: { core } });
}

const record = () => JSON.parse(readFileSync(join(folder, 'electron', 'starts.json'), 'utf8')) as unknown;

test.each([
  [['--what'], 'There is no option --what; --help lists them all.'],
  [['--port', '0'], 'The option --port takes a number from 1 to 65535.'],
])('%j is refused with one sentence and leaves nothing behind', async (args, sentence) => {
  const shell = start(args);
  await shell.exited();
  expect([shell.app.exitCode, shell.complaints, shell.boxes]).toEqual([2, [sentence], [sentence]]);
  expect(existsSync(join(folder, 'electron'))).toBe(false);
});

test.each([
  { start: 'a double click on a package sets the device up', isPackaged: true, args: [], place: 'stand' },
  { start: 'a package with --demo runs the demo event', isPackaged: true, args: ['--demo'], place: 'demo' },
  { start: 'a source tree runs the demo event', isPackaged: false, args: [], place: 'demo' },
])('$start', async ({ isPackaged, args, place }) => {
  const electron = fakeElectron(false);
  electron.app.isPackaged = isPackaged;
  const shell = startShellUnderTest(folder, { args, electron, places: { core }, usualPlace: true });
  await shell.ready();
  await shell.end();
  expect(readdirSync(join(folder, 'touchpoint'))).toEqual([place]);
});

test('a package does not start with a remote debugging switch', () => {
  const electron = fakeElectron(false);
  electron.app.switches.push('remote-debugging-port');
  const shell = start([], electron);
  expect(shell.app.exitCode).toBe(2);
  expect(shell.complaints).toEqual(['Touchpoint does not start with --remote-debugging-port.']);
});

test('an AppImage without a sandbox names the Debian package in a dialog, and does not start', async () => {
  const electron = fakeElectron(false);
  // An AppImage's start script adds this switch on systems without user namespaces.
  electron.app.switches.push('no-sandbox');
  const shell = startShellUnderTest(folder, {
    electron,
    env: electron.app.runFromAppImage('/opt/Touchpoint.AppImage'),
    places: { core },
  });
  await shell.exited();
  const sentence =
    'This system gives an AppImage no sandbox, so Touchpoint does not start from it: install the Debian package instead.';
  expect([shell.app.exitCode, shell.complaints, shell.boxes]).toEqual([2, [sentence], [sentence]]);
  expect(shell.windows).toEqual([]);
});

test('a core that runs out of memory is restarted, and no dialog covers the screen', async () => {
  const shell = start();
  await shell.ready();
  const before = shell.process('core');
  before?.runOutOfMemory();
  await expect.poll(() => shell.complaints.join()).toContain('The core of Touchpoint ended');
  expect(shell.complaints.join()).toContain('FatalError in v8::ToLocalChecked');
  // The report contains the environment, and so the key.
  expect(shell.complaints.join()).not.toContain('secret');
  await expect.poll(() => shell.process('core') !== undefined && shell.process('core') !== before).toBe(true);
  await shell.end();
});

test('a defect of the shell is logged without a dialog, and the app continues; more than three a minute end it', async () => {
  const shell = start();
  await shell.ready();
  for (let count = 0; count < 3; count += 1) shell.defect(new TypeError('a handler failed'));
  expect([shell.app.exitCode, shell.boxes]).toEqual([null, []]);
  shell.defect(new TypeError('a handler failed'));
  expect([shell.app.exitCode, shell.boxes]).toEqual([70, []]);
  expect(shell.complaints.join()).toMatch(/TypeError\n {4}at .*shell-start\.test\.ts/u);
});

test('a defect before the core is ready ends the app', () => {
  const shell = start();
  shell.defect(new Error('not even started'));
  expect([shell.app.exitCode, shell.boxes]).toEqual([1, []]);
});

test('a second start on the folder is refused, and does not count as a failed one', () => {
  const electron = fakeElectron(false);
  electron.app.isFirst = false;
  const shell = start([], electron);
  expect([shell.app.exitCode, shell.boxes]).toEqual([2, []]);
  expect(shell.complaints).toEqual([`Touchpoint is already running on the data folder ${folder}.`]);
  expect(existsSync(join(folder, 'electron', 'starts.json'))).toBe(false);
});

test('a folder that cannot be created is refused', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const shell = start([], fakeElectron(false), join(file, 'data'));
  await shell.exited();
  expect(shell.app.exitCode).toBe(2);
  expect(shell.complaints.join()).toContain('cannot be made');
});

test('help prints its text and starts nothing', () => {
  const shell = start(['--help']);
  expect(shell.app.exitCode).toBe(0);
  expect(shell.lines.join()).toContain('--kiosk');
});

test.each([
  { isPackaged: true, boxes: ['The disk is full.'] },
  { isPackaged: false, boxes: [] },
])(
  'if the core refuses the first start, the app shows its reason and ends (package: $isPackaged)',
  async ({ isPackaged, boxes }) => {
    const refused = join(folder, 'refused');
    const electron = fakeElectron(false);
    electron.app.isPackaged = isPackaged;
    const shell = start([], electron, refused);
    await shell.exited();
    expect([shell.app.exitCode, shell.complaints, shell.boxes]).toEqual([2, ['The disk is full.'], boxes]);
    await expect.poll(() => shell.utilities.size).toBe(0);
  },
);

test('if the core ends at every start, the window shows a notice, and the stand as soon as a core is ready', async () => {
  const minuteIsOver = new AbortController();
  const sleep: Clock['sleep'] = (ms, signal = minuteIsOver.signal) =>
    realClock.sleep(
      ms,
      minuteIsOver.signal.aborted ? signal : AbortSignal.any([signal, minuteIsOver.signal]),
    );
  const data = join(folder, 'ends');
  const shell = startShellUnderTest(data, {
    electron: fakeElectron(false),
    places: { core },
    clock: { ...realClock, sleep },
  });
  await expect.poll(() => shell.windows.length, { timeout: 30_000 }).toBe(1);
  const [window] = shell.windows;
  expect(window?.addresses).toEqual([PAGE_ADDRESS, STOPPED_ADDRESS]);
  expect(shell.complaints.filter((line) => line.startsWith('The core of Touchpoint ended'))).toHaveLength(4);
  expect([shell.app.exitCode, shell.lines]).toEqual([null, []]);
  writeFileSync(join(data, 'mended'), '');
  minuteIsOver.abort();
  await shell.ready();
  expect([shell.windows.length, window?.addresses.at(-1)]).toEqual([1, PAGE_ADDRESS]);
  await shell.end();
});

test('a normal start uses the graphics card, keeps the screen lit and prints its lines', async () => {
  const shell = start();
  await shell.ready();
  expect(shell.lines).toEqual(['A line for the person', `Touchpoint is ready: ${PAGE_ADDRESS}`]);
  expect([shell.app.hardware, shell.blockers]).toEqual([true, ['prevent-display-sleep']]);
  expect(shell.windows.map(({ options }) => options.kiosk)).toEqual([false]);
  expect(record()).toEqual({ failed: 1 });
  const sender = { postMessage: () => undefined };
  shell.ipcMain.emit('touchpoint:connect', { sender, senderFrame: { url: PAGE_ADDRESS, parent: null } });
  expect(record()).toEqual({ failed: 0 });
  await shell.end();
});

test('--no-open opens no window', async () => {
  const shell = start(['--no-open']);
  await shell.ready();
  expect(shell.windows).toHaveLength(0);
  await shell.end();
});

test('after two failed starts, the shell starts without the graphics card in a window on one display and says so', async () => {
  mkdirSync(join(folder, 'electron'));
  writeFileSync(join(folder, 'electron', 'starts.json'), '{"failed":2}');
  const electron = fakeElectron(false);
  electron.displays.push({ id: 2, bounds: { x: 1280, y: 0, width: 800, height: 600 } });
  const shell = start(['--kiosk'], electron);
  await shell.ready();
  expect(shell.app.hardware).toBe(false);
  expect(shell.windows.map(({ options }) => options.kiosk)).toEqual([false]);
  expect(shell.complaints.join()).toContain('Two starts failed');
  expect(record()).toEqual({ failed: 3 });
  await shell.end();
});

test('a kiosk window cannot be closed, and a second window fills a second display while it is connected', async () => {
  const shell = start(['--kiosk']);
  await shell.ready();
  const [window] = shell.windows;
  expect([window?.options.kiosk, window?.options.frame]).toEqual([true, false]);
  window?.setKiosk(false);
  window?.emit('leave-full-screen');
  expect([window?.kiosk, window?.close()]).toEqual([true, false]);

  const second = { id: 2, bounds: { x: 1280, y: 0, width: 800, height: 600 } };
  shell.displays.push(second);
  shell.screen.emit('display-added');
  shell.screen.emit('display-added');
  expect(shell.windows.map(({ addresses }) => addresses)).toEqual([[PAGE_ADDRESS], [SECOND_ADDRESS]]);
  expect(shell.windows[1]?.options).toMatchObject({ ...second.bounds, fullscreen: true });
  shell.displays.pop();
  shell.screen.emit('display-removed');
  expect(shell.windows.map((one) => one.isDestroyed())).toEqual([false, true]);
  await shell.end();
});

test('a window that is not a kiosk can close; a second start brings it to the front', async () => {
  const shell = start();
  await shell.ready();
  let focused = 0;
  shell.windows[0]?.on('focus', () => (focused += 1));
  shell.app.emit('second-instance', {}, [], folder);
  expect([focused, shell.windows[0]?.close()]).toEqual([1, true]);
  await shell.end();
});

test.each(['Linux and macOS', 'Windows'])(
  'the app ends in order when the machine shuts down: %s',
  async (system) => {
    const shell = start();
    await shell.ready();
    shell.powerMonitor.emit('suspend');
    shell.powerMonitor.emit('resume');
    if (system === 'Windows') shell.windows[0]?.emit('session-end');
    else shell.powerMonitor.emit('shutdown');
    await shell.exited();
    expect(shell.app.exitCode).toBe(0);
    await expect.poll(() => shell.utilities.size).toBe(0);
  },
);

test('keys that would leave the page are stopped, and a zoom is reset', async () => {
  const shell = start(['--kiosk']);
  await shell.ready();
  const contents = shell.windows[0]?.webContents;
  const input = { control: false, shift: false, alt: false, meta: false };
  const stopped = (key: object) => {
    let stop = false;
    contents?.emit('before-input-event', { preventDefault: () => (stop = true) }, { ...input, ...key });
    return stop;
  };
  expect([stopped({ key: 'F11' }), stopped({ key: 'r', control: true }), stopped({ key: 'F2' })]).toEqual([
    true,
    true,
    false,
  ]);
  contents?.setZoomLevel(3);
  contents?.emit('zoom-changed');
  expect(contents?.zoomLevel).toBe(0);
  await shell.end();
});

test('the start at sign-in is stored when requested, and removed when it is switched off', async () => {
  const config = join(folder, 'config');
  const entry = join(config, 'autostart', 'touchpoint.desktop');
  const started = async (args: readonly string[]) => {
    const electron = fakeElectron(false);
    const shell = startShellUnderTest(folder, {
      args: ['--reader', 'none', ...args],
      electron,
      env: { ...electron.app.runFromAppImage('/opt/Touchpoint.AppImage'), XDG_CONFIG_HOME: config },
      places: { core },
    });
    await shell.ready();
    await shell.end();
    return existsSync(entry) ? readFileSync(entry, 'utf8') : null;
  };
  expect(await started([])).toBeNull();
  expect(await started(['--kiosk', '--autostart', 'on'])).toContain(
    `Exec="/opt/Touchpoint.AppImage" "--data" "${folder}" "--reader" "none" "--kiosk"\n`,
  );
  expect(await started([])).not.toBeNull();
  expect(await started(['--autostart', 'off'])).toBeNull();
});
