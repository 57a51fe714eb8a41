/**
 * Makes Debian packages with dpkg-deb.
 *
 * Invariants:
 * - all files belong to root;
 * - modes depend on whether a file is a program, not on the machine that built the package;
 * - no file is installed below /etc, because files there belong to the administrator.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from './seal-folder.ts';

export type DebianPackage = {
  readonly name: string;
  readonly version: string;
  /** Debian's name of the machine. */
  readonly architecture: string;
  readonly summary: string;
  readonly depends: readonly string[];
  readonly recommends: readonly string[];
  /** Path in the package, and the file or folder to copy there. */
  readonly content: Readonly<Record<string, string>>;
  /** Path of a symbolic link in the package, and its target. */
  readonly links: Readonly<Record<string, string>>;
  /** The files to copy as `postinst`, `prerm` and `postrm`. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Paths of programs; other files are not executable. */
  readonly isProgram: (path: string) => boolean;
  /** Paths of setuid programs. */
  readonly isSetuid?: (path: string) => boolean;
  /** Compresses little, which is fast. */
  readonly quick: boolean;
};

/**
 * Makes the package in `output` and returns its path. `work`: folder for temporary files. @throws Error with
 * dpkg-deb's output
 */
export function makeDebianPackage(wanted: DebianPackage, output: string, work: string): string {
  const { name, version, architecture, content, links, scripts, quick } = wanted;
  rmSync(work, { recursive: true, force: true });
  for (const [path, from] of Object.entries(content)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    cpSync(from, join(work, path), { recursive: true, verbatimSymlinks: true });
  }
  const files = filesBelow(work);
  setModes(work, files, wanted);
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    symlinkSync(target, join(work, path));
  }
  mkdirSync(join(work, 'DEBIAN'));
  writeFileSync(join(work, 'DEBIAN', 'control'), control(wanted, sizeOf(work, files)));
  const sums = files.map((path) => `${md5(join(work, path))}  ${path}\n`);
  writeFileSync(join(work, 'DEBIAN', 'md5sums'), sums.join(''));
  for (const [script, from] of Object.entries(scripts)) {
    cpSync(from, join(work, 'DEBIAN', script));
    chmodSync(join(work, 'DEBIAN', script), 0o755);
  }
  const file = join(output, `${name}_${version}_${architecture}.deb`);
  const pressing = quick ? ['-Zgzip', '-z1'] : ['-Zxz', '-z6'];
  const dpkg = spawnSync('dpkg-deb', ['--root-owner-group', ...pressing, '--build', work, file], {
    encoding: 'utf8',
  });
  if (dpkg.status !== 0)
    throw new Error(`dpkg-deb did not make ${name}: ${dpkg.stderr || dpkg.error?.message}`);
  return file;
}

function setModes(work: string, files: readonly string[], { isProgram, isSetuid }: DebianPackage): void {
  const folders = new Set<string>();
  for (const path of files) {
    chmodSync(join(work, path), isSetuid?.(path) === true ? 0o4755 : isProgram(path) ? 0o755 : 0o644);
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  }
  for (const folder of ['.', ...folders]) chmodSync(join(work, folder), 0o755);
}

/** Debian Policy 5.3; the size is in KiB. */
function control(wanted: DebianPackage, bytes: number): string {
  const { name, version, architecture, summary, depends, recommends } = wanted;
  const list = (field: string, packages: readonly string[]) =>
    packages.length === 0 ? [] : [`${field}: ${packages.join(', ')}`];
  return `${[
    `Package: ${name}`,
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Section: misc',
    'Priority: optional',
    'Maintainer: Touchpoint contributors <touchpoint@localhost>',
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    ...list('Depends', depends),
    ...list('Recommends', recommends),
    `Description: ${summary}`,
    ' Leads are kept on this machine first and sent to the event platform when there is a network.',
  ].join('\n')}\n`;
}

function sizeOf(work: string, files: readonly string[]): number {
  return files.reduce((sum, path) => sum + statSync(join(work, path)).size, 0);
}

function md5(path: string): string {
  return createHash('md5').update(readFileSync(path)).digest('hex');
}
