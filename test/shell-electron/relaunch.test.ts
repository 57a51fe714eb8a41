/**
 * Restarts of the app: from an AppImage, a package and a source tree. As in Electron, `relaunch` of the fake starts
 * nothing from an AppImage. The `/bin/sh` that waits for an AppImage is the real one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { PAGE_ADDRESS } from '../../src-main/shell-electron/policies/own-page.ts';
import { ownFolder } from '../core/fixture.ts';
import { fakeElectron } from './fakes/electron.ts';
import { startShellUnderTest } from './shell-under-test.ts';

const core = join(import.meta.dirname, 'fakes', 'core-child.ts');
const module = pathToFileURL(join(import.meta.dirname, '../../src-main/shell-electron/relaunch.ts')).href;

/** A demo that gets a file and restarts for it; returns the command line of the restart. */
async function startsAfterFile(env: Record<string, string> = {}, electron = fakeElectron(false)) {
  const folder = ownFolder();
  const file = join(folder, 'stand.touchpoint');
  writeFileSync(file, '{}');
  const shell = startShellUnderTest(folder, { electron, env, places: { core }, usualPlace: true });
  await shell.ready();
  shell.ipcMain.emit('touchpoint:connect', {
    sender: { postMessage: () => undefined },
    senderFrame: { url: PAGE_ADDRESS, parent: null },
  });
  shell.app.emit('second-instance', {}, [file], folder);
  await shell.exited();
  return { starts: [...electron.app.starts, ...shell.detached], file };
}

test('an AppImage starts again from its own file, because its mount ends with it', async () => {
  const electron = fakeElectron(false);
  const env = electron.app.runFromAppImage('/opt/Touchpoint.AppImage');
  const { starts, file } = await startsAfterFile(env, electron);
  expect(starts).toEqual([['/opt/Touchpoint.AppImage', '--reader', 'none', file]]);
});

test('an unpacked AppImage is unpacked again', async () => {
  const electron = fakeElectron(false);
  const unpacked = '/tmp/appimage_extracted_0123456789abcdef';
  const env = electron.app.runFromAppImage('/opt/Touchpoint.AppImage', unpacked);
  const { starts, file } = await startsAfterFile(env, electron);
  expect(starts).toEqual([
    ['/opt/Touchpoint.AppImage', '--appimage-extract-and-run', '--reader', 'none', file],
  ]);
});

/** What the runtime of another AppImage sets for every program that it starts. */
const editor = { APPIMAGE: '/opt/Editor.AppImage', APPDIR: '/tmp/.mount_EditorX1Y2Z3' };

test('an AppImage below a linked folder is recognised', async () => {
  const folder = ownFolder();
  const [mount, link] = [join(folder, 'mount'), join(folder, 'link')];
  mkdirSync(mount);
  symlinkSync(mount, link);
  const electron = fakeElectron(false);
  const env = { ...electron.app.runFromAppImage('/opt/Touchpoint.AppImage', mount), APPDIR: link };
  const { starts } = await startsAfterFile(env, electron);
  expect(starts.map(([program]) => program)).toEqual(['/opt/Touchpoint.AppImage']);
});

test.each([{}, editor])(
  'an installed app starts again with its arguments, in the environment %j',
  async (env) => {
    const { starts, file } = await startsAfterFile(env);
    expect(starts).toEqual([['/opt/Touchpoint/touchpoint', '--reader', 'none', file]]);
  },
);

test.each([{}, editor])(
  'an app in a source tree starts again with its path, in the environment %j',
  async (env) => {
    const electron = fakeElectron(false);
    electron.app.isPackaged = false;
    const { starts, file } = await startsAfterFile(env, electron);
    expect(starts).toEqual([['/opt/Touchpoint/touchpoint', 'out', '--reader', 'none', file]]);
  },
);

test('the detached start waits until the app has ended, and gets its arguments unchanged', async () => {
  const folder = ownFolder();
  const program = join(folder, 'Touchpoint ü.AppImage');
  const out = join(folder, 'out');
  // The script prints `early` if the process that requested the start still runs.
  const script = `#!/bin/sh\nkill -0 $(cat '${folder}/pid') 2>/dev/null && echo early > '${out}.part'\nprintf '%s\\n' "$@" >> '${out}.part'\nmv '${out}.part' '${out}'\n`;
  writeFileSync(program, script, { mode: 0o755 });
  const source = `
    import { writeFileSync } from 'node:fs';
    import { startDetached } from ${JSON.stringify(module)};
    writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(process.pid));
    startDetached(${JSON.stringify(program)}, ['--data', "a 'b' $c"]);
    process.stdin.resume();
  `;
  const app = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  await expect.poll(() => existsSync(join(folder, 'pid'))).toBe(true);
  app.stdin.end();
  await once(app, 'exit');
  await expect.poll(() => existsSync(out), { timeout: 30_000 }).toBe(true);
  expect(readFileSync(out, 'utf8')).toBe("--data\na 'b' $c\n");
});
