/**
 * Whether the disk of a folder is encrypted: LUKS on Linux, BitLocker on Windows, FileVault on macOS.
 *
 * Invariants:
 * - It only reads, as an ordinary user, and never throws.
 * - `encrypted` only if the system reports it for the disk of this folder; an unreadable state is `unknown`.
 * - BitLocker that is suspended or waits for activation counts as `open`, because its key is on the disk.
 *
 * Sources: cryptsetup marks its mappings with a device-mapper UUID that begins `CRYPT-`; the Windows shell property
 * System.Volume.BitLockerProtection (1 on, 2 off, 3 encrypting, 4 decrypting, 5 suspended, 8 waiting for activation),
 * which needs no administrator, as `manage-bde` does; `fdesetup status` of macOS.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, win32 } from 'node:path';
import { promisify } from 'node:util';
import type { DiskEncryption } from '../contract/device.ts';

const READ_AGAIN_MS = 600_000;
const PROGRAM_TIMEOUT_MS = 20_000;

/** Access to the system; tests replace it. */
export type DiskSystem = {
  readonly os: NodeJS.Platform;
  /** `/sys/dev/block` of Linux: a link for each block device, named by its numbers. */
  readonly blockDevices: string;
  /** `/proc/self/mountinfo` of Linux. */
  readonly mounts: () => string;
  /** Numbers of a device file, such as `253:1`. */
  readonly numbersOf: (device: string) => string;
  /** Output of a program. @throws when it fails */
  readonly run: (program: string, args: readonly string[]) => Promise<string>;
};

const thisSystem: DiskSystem = {
  os: process.platform,
  blockDevices: '/sys/dev/block',
  mounts: () => readFileSync('/proc/self/mountinfo', 'utf8'),
  numbersOf: (device) => {
    const { rdev } = statSync(device);
    // Like glibc's major() and minor(); both parts are below 2^20 on Linux.
    return `${(rdev >> 8) & 0xfff}:${(rdev & 0xff) | ((rdev >> 12) & 0xfff00)}`;
  },
  run: async (program, args) => {
    const { stdout } = await promisify(execFile)(program, [...args], {
      timeout: PROGRAM_TIMEOUT_MS,
      windowsHide: true,
    });
    return stdout;
  },
};

/** Reads the state now. `folder` is absolute. */
export async function readDiskEncryption(
  folder: string,
  system: DiskSystem = thisSystem,
): Promise<DiskEncryption> {
  try {
    if (system.os === 'linux') return onLinux(folder, system);
    if (system.os === 'win32') return await onWindows(folder, system);
    if (system.os === 'darwin') return await onMac(folder, system);
  } catch {
    // An unreadable state is unknown.
  }
  return 'unknown';
}

/** The returned function gives the last known state without waiting. Every ten minutes a call reads it again. */
export function watchDiskEncryption(
  read: () => Promise<DiskEncryption>,
  monotonic: () => number,
): () => DiskEncryption {
  let known: DiskEncryption = 'unknown';
  let readAt = Number.NEGATIVE_INFINITY;
  const now = (): DiskEncryption => {
    if (monotonic() - readAt >= READ_AGAIN_MS) {
      readAt = monotonic();
      void read().then((found) => {
        known = found;
      });
    }
    return known;
  };
  now();
  return now;
}

function onLinux(folder: string, { mounts, numbersOf, blockDevices }: DiskSystem): DiskEncryption {
  const source = sourceOf(folder, mounts());
  if (source === null) return 'unknown';
  return isEncrypted(realpathSync(join(blockDevices, numbersOf(source)))) ? 'encrypted' : 'open';
}

/** The device of the file system of `folder`; null for one without a device (network, overlay, ZFS). */
function sourceOf(folder: string, mounts: string): string | null {
  let best = { point: '', source: '' };
  for (const line of mounts.split('\n')) {
    // proc(5): id, parent, numbers, root, mount point, options, optional fields, "-", type, source, super options.
    const [before = '', after = ''] = line.split(' - ');
    const point = unescaped(before.split(' ')[4] ?? '');
    const source = unescaped(after.split(' ')[1] ?? '');
    const isAbove = point === '/' || folder === point || folder.startsWith(`${point}/`);
    // A later mount covers an earlier one at the same place.
    if (point !== '' && isAbove && point.length >= best.point.length) best = { point, source };
  }
  return best.source.startsWith('/dev/') ? best.source : null;
}

/** mountinfo writes spaces and some other characters as octal numbers. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(\d{3})/g, (_all, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

/** Whether a block device, or every device below it, is a mapping of cryptsetup. `path`: its folder in sysfs. */
function isEncrypted(path: string): boolean {
  if (textOf(join(path, 'dm', 'uuid')).startsWith('CRYPT-')) return true;
  const isPartition = textOf(join(path, 'partition')) !== '';
  const slaves = namesIn(join(isPartition ? dirname(path) : path, 'slaves'));
  const folder = join(isPartition ? dirname(path) : path, 'slaves');
  return slaves.length > 0 && slaves.every((name) => isEncrypted(realpathSync(join(folder, name))));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function onWindows(folder: string, { run }: DiskSystem): Promise<DiskEncryption> {
  const drive = /^[A-Za-z]:/.exec(win32.resolve(folder))?.[0];
  if (drive === undefined) return 'unknown';
  const script = `(New-Object -ComObject Shell.Application).NameSpace('${drive}').Self.ExtendedProperty('System.Volume.BitLockerProtection')`;
  const args = ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', script];
  const said = (await run('powershell.exe', args)).trim();
  if (said === '1') return 'encrypted';
  return ['2', '3', '4', '5', '8'].includes(said) ? 'open' : 'unknown';
}

/** FileVault encrypts the system's disk; the state of other disks is unknown. */
async function onMac(folder: string, { run }: DiskSystem): Promise<DiskEncryption> {
  if (folder.startsWith('/Volumes/')) return 'unknown';
  const said = await run('/usr/bin/fdesetup', ['status']);
  if (/^FileVault is On\./m.test(said)) return 'encrypted';
  return /^FileVault is Off\./m.test(said) ? 'open' : 'unknown';
}
