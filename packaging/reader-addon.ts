/**
 * The native half of the badge reader in a package: pcsc-mini's binary for its system, and our module above it.
 *
 * Invariants: a package holds the one binary that its runtime loads, and no other; one that could not be had is said by
 * name. pcsc-mini speaks Node-API, so nothing is built.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { System } from './systems.ts';

const scope = '@pcsc-mini';
/** Folder of our module in the sources and of the link that npm makes to it (`packages/pcsclite/package.json`). */
const moduleFolder = join('packages', 'pcsclite');
const linkPath = join('node_modules', '@pokusew', 'pcsclite');

/**
 * The npm package with the binary for `system`. On Windows it differs by runtime, and our Windows packages carry Electron
 * (pcsc-mini, `addon.node.js`).
 */
export function readerBinaryOf({ os, cpu, libc }: Pick<System, 'os' | 'cpu' | 'libc'>): string {
  const machine = cpu === 'arm64' ? 'aarch64' : 'x86_64';
  if (os === 'linux') return `${scope}/linux-${machine}-${libc === 'glibc' ? 'gnu' : 'musl'}`;
  return os === 'darwin' ? `${scope}/macos-${machine}` : `${scope}/windows-${machine}-electron`;
}

/** Whether `name` is such a package for something else. */
export function isOtherReaderBinary(name: string, system: System): boolean {
  return name.startsWith(`${scope}/`) && name !== readerBinaryOf(system);
}

/** Leaves of pcsc-mini's binaries in `modules` the one for `system`. */
export function pruneReaderBinaries(modules: string, system: System): void {
  const folder = join(modules, scope);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (isOtherReaderBinary(`${scope}/${name}`, system)) rmSync(join(folder, name), { recursive: true });
  }
}

/** Puts our module, as JavaScript, where npm made a link to its sources. */
export function packReaderModule(root: string, folder: string): void {
  const manifest = JSON.parse(readFileSync(join(root, moduleFolder, 'package.json'), 'utf8')) as object;
  const source = readFileSync(join(root, moduleFolder, 'src', 'pcsclite.ts'), 'utf8');
  const target = join(folder, linkPath);
  rmSync(target, { recursive: true });
  rmSync(join(folder, moduleFolder), { recursive: true });
  mkdirSync(target);
  const packed = Object.assign(manifest, { exports: './pcsclite.js' });
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
  writeFileSync(join(target, 'pcsclite.js'), stripTypeScriptTypes(source));
}

/** What has to be said of a package without the binary for its system, or null. */
export function missingReaderBinary(folder: string, system: System): string | null {
  const name = readerBinaryOf(system);
  if (existsSync(join(folder, 'node_modules', name, 'addon.node'))) return null;
  return `without badge readers: ${name} is not to be had from this registry`;
}
