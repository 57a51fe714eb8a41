/**
 * An update under the whole shell: put in place and started anew, kept when its page lives, and given up after two starts
 * that failed. With a core that does nothing, without a page.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../src-main/core/ports.ts';
import { PAGE_ADDRESS } from '../../src-main/shell-electron/policies/page-address.ts';
import { FIRST_LOOK_MS, LOOK_EVERY_MS } from '../../src-main/shell-electron/updates/keep-updated.ts';
import { readUpdateRecord } from '../../src-main/shell-electron/updates/update-record.ts';
import { ownFolder } from '../core/fixture.ts';
import { realClock } from '../core/real-parts.ts';
import { fakeElectron } from './fakes/electron.ts';
import { startShellUnderTest } from './shell-under-test.ts';
import { NEW, OLD, openFeed, placeProgram, updateKey } from './update-feed.ts';

const core = join(import.meta.dirname, 'fakes', 'core-child.ts');

const sleepButFirst: Clock['sleep'] = (ms, signal) =>
  // A look before the core is ready waits for the next one.
  realClock.sleep(ms === FIRST_LOOK_MS || ms === LOOK_EVERY_MS ? 20 : ms, signal);

/** A device that looks at a feed of 1.1.0. */
async function device() {
  const folder = ownFolder();
  const feed = await openFeed();
  const { program, is } = placeProgram();
  const looking = ['--updates', feed.address];
  const start = (version: string, more: readonly string[] = looking) => {
    const electron = fakeElectron(false);
    electron.app.version = version;
    // The first look is not waited for.
    const clock = { ...realClock, sleep: sleepButFirst };
    const env = { APPIMAGE: program };
    const args = ['--reader', 'none', ...more];
    return startShellUnderTest(folder, { args, electron, env, updateKey, clock, places: { core } });
  };
  /** A start that never comes to a living page. */
  const failingStart = async (version: string) => {
    const shell = start(version, []);
    await shell.ready();
    await shell.end();
  };
  const own = join(folder, 'electron');
  return { folder, own, start, failingStart, feed, looking, is, program };
}

test('an update is put in place, the app started anew, and kept when a page of it lives', async () => {
  const { folder, own, start, looking, is, program } = await device();
  const shell = start('1.0.0');
  await shell.exited();
  const args = ['--data', folder, '--reader', 'none', ...looking];
  expect([is(), shell.app.exitCode]).toEqual([NEW, 0]);
  expect(shell.app.relaunched).toEqual([{ execPath: program, args }]);
  expect(readUpdateRecord(own)?.trying).toMatchObject({ to: '1.1.0', from: '1.0.0', schema: 7 });

  const next = start('1.1.0', []);
  await next.ready();
  const sender = { postMessage: () => undefined };
  next.ipcMain.emit('touchpoint:connect', { sender, senderFrame: { url: PAGE_ADDRESS, parent: null } });
  expect(readUpdateRecord(own)?.trying).toBeNull();
  await next.end();
});

test('a version that failed twice gives way to the one before, and is not taken again', async () => {
  const { own, start, failingStart, feed, is, program } = await device();
  await start('1.0.0').exited();
  await failingStart('1.1.0');
  await failingStart('1.1.0');
  expect(is()).toBe(NEW);
  const third = start('1.1.0', []);
  expect([third.app.exitCode, is()]).toEqual([0, OLD]);
  expect(third.complaints).toEqual(['Version 1.1.0 failed 2 times; 1.0.0 is started again.']);
  expect(third.app.relaunched).toMatchObject([{ execPath: program }]);
  expect(readUpdateRecord(own)).toMatchObject({ trying: null, failed: '1.1.0' });

  feed.asked.length = 0;
  const back = start('1.0.0');
  await expect.poll(() => feed.asked.length).toBeGreaterThan(1);
  await back.end();
  expect([is(), feed.asked.filter((path) => path.endsWith('.AppImage'))]).toEqual([OLD, []]);
  expect(back.complaints.join()).not.toContain('Two starts failed');
});

test('a version that raised the tables of the journal stays, and says why', async () => {
  const { folder, start, failingStart, is } = await device();
  await start('1.0.0').exited();
  await failingStart('1.1.0');
  await failingStart('1.1.0');
  writeFileSync(join(folder, 'last-version.json'), '{"version":"1.1.0","facts":3,"schema":8,"change":null}');
  const third = start('1.1.0', []);
  await third.ready();
  expect([is(), third.complaints[0]]).toEqual([
    NEW,
    'Version 1.1.0 failed 2 times; 1.0.0 could not open the journal any more, so it stays.',
  ]);
  await third.end();
});

test('nothing is looked for unless a start asks for it, an AppImage runs, and the build knows a key', async () => {
  const asks = ['--reader', 'none', '--updates', 'https://updates.example/'];
  for (const [changes, sentence] of [
    [{ args: ['--reader', 'none'], env: { APPIMAGE: '/app.AppImage' }, updateKey }, null],
    [{ args: asks, updateKey }, 'Updates are not taken: this is no AppImage.'],
    [
      { args: asks, env: { APPIMAGE: '/app.AppImage' } },
      'Updates are not taken: this build knows no key that they are signed with.',
    ],
  ] as const) {
    const electron = fakeElectron(false);
    const shell = startShellUnderTest(ownFolder(), { ...changes, electron, places: { core } });
    await shell.ready();
    expect(shell.complaints).toEqual(sentence === null ? [] : [sentence]);
    await shell.end();
  }
});
