/** A mirror.db that is damaged or is not a mirror is replaced by an empty mirror that is fetched again. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type Mirror, openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { publicProfileOf, snapshotOf } from '../../../../src-main/core/event/mirror/people.ts';
import { RESOURCE_NAMES } from '../../../../src-main/core/event/mirror/resources.ts';
import { knownEvent } from '../../../../src-main/core/event/sync/event.ts';
import type { WireRecord } from '../../../../src-main/core/foundations/api/page.ts';
import { ownFolder, tapOf } from '../../fixture.ts';
import { openJournal, pageOf, stamperOf } from '../../real-parts.ts';
import { capturedOf, openStandKiosk } from '../../stand/visit/stand-kiosk.ts';

const PEOPLE = 300;
const SEEDS = 60;

const record = (id: string, revision: number, more: object): WireRecord => ({
  id,
  revision: BigInt(revision),
  deleted: false,
  body: { id, revision, ...more },
});

/** A complete mirror in `folder`, as after a day at a stand. */
const fillMirror = (folder: string): void => {
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  const pass = { number: 1, from: 900n, sound: true };
  const lists = {
    visitors: Array.from({ length: PEOPLE }, (_, n) =>
      record(`v${n}`, n + 1, {
        firstName: `First ${n}`,
        lastName: `Last ${n}`,
        company: `Company ${n % 20}`,
        badges: [{ type: 'nfc', code: `04AA${n}` }],
      }),
    ),
    contents: [record('c1', 1, { partnerID: 'p1', name: 'Catalogue' })],
    connections: [record('k1', 1, { visitorID: 'v1', partnerID: 'p1', type: 'partner' })],
    participants: [
      record('v1', 1, { activities: [{ activityID: 'a1', entered: '2026-11-21T09:00:00Z', left: null }] }),
    ],
    touchpoints: [record('lead1', 1, { name: 'Left', purpose: 'lead', partnerID: 'p1' })],
  } as const;
  for (const name of RESOURCE_NAMES) {
    const records = name in lists ? lists[name as keyof typeof lists] : [];
    mirror.applyPassPage(name, pageOf(name, records), pass);
    mirror.endPass(name, pass, 1);
  }
  mirror.stand.keepDetail('contents', 'c1', 1n, { name: 'Catalogue' });
  mirror.setMetadata('event', JSON.stringify({ id: 'E1', name: 'Fair', timezone: 'UTC' }));
  mirror.close();
};

/** Reads everything that the app reads from a mirror. */
const readAll = (mirror: Mirror): void => {
  for (const name of RESOURCE_NAMES) {
    mirror.progress(name);
    mirror.records(name);
    mirror.recordsAfter(name, '', 500);
    mirror.textsAfter(name, '', 500);
    mirror.unseen(name);
    mirror.isUntouched(name);
    mirror.isRefused(name);
  }
  for (let n = 0; n < PEOPLE; n += 1) {
    const owner = mirror.ownerOf([`04AA${n}`]);
    if (owner.kind !== 'visitor') continue;
    snapshotOf(owner.visitor);
    publicProfileOf(owner.visitor);
  }
  mirror.codeForms();
  knownEvent(mirror);
  mirror.stand.contentsOf('p1');
  mirror.stand.connectionOf('v1', 'p1');
  expect([...mirror.stand.staysAt('a1')].length).toBeLessThan(2);
  mirror.stand.detail('contents', 'c1');
};

const bytesOf = (seed: number, what: string, length: number): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(length / 64) }, (_, part) =>
      createHash('sha512').update(`${seed} ${what} ${part}`).digest(),
    ),
  ).subarray(0, length);

/** Overwrites 24 to 240 bytes of the file with random ones, in one place or spread over the file. */
const damage = (path: string, seed: number): void => {
  const file = readFileSync(path);
  const bytes = bytesOf(seed, 'bytes', 24 + (bytesOf(seed, 'length', 1)[0] ?? 0) * (216 / 255));
  const places = bytesOf(seed, 'places', 4 * bytes.length);
  const start = places.readUInt32LE(0) % (file.length - bytes.length);
  for (const [index, byte] of bytes.entries()) {
    const place = seed % 2 === 0 ? start + index : places.readUInt32LE(4 * index) % file.length;
    // Every tenth file is damaged in its first page, where SQLite's most important data is.
    file[seed % 10 === 0 ? place % 4096 : place] = byte;
  }
  writeFileSync(path, file);
};

