/** An update from feed to place, with real files and signatures: what is not taken, what waits, and that nothing is ever half. */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Moment } from '../../src-main/shell-electron/policies/update-policy.ts';
import { restoreProgram } from '../../src-main/shell-electron/updates/app-image.ts';
import { createAppImageUpdater } from '../../src-main/shell-electron/updates/app-image-updater.ts';
import { keepUpdated } from '../../src-main/shell-electron/updates/keep-updated.ts';
import { createUpdateQuestions } from '../../src-main/shell-electron/updates/update-core.ts';
import { readUpdateRecord } from '../../src-main/shell-electron/updates/update-record.ts';
import { updateSentence } from '../../src-main/shell-electron/updates/update-words.ts';
import { lookForUpdate } from '../../src-main/shell-electron/updates/updates.ts';
import { ownFolder } from '../core/fixture.ts';
import { NEW, OLD, openFeed, placeProgram, updateKey } from './update-feed.ts';

const quiet: Moment = { fair: null, lastFactAt: null, waiting: 0 };
const IMAGE = 'touchpoint-1.1.0-linux-x86_64.AppImage';
const theirs = generateKeyPairSync('ed25519').privateKey;

let folder: string;
let moments: (Moment | null)[];
let backup: { schema: number | null } | null;
const asked: string[] = [];

beforeEach(() => {
  folder = ownFolder();
  moments = [quiet];
  backup = { schema: 4 };
  asked.length = 0;
});

/** A device of version 1.0.0 that looks at a feed. */
async function device() {
  const feed = await openFeed();
  const { program, is } = placeProgram();
  const version = '1.0.0';
  const ports = {
    ...{ folder, program, version, key: updateKey },
    updater: await createAppImageUpdater({ feed: feed.address, version, folder }),
    core: {
      moment: () => {
        asked.push('moment');
        return Promise.resolve((moments.length > 1 ? moments.shift() : moments[0]) ?? null);
      },
      backUp: () => {
        asked.push('backup');
        return Promise.resolve(backup);
      },
    },
    ...{ now: () => Date.UTC(2026, 10, 21), random: () => 0.5 },
  };
  return { ports, feed, program, is, look: () => lookForUpdate(ports) };
}

