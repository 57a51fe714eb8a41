/**
 * Whether the disk with the leads is encrypted: device trees as Linux shows them, and the output of Windows and
 * macOS.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type DiskSystem,
  readDiskEncryption,
  watchDiskEncryption,
} from '../../src-main/machine/disk-encryption.ts';
import { ownFolder } from '../core/fixture.ts';

/** Block devices by number: their device-mapper UUID, and the devices below them. */
type Blocks = Readonly<Record<string, { readonly uuid?: string; readonly slaves?: readonly string[] }>>;

const MOUNTS = [
  '22 1 253:0 / / rw,relatime shared:1 - ext4 /dev/mapper/root rw',
  '30 22 259:2 / /boot rw,relatime - ext4 /dev/nvme0n1p2 rw',
  '31 22 0:40 / /mnt/team rw - nfs4 server:/team rw',
  '32 22 8:17 / /media/Messe\\040München rw - vfat /dev/sdb1 rw',
].join('\n');

const NUMBERS: Readonly<Record<string, string>> = {
  '/dev/mapper/root': '253:0',
  '/dev/nvme0n1p2': '259:2',
  '/dev/sdb1': '8:17',
};

function linux(blocks: Blocks): DiskSystem {
  const sys = ownFolder();
  const links = join(sys, 'dev');
  mkdirSync(links);
  for (const [numbers, { uuid }] of Object.entries(blocks)) {
    const device = join(sys, numbers);
    mkdirSync(join(device, 'dm'), { recursive: true });
    mkdirSync(join(device, 'slaves'));
    if (uuid !== undefined) writeFileSync(join(device, 'dm', 'uuid'), `${uuid}\n`);
    symlinkSync(device, join(links, numbers));
  }
  for (const [numbers, { slaves = [] }] of Object.entries(blocks))
    for (const slave of slaves) symlinkSync(join(sys, slave), join(sys, numbers, 'slaves', slave));
  return {
    os: 'linux',
    blockDevices: links,
    mounts: () => MOUNTS,
    numbersOf: (device) => NUMBERS[device] ?? 'none',
    run: () => Promise.reject(new Error('no program is needed')),
  };
}

test.each<readonly [string, string, Blocks, string]>([
  ['LUKS', '/home/a', { '253:0': { uuid: 'CRYPT-LUKS2-0123-root' } }, 'encrypted'],
  [
    'a volume of LVM on LUKS',
    '/home/a',
    { '253:0': { uuid: 'LVM-abc', slaves: ['253:1'] }, '253:1': { uuid: 'CRYPT-LUKS2-0123-pv' } },
    'encrypted',
  ],
  [
    'a volume of LVM on two disks, one without LUKS',
    '/home/a',
    {
      '253:0': { uuid: 'LVM-abc', slaves: ['253:1', '8:2'] },
      '253:1': { uuid: 'CRYPT-LUKS2-0123-pv' },
      '8:2': {},
    },
    'open',
  ],
  ['a partition', '/boot/x', { '259:2': {} }, 'open'],
  ['a stick with a blank in its name', '/media/Messe München/leads', { '8:17': {} }, 'open'],
  ['a network folder', '/mnt/team/leads', {}, 'unknown'],
  ['a device that sysfs does not show', '/boot/x', {}, 'unknown'],
])('reports correctly on Linux whether %s at %s is encrypted', async (_what, folder, blocks, expected) => {
  expect(await readDiskEncryption(folder, linux(blocks))).toBe(expected);
});

const saying = (os: NodeJS.Platform, said: string | null): DiskSystem => ({
  ...linux({}),
  os,
  run: () => (said === null ? Promise.reject(new Error('missing')) : Promise.resolve(said)),
});

test.each<readonly [NodeJS.Platform, string, string | null, string]>([
  ['win32', 'C:\\Users\\a', '1\r\n', 'encrypted'],
  ['win32', 'C:\\Users\\a', '2\r\n', 'open'],
  ['win32', 'C:\\Users\\a', '5\r\n', 'open'],
  ['win32', 'C:\\Users\\a', '', 'unknown'],
  ['win32', 'C:\\Users\\a', null, 'unknown'],
  ['win32', '\\\\server\\leads', '1', 'unknown'],
  ['darwin', '/Users/a', 'FileVault is On.\n', 'encrypted'],
  ['darwin', '/Users/a', 'FileVault is Off.\n', 'open'],
  ['darwin', '/Users/a', 'Error: fdesetup\n', 'unknown'],
  ['darwin', '/Volumes/Stick/leads', 'FileVault is On.\n', 'unknown'],
  ['freebsd', '/home/a', '1', 'unknown'],
])('on %s, %s with the answer %j is %s', async (os, folder, said, expected) => {
  expect(await readDiskEncryption(folder, saying(os, said))).toBe(expected);
});

test('the state of the encryption is the last reading, which is repeated after ten minutes', async () => {
  let now = 0;
  let reads = 0;
  const state = watchDiskEncryption(
    () => {
      reads += 1;
      return Promise.resolve(reads === 1 ? 'open' : 'encrypted');
    },
    () => now,
  );
  expect(state()).toBe('unknown');
  await expect.poll(state).toBe('open');
  expect(reads).toBe(1);
  now = 600_000;
  state();
  await expect.poll(state).toBe('encrypted');
  expect(reads).toBe(2);
});