/** Writes a page. If the mirror reports that it must be fetched again, the second write must succeed. */
const write = (mirror: Mirror): void => {
  const page = pageOf('visitors', [record('new', 950, { firstName: 'Nina' })]);
  try {
    mirror.applyPage('visitors', page, 950n);
  } catch (error) {
    expect(String(error)).toContain('fetched again');
  }
  mirror.applyPage('visitors', page, 950n);
};

describe('a damaged mirror.db', () => {
  it('is read or replaced, and its reader never gets an exception', () => {
    const whole = ownFolder();
    fillMirror(whole);
    const failed: string[] = [];
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const folder = join(whole, '..', `${whole}-${seed}`);
      cpSync(whole, folder, { recursive: true });
      try {
        damage(join(folder, 'mirror.db'), seed);
        const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
        readAll(mirror);
        write(mirror);
        readAll(mirror);
        mirror.close();
      } catch (error) {
        failed.push(`${seed}: ${String(error)}`);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
    expect(failed).toEqual([]);
  });

  it('is replaced while it is open', () => {
    const folder = ownFolder();
    fillMirror(folder);
    const path = join(folder, 'mirror.db');
    const why: string[] = [];
    const mirror = openMirror(path, 'E1', (reason) => why.push(reason));
    expect(mirror.generation()).toBe(0);
    // Every page except the first is damaged: the file still opens, but no row can be read.
    writeFileSync(path, readFileSync(path).fill(0xa5, 4096), { flag: 'r+' });
    expect(mirror.ownerOf(['04AA7'])).toEqual({ kind: 'unknown' });
    expect(mirror.generation()).toBe(1);
    expect(mirror.progress('visitors')).toMatchObject({ complete: false, revision: 0n });
    expect(why).toHaveLength(1);
    write(mirror);
    expect(mirror.count('visitors')).toBe(1);
    mirror.close();
    const again = openMirror(path, 'E1');
    expect(again.count('visitors')).toBe(1);
    again.close();
  });

  it('lets the app start and capture', async () => {
    const folder = ownFolder();
    fillMirror(folder);
    const path = join(folder, 'mirror.db');
    writeFileSync(path, readFileSync(path).fill(0xa5, 4096));
    const { tap } = openStandKiosk({ folder, stand: { touchpoint: 'lead1' } });
    capturedOf(await tap('04AA00000000A1'));
  });
});

describe('something else in the place of mirror.db', () => {
  const openedBeside = (folder: string): readonly string[] => {
    const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
    readAll(mirror);
    write(mirror);
    mirror.close();
    expect(existsSync(join(folder, 'mirror.db'))).toBe(true);
    return readdirSync(folder).filter((name) => /aside(?:-\d+)?$/u.test(name));
  };

  it('is renamed with its content if it is a folder', () => {
    const folder = ownFolder();
    mkdirSync(join(folder, 'mirror.db'));
    writeFileSync(join(folder, 'mirror.db', 'note'), 'somebody may need it');
    expect(openedBeside(folder)).toEqual(['mirror.db.aside']);
    expect(readFileSync(join(folder, 'mirror.db.aside', 'note'), 'utf8')).toBe('somebody may need it');
  });

  it('is renamed with its facts if it is a journal', () => {
    const folder = ownFolder();
    const journal = openJournal(join(folder, 'mirror.db'), stamperOf());
    journal.record(tapOf('04AA'), null);
    journal.close();
    expect(openedBeside(folder)).toEqual(['mirror.db.aside']);
    const kept = openJournal(join(folder, 'mirror.db.aside'), stamperOf());
    expect(kept.outbox.counts().captured).toBe(1);
    kept.close();
  });

  it('is renamed if it is a database of another program, even if an earlier one was renamed already', () => {
    const folder = ownFolder();
    for (const name of ['mirror.db', 'mirror.db.aside']) {
      const foreign = new BetterSqlite3(join(folder, name));
      foreign.exec(`CREATE TABLE notes (x); INSERT INTO notes VALUES ('${name}')`);
      foreign.close();
    }
    expect(openedBeside(folder)).toEqual(['mirror.db.aside', 'mirror.db.aside-2']);
    const kept = new BetterSqlite3(join(folder, 'mirror.db.aside-2'));
    expect(kept.prepare('SELECT x FROM notes').pluck().get()).toBe('mirror.db');
    kept.close();
  });
});
