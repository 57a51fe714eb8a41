/** The target of an export, which is complete or absent: with real folders, and a real full disk where possible. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  checkTarget,
  isSafeName,
  TargetError,
  writeFolder,
  writeWhole,
} from '../../../../src-main/core/team/exports/export-file.ts';
import { notRunUnless } from '../../../not-run.ts';
import { ownFolder } from '../../fixture.ts';

function* pieces(...texts: readonly (string | (() => string))[]): Generator<Uint8Array, number> {
  for (const text of texts) yield Buffer.from(typeof text === 'string' ? text : text());
  return texts.length;
}

const faultOf = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof TargetError) return error.fault;
    throw error;
  }
};

test('a file gets its name when it is complete, with the hash of its receipt', () => {
  const folder = ownFolder();
  const target = checkTarget(join(folder, 'leads.csv'), join(folder, 'data'));
  const seen: boolean[] = [];
  const { sha256, bytes, result } = writeWhole(
    target,
    pieces('a', () => `b${seen.push(existsSync(target))}`),
  );
  expect(seen).toEqual([false]);
  expect(readFileSync(target, 'utf8')).toBe('ab1');
  expect({ sha256, bytes, result }).toEqual({
    sha256: createHash('sha256').update('ab1').digest('hex'),
    ...{ bytes: 3, result: 2 },
  });
  expect(readdirSync(folder)).toEqual(['leads.csv']);
});

test('an aborted export leaves no file, and the partial file of a killed one does not block the next', () => {
  const folder = ownFolder();
  const target = join(folder, 'leads.csv');
  writeFileSync(join(folder, '.leads.csv.part'), 'of a killed one');
  const stopped = pieces('a', () => {
    throw new RangeError('cancelled');
  });
  expect(() => writeWhole(target, stopped)).toThrow('cancelled');
  expect(readdirSync(folder)).toEqual([]);
});

test('an existing file is never replaced, even one that appeared in the meantime', () => {
  const folder = ownFolder();
  const data = join(folder, 'data');
  const target = join(folder, 'leads.csv');
  writeFileSync(target, 'mine');
  expect(faultOf(() => checkTarget(target, data))).toBe('exists');
  expect(faultOf(() => checkTarget(folder, data))).toBe('exists');
  writeFileSync(join(folder, 'other.csv.receipt.json'), '{}');
  expect(faultOf(() => checkTarget(join(folder, 'other.csv'), data))).toBe('exists');
  expect(
    faultOf(() =>
      writeWhole(
        join(folder, 'late.csv'),
        pieces('a', () => {
          writeFileSync(join(folder, 'late.csv'), 'theirs');
          return 'b';
        }),
      ),
    ),
  ).toBe('exists');
  expect(readFileSync(target, 'utf8')).toBe('mine');
  expect(readFileSync(join(folder, 'late.csv'), 'utf8')).toBe('theirs');
});

test('writes nothing through a link, and nothing into the data folder by any path', () => {
  const folder = ownFolder();
  const data = join(folder, 'data');
  mkdirSync(join(data, 'backup'), { recursive: true });
  symlinkSync(join(data, 'journal.db'), join(folder, 'leads.csv'));
  symlinkSync(data, join(folder, 'elsewhere'));
  expect(faultOf(() => checkTarget(join(folder, 'leads.csv'), data))).toBe('link');
  for (const way of ['data', 'data/backup', 'elsewhere', 'data/../data', 'elsewhere/backup']) {
    expect(faultOf(() => checkTarget(join(folder, way, 'leads.csv'), data))).toBe('dataFolder');
  }
  expect(faultOf(() => checkTarget(join(folder, 'data-of-mine.csv'), data))).toBeNull();
  expect(faultOf(() => checkTarget(join(folder, 'nowhere', 'leads.csv'), data))).toBe('noFolder');
});

test.each([
  ...['CON.csv', 'con', 'Nul.txt', 'COM1.csv', 'lpt9', 'a:b.csv', 'a?.csv', 'a*.csv', 'trailing.', 'blank '],
  ...['a"b.csv', 'a|b', 'a<b', 'tab\tname.csv', 'evil\u202evsc.exe', 'x'.repeat(201)],
])('the name %j is refused on every system, because some cannot open it', (name) => {
  expect(isSafeName(name)).toBe(false);
  expect(faultOf(() => checkTarget(join(ownFolder(), name), '/nowhere'))).toBe('name');
});

test.each(['leads.csv', 'CONTACTS.csv', 'Messe 2026 – Zürich.xlsx', 'コン.csv', '.hidden'])(
  'the name %j is accepted',
  (name) => expect(isSafeName(name)).toBe(true),
);

test('a folder of files appears only when it is complete', () => {
  const folder = ownFolder();
  const target = join(folder, 'cards');
  const seen: boolean[] = [];
  writeFolder(
    target,
    (function* () {
      for (const name of ['1.vcf', '2.vcf']) {
        seen.push(existsSync(target));
        yield { name, bytes: Buffer.from(name) };
      }
    })(),
  );
  expect(seen).toEqual([false, false]);
  expect(readdirSync(target).toSorted()).toEqual(['1.vcf', '2.vcf']);
  expect(readdirSync(folder)).toEqual(['cards']);
});

test('a stick that is removed half-way is reported as gone, and no file has the final name', () => {
  const folder = ownFolder();
  const stick = join(folder, 'stick');
  mkdirSync(stick);
  const pull = (): string => {
    renameSync(stick, join(folder, 'pulled'));
    return 'b';
  };
  expect(faultOf(() => writeWhole(join(stick, 'leads.csv'), pieces('a', pull)))).toBe('gone');
  expect(existsSync(join(folder, 'pulled', 'leads.csv'))).toBe(false);
});

const mountable = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
})();

/** A separate disk of 64 kB. */
const smallDisk = (): string => {
  const folder = join(ownFolder(), 'disk');
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', [folder]));
  return folder;
};

const diskTest = notRunUnless(mountable, 'no file system can be mounted here');

diskTest('a full disk is reported as full, and holds no part of the file', () => {
  const disk = smallDisk();
  const much = 'x'.repeat(40_000);
  expect(faultOf(() => writeWhole(join(disk, 'leads.csv'), pieces(much, much)))).toBe('full');
  expect(readdirSync(disk)).toEqual([]);
});

diskTest('a read-only disk is reported as such', () => {
  const disk = smallDisk();
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  expect(faultOf(() => writeWhole(join(disk, 'leads.csv'), pieces('a')))).toBe('readOnly');
});