test('one that is newer, signed and whole is put in place after a backup, and the version before is kept', async () => {
  const { look, is, feed, program } = await device();
  expect(await look()).toEqual({ kind: 'placed', version: '1.1.0' });
  expect([is(), statSync(program).mode & 0o777]).toEqual([NEW, 0o755]);
  expect(asked).toEqual(['moment', 'backup', 'moment']);
  expect(feed.asked).toEqual(['latest-linux.yml', IMAGE]);
  expect(readUpdateRecord(folder)?.trying).toEqual({ to: '1.1.0', from: '1.0.0', schema: 4 });
  expect(readdirSync(dirname(program)).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect([restoreProgram(program, folder), is()]).toEqual([true, OLD]);
});

test('one that is not signed, by another key, of another release or an older one is never fetched, and said', async () => {
  const { look, is, feed, ports } = await device();
  const sentence = async (offer: Parameters<typeof feed.offer>[0]) => {
    await feed.offer(offer);
    const outcome = await look();
    expect([is(), feed.asked.includes(IMAGE)]).toEqual([OLD, false]);
    return updateSentence(outcome);
  };
  const unsigned = (version: string) =>
    `An update to ${version} was not taken: it is not signed with the key of this build.`;
  expect(await sentence({ said: { signature: undefined } })).toBe(unsigned('1.1.0'));
  expect(await sentence({ by: theirs })).toBe(unsigned('1.1.0'));
  expect(await sentence({ said: { signature: 'AAAA' } })).toBe(unsigned('1.1.0'));
  expect(await sentence({ said: { version: '1.2.0' } })).toBe(unsigned('1.2.0'));
  expect(await sentence({ version: '0.9.0' })).toBe(
    'An update to 0.9.0 was not taken: it is not newer than this version.',
  );
  expect(await sentence({ said: { stagingPercentage: 50 } })).toContain('not for this device yet');
  const malformed = 'An update was not taken: what the feed says cannot be read.';
  expect(await sentence({ said: { files: [{ url: '../../x', size: 1, sha512: 'x' }] } })).toBe(malformed);
  expect(await sentence({ version: '1.0.0' })).toBe('There is no update.');
  await feed.offer({});
  expect(await lookForUpdate({ ...ports, key: null })).toMatchObject({ why: 'unsigned' });
});

test('a file that was cut in half, changed or swapped on its way is not put in place, and no backup is made for it', async () => {
  const { look, is, feed, program } = await device();
  const halves = [NEW.slice(0, NEW.length / 2), NEW.replace('longer', 'larger'), ''];
  for (const sent of halves) {
    await feed.offer({ sent });
    const outcome = await look();
    expect(updateSentence(outcome)).toBe(
      'An update to 1.1.0 was not taken: the file that came is not the one that was signed.',
    );
    expect([is(), asked.includes('backup'), existsSync(`${program}.part`)]).toEqual([OLD, false, false]);
  }
});

test('a file that is not what was signed is found out beside the program, whoever fetched it', async () => {
  const { ports, is, program } = await device();
  const file = join(folder, 'swapped');
  writeFileSync(file, NEW.slice(0, 9));
  const updater = { ...ports.updater, fetch: () => Promise.resolve(file) };
  expect(await lookForUpdate({ ...ports, updater })).toMatchObject({ kind: 'refused', why: 'notWhole' });
  expect([is(), asked.includes('backup'), existsSync(`${program}.part`)]).toEqual([OLD, false, false]);
});

test('around a fair, after taps, while facts wait and without a core nothing is looked for', async () => {
  const now = Date.UTC(2026, 10, 21);
  const { look, is, feed } = await device();
  for (const [moment, why] of [
    [{ ...quiet, fair: { start: now - 1, end: now + 1 } }, 'fair'],
    [{ ...quiet, fair: 'unknown' }, 'fairUnknown'],
    [{ ...quiet, lastFactAt: now - 60_000 }, 'taps'],
    [{ ...quiet, waiting: 1 }, 'waiting'],
    [null, 'core'],
  ] as const) {
    moments = [moment];
    expect(await look()).toEqual({ kind: 'waits', why });
    expect([is(), feed.asked]).toEqual([OLD, []]);
  }
});

test('a tap while it was fetched keeps it from being put in place', async () => {
  moments = [quiet, { ...quiet, lastFactAt: Date.UTC(2026, 10, 21) - 1 }];
  const { look, is, program } = await device();
  expect(await look()).toEqual({ kind: 'waits', why: 'taps' });
  expect([is(), readUpdateRecord(folder)?.trying, existsSync(`${program}.part`)]).toEqual([OLD, null, false]);
});

test('without a backup nothing is put in place', async () => {
  backup = null;
  const { look, is } = await device();
  expect(await look()).toEqual({ kind: 'refused', why: 'noBackup', version: '1.1.0' });
  expect(is()).toBe(OLD);
});

test('a feed that is away is a fault that costs nothing', async () => {
  const { look, is, feed } = await device();
  feed.away();
  expect(await look()).toMatchObject({ kind: 'failed', why: expect.stringContaining('latest-linux.yml') });
  expect([is(), existsSync(join(folder, 'previous.AppImage'))]).toEqual([OLD, false]);
});

test('is looked for every hour, says what is new once, and ends with the app', async () => {
  const { ports, feed } = await device();
  await feed.offer({ said: { signature: undefined } });
  const said: string[] = [];
  const ended = new AbortController();
  let slept = 0;
  const sleep = () => {
    slept += 1;
    if (slept === 4) ended.abort();
    return Promise.resolve();
  };
  await keepUpdated(ports, {
    ...{ clock: { sleep }, signal: ended.signal },
    say: (level, what) => void said.push(`${level} ${what}`),
    restart: () => void said.push('restart'),
  });
  expect(said).toEqual([
    'warn An update to 1.1.0 was not taken: it is not signed with the key of this build.',
  ]);
  expect(feed.asked).toEqual(['latest-linux.yml', 'latest-linux.yml', 'latest-linux.yml']);
});

test('an answer of the core without its shape, or none, is none', async () => {
  const sent: string[] = [];
  const questions = createUpdateQuestions(
    (what) => {
      sent.push(what);
      return true;
    },
    { sleep: () => new Promise(() => undefined) },
  );
  const moment = questions.moment();
  questions.take('moment', { fair: 'never', lastFactAt: null, waiting: 0 });
  const made = questions.backUp();
  questions.take('backup', { schema: 3 });
  expect([await moment, await made, sent]).toEqual([null, { schema: 3 }, ['moment', 'backup']]);
  const nobody = createUpdateQuestions(() => false, { sleep: () => new Promise(() => undefined) });
  expect(await nobody.moment()).toBeNull();
  const late = createUpdateQuestions(() => true, { sleep: () => Promise.resolve() });
  expect(await late.backUp()).toBeNull();
});
