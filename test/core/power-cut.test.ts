/**
 * docs/laws.md#law-1 under power cuts. The data folder is on a separate disk (ext4 in a file). While a device
 * captures, the disk is shut down without writing its journal. Data that was not synced is lost, and each later read
 * and write fails with EIO.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { openReadOnly } from '../../src-main/core/foundations/store/database.ts';
import { notRunUnless } from '../not-run.ts';
import { repetitions } from '../thoroughness.ts';
import { ownFolder, until } from './fixture.ts';
import { startKiosk } from './kiosk-process.ts';
import { chainAt } from './real-parts.ts';

const CUTS = repetitions(10);
const NO_PLATFORM = { baseUrl: 'http://127.0.0.1:9/v2', key: 'k', expoId: 'E1' };

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH (linux/ext4.h). */
const SHUT_DOWN = `open(my $disk, '<', $ARGV[0]) or die $!; my $flags = pack('L', 2); ioctl($disk, 0x8004587D, $flags) or die $!`;

type Disk = {
  /** A folder on the disk. */
  readonly folder: string;
  /** Cuts the power of the disk. */
  readonly cut: () => void;
  /** Mounts the disk again, as after a start of the machine. */
  readonly mountAgain: () => void;
  readonly end: () => void;
};

/** A new disk, mounted below `parent`. */
const openDisk = (parent: string): Disk => {
  let image = join(parent, 'image');
  const place = join(parent, 'disk');
  mkdirSync(place);
  closeSync(openSync(image, 'w'));
  truncateSync(image, 64 * 2 ** 20);
  execFileSync('mkfs.ext4', ['-q', image]);
  const mount = (): void => void execFileSync('mount', ['-o', 'loop', image, place], { stdio: 'pipe' });
  const end = (): void => void execFileSync('umount', [place]);
  mount();
  return {
    folder: join(place, 'data'),
    cut: () => void execFileSync('perl', ['-e', SHUT_DOWN, place], { stdio: 'pipe' }),
    mountAgain: () => {
      end();
      // A mount namespace of another test may still hold the disk that was cut, and the system would mount that one
      // again.
      const copy = `${image}-copy`;
      copyFileSync(image, copy);
      image = copy;
      mount();
    },
    end,
  };
};

/** Whether such a disk is possible here. */
const isPossible = (): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const parent = mkdtempSync(join(tmpdir(), 'touchpoint-disk-'));
  try {
    const disk = openDisk(parent);
    try {
      disk.cut();
    } finally {
      disk.end();
    }
    return true;
  } catch {
    return false;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
};

const powerTest = notRunUnless(
  isPossible(),
  'mounting and shutting down an ext4 disk needs root, loop devices and Perl on Linux',
  'disk',
);

powerTest(
  `a device keeps each displayed tap over ${CUTS.length} power cuts, and its app stays up`,
  async () => {
    const disk = openDisk(ownFolder());
    onTestFinished(disk.end);
    const journal = join(disk.folder, 'journal.db');
    const shown: string[] = [];
    let taps = 0;
    const uid = (): string => {
      taps += 1;
      return `04AA${taps.toString(16).padStart(10, '0')}`.toUpperCase();
    };
    for (const cut of CUTS) {
      const kiosk = await startKiosk(disk.folder, NO_PLATFORM);
      for (let left = 2 + cut; left > 0; left -= 1) {
        const outcome = await kiosk.tap(uid());
        if (outcome.kind !== 'captured') throw new Error(`Expected a captured tap, not ${outcome.kind}`);
        shown.push(outcome.factId);
      }
      disk.cut();
      expect(await kiosk.tap(uid())).toMatchObject({ kind: 'failed' });
      await until('the fault is shown', () => kiosk.state()?.storage === 'failing');
      for (let left = 3; left > 0; left -= 1)
        expect(await kiosk.tap(uid())).toMatchObject({ kind: 'failed' });
      expect(kiosk.isAlive()).toBe(true);
      await kiosk.kill();
      disk.mountAgain();
      // The next start opens the journal, which must hold each tap that was displayed.
      const next = await startKiosk(disk.folder, NO_PLATFORM);
      await next.kill();
      const database = openReadOnly(journal);
      const stored = new Set(database?.prepare<[], string>('SELECT id FROM fact').pluck().all());
      database?.close();
      expect(shown.filter((id) => !stored.has(id))).toEqual([]);
    }
    expect(chainAt(journal).brokenAt).toBeNull();
  },
  600_000,
);
