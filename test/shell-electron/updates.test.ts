/** Updates with real files, signatures and electron-updater: what is accepted, what waits, and the restart. */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../src-main/core/foundations/ports.ts';
import { createUpdateQuestions } from '../../src-main/shell-electron/shell-updates.ts';
import { createAppImageUpdater } from '../../src-main/shell-electron/updates/app-image-updater.ts';
import { checkForUpdate, keepUpdated, type Moment } from '../../src-main/shell-electron/updates/updates.ts';
import { ownFolder } from '../core/fixture.ts';
import { realClock } from '../core/real-parts.ts';
import { fakeElectron } from './fakes/electron.ts';
import { startShellUnderTest } from './shell-under-test.ts';
import { NEW, OLD, openFeed, placeProgram, updateKey } from './update-feed.ts';

const NOW = Date.UTC(2026, 10, 21);
const quiet: Moment = { fair: null, lastFactAt: null, waiting: 0 };
const IMAGE = 'touchpoint-1.1.0-linux-x86_64.AppImage';
const theirs = generateKeyPairSync('ed25519').privateKey;

let moments: (Moment | null)[];
let hasBackup: boolean;
const asked: string[] = [];

beforeEach(() => {
  moments = [quiet];
  hasBackup = true;
  asked.length = 0;
});

/** A device of version 1.0.0 with a feed. */
async function device(name?: string) {
  const feed = await openFeed();
  const { program, folder, content } = placeProgram(name);
  const place = { feed: feed.address, version: '1.0.0', folder: join(folder, 'own'), program };
  const core = {
    moment: () => {
      asked.push('moment');
      return Promise.resolve((moments.length > 1 ? moments.shift() : moments[0]) ?? null);
    },
    backUp: () => {
      asked.push('backup');
      return Promise.resolve(hasBackup);
    },
  };
  const parts = { updater: await createAppImageUpdater(place), core, key: updateKey };
  return { parts, feed, program, folder, content, check: () => checkForUpdate({ ...parts, now: () => NOW }) };
}

test('installs a newer, signed, complete version after a backup', async () => {
  const { check, content, feed, program } = await device();
  expect(await check()).toEqual({ kind: 'installed', version: '1.1.0', program });
  expect([content(), statSync(program).mode & 0o777]).toEqual([NEW, 0o755]);
  expect(asked).toEqual(['moment', 'backup', 'moment']);
  expect(feed.asked).toEqual(['latest-linux.yml', IMAGE]);
  // electron-updater ran the new program once, and did not start the app.
  expect(content(`${program}.ran`)).toBe('true');
});

test('names the program that an installation renamed', async () => {
  const { check, content, folder, program } = await device('touchpoint-1.0.0-linux-x86_64.AppImage');
  const renamed = join(folder, IMAGE);
  expect(await check()).toEqual({ kind: 'installed', version: '1.1.0', program: renamed });
  expect([content(renamed), content(program)]).toEqual([NEW, null]);
});

test('downloads nothing that is unsigned, signed by another key or for another release, or malformed', async () => {
  const { check, content, feed } = await device();
  const outcomeOf = async (offer: Parameters<typeof feed.offer>[0]) => {
    await feed.offer(offer);
    const outcome = await check();
    expect([content(), feed.asked.includes(IMAGE)]).toEqual([OLD, false]);
    return outcome;
  };
  const unsigned = (version: string) => ({ kind: 'refused', why: 'unsigned', version });
  expect(await outcomeOf({ changed: { signature: undefined } })).toEqual(unsigned('1.1.0'));
  expect(await outcomeOf({ by: theirs })).toEqual(unsigned('1.1.0'));
  expect(await outcomeOf({ changed: { signature: 'AAAA' } })).toEqual(unsigned('1.1.0'));
  expect(await outcomeOf({ changed: { version: '1.2.0' } })).toEqual(unsigned('1.2.0'));
  expect(await outcomeOf({ changed: { files: [{ url: '../../x', size: 1, sha512: 'x' }] } })).toEqual(
    unsigned('1.1.0'),
  );
});

test('finds no update in the same version, an older one, or one that no device may install yet', async () => {
  const { check, content, feed } = await device();
  for (const offer of [
    { version: '1.0.0' },
    { version: '0.9.0' },
    { changed: { stagingPercentage: 0 } },
  ] as const) {
    await feed.offer(offer);
    expect(await check()).toEqual({ kind: 'none' });
    expect([content(), feed.asked.includes(IMAGE)]).toEqual([OLD, false]);
  }
});

test('installs no file that is cut, changed or empty', async () => {
  const { check, content, feed } = await device();
  for (const sent of [NEW.slice(0, NEW.length / 2), NEW.replace('longer', 'larger'), '']) {
    await feed.offer({ sent });
    expect(await check()).toMatchObject({
      kind: 'failed',
      why: expect.stringMatching(/^sha512 checksum mismatch/),
    });
    expect([content(), asked.includes('backup')]).toEqual([OLD, false]);
  }
});

test('reads no feed during a fair, with unknown fair days, after taps, while facts wait, or without a core', async () => {
  const { check, content, feed } = await device();
  for (const [moment, why] of [
    [{ ...quiet, fair: { start: NOW - 1, end: NOW + 1 } }, 'fair'],
    [{ ...quiet, fair: 'unknown' }, 'fairUnknown'],
    [{ ...quiet, lastFactAt: NOW - 60_000 }, 'taps'],
    [{ ...quiet, waiting: 1 }, 'waiting'],
    [null, 'core'],
  ] as const) {
    moments = [moment];
    expect(await check()).toEqual({ kind: 'waits', why });
    expect([content(), feed.asked]).toEqual([OLD, []]);
  }
});

