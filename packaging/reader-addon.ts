/**
 * Packs the native part of the badge reader: pcsc-mini's binary for the system, and our module that uses it.
 *
 * Invariants:
 * - a package contains only the binary that its runtime loads;
 * - a missing binary is reported by name;
 * - pcsc-mini uses Node-API, so nothing is compiled.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { System } from './systems.ts';

const scope = '@pcsc-mini';
/** Folder of our module in the sources, and the path of npm's link to it (`packages/pcsclite/package.json`). */
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

/** Whether `name` is a package with pcsc-mini's binary for another system. */
export function isOtherReaderBinary(name: string, system: System): boolean {
  return name.startsWith(`${scope}/`) && name !== readerBinaryOf(system);
}

/** Removes pcsc-mini's binaries for other systems from `modules`. */
export function pruneReaderBinaries(modules: string, system: System): void {
  const folder = join(modules, scope);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (isOtherReaderBinary(`${scope}/${name}`, system)) rmSync(join(folder, name), { recursive: true });
  }
}

/** Replaces npm's link to our module's sources with its JavaScript. */
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

/** A note for a package without the binary for its system, or null. */
export function missingReaderBinary(folder: string, system: System): string | null {
  const name = readerBinaryOf(system);
  if (existsSync(join(folder, 'node_modules', name, 'addon.node'))) return null;
  return `without badge readers: ${name} is not in this registry`;
}