test('installs nothing after a tap during the download, and the same file later without a second download', async () => {
  moments = [quiet, { ...quiet, lastFactAt: NOW - 1 }];
  const { check, content, feed } = await device();
  expect(await check()).toEqual({ kind: 'waits', why: 'taps' });
  expect(content()).toBe(OLD);
  moments = [quiet];
  expect(await check()).toMatchObject({ kind: 'installed' });
  expect([content(), feed.asked.filter((path) => path === IMAGE)]).toEqual([NEW, [IMAGE]]);
});

test('installs nothing without a backup', async () => {
  hasBackup = false;
  const { check, content } = await device();
  expect(await check()).toEqual({ kind: 'refused', why: 'noBackup', version: '1.1.0' });
  expect(content()).toBe(OLD);
});

test('an unreachable feed, and a program that cannot be replaced, are failures that change nothing', async () => {
  const { check, content, feed, program } = await device();
  feed.away();
  expect(await check()).toMatchObject({ kind: 'failed', why: expect.stringContaining('latest-linux.yml') });
  expect(content()).toBe(OLD);
  await feed.offer({});
  rmSync(program);
  mkdirSync(program);
  expect(await check()).toMatchObject({ kind: 'failed', why: expect.stringContaining(program) });
  expect(existsSync(program)).toBe(true);
});

test('checks again after each wait, logs an outcome once, and ends with the app', async () => {
  const { parts, feed } = await device();
  await feed.offer({ changed: { signature: undefined } });
  const said: string[] = [];
  const ended = new AbortController();
  let slept = 0;
  const sleep = () => {
    slept += 1;
    if (slept === 4) ended.abort();
    return Promise.resolve();
  };
  await keepUpdated({
    ...parts,
    clock: { now: () => NOW, sleep },
    signal: ended.signal,
    say: (level, what) => void said.push(`${level} ${what}`),
    restart: () => void said.push('restart'),
  });
  expect(said).toEqual([
    'warn The update to 1.1.0 was not installed: it is not signed with the key of this build.',
  ]);
  expect(feed.asked).toEqual(['latest-linux.yml', 'latest-linux.yml', 'latest-linux.yml']);
});

test('a malformed or late answer of the core does not count', async () => {
  const sent: string[] = [];
  const never = { sleep: () => new Promise<void>(() => undefined) };
  const questions = createUpdateQuestions((what) => {
    sent.push(what);
    return true;
  }, never);
  const moment = questions.moment();
  questions.take('moment', { fair: 'never', lastFactAt: null, waiting: 0 });
  const made = questions.backUp();
  questions.take('backup', true);
  expect([await moment, await made, sent]).toEqual([null, true, ['moment', 'backup']]);
  const unclear = questions.backUp();
  questions.take('backup', null);
  expect(await unclear).toBe(false);
  const nobody = createUpdateQuestions(() => false, never);
  expect(await nobody.moment()).toBeNull();
  const late = createUpdateQuestions(() => true, { sleep: () => Promise.resolve() });
  expect(await late.backUp()).toBe(false);
});

const core = join(import.meta.dirname, 'fakes', 'core-child.ts');

test('the shell installs an update and starts again with its arguments', async () => {
  const feed = await openFeed();
  const { program, content } = placeProgram();
  const data = ownFolder();
  const electron = fakeElectron(false);
  electron.app.version = '1.0.0';
  // The waits between checks are short; a check before the core is ready is repeated.
  const sleep: Clock['sleep'] = (ms, signal) =>
    realClock.sleep(ms === 5 * 60_000 || ms === 60 * 60_000 ? 20 : ms, signal);
  const args = ['--reader', 'none', '--updates', feed.address];
  const shell = startShellUnderTest(data, {
    args,
    electron,
    env: electron.app.runFromAppImage(program),
    updateKey,
    clock: { ...realClock, sleep },
    places: { core },
  });
  await shell.exited();
  expect([content(), shell.app.exitCode]).toEqual([NEW, 0]);
  expect(shell.detached).toEqual([[program, '--data', data, ...args]]);
});

test('the shell prints why it takes no updates on request, without an AppImage or a key in the build', async () => {
  const asks = ['--reader', 'none', '--updates', 'https://updates.example/'];
  for (const [changes, sentence] of [
    [{ args: ['--reader', 'none'], isAppImage: true, updateKey }, null],
    [
      { args: asks, isAppImage: false, updateKey },
      'Updates are not taken: this is not an AppImage. apt updates the Debian package.',
    ],
    [{ args: asks, isAppImage: true }, 'Updates are not taken: this build has no key to verify them.'],
  ] as const) {
    const { isAppImage, ...changed } = changes;
    const electron = fakeElectron(false);
    const env = isAppImage ? electron.app.runFromAppImage('/app.AppImage') : {};
    const shell = startShellUnderTest(ownFolder(), { ...changed, env, electron, places: { core } });
    await shell.ready();
    expect(shell.complaints).toEqual(sentence === null ? [] : [sentence]);
    await shell.end();
  }
});
