/**
 * Makes the Electron app for one system from a stage, with electron-builder.
 *
 * Invariants:
 * - the build fetches only Electron's runtime; with a stand-in it fetches nothing;
 * - nothing is published;
 * - the app is sealed before an installer is made from it.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Arch, build, type Configuration, Platform } from 'electron-builder';
import type { Icons } from './icons.ts';
import type { Runtime } from './runtime.ts';
import { sealFolder } from './seal-folder.ts';
import { macSigning } from './signing.ts';
import type { Stage } from './stage.ts';
import type { System } from './systems.ts';

export type ElectronPackage = {
  readonly stage: Stage;
  readonly icons: Icons;
  /** Folder of the packages and the unpacked app. */
  readonly output: string;
  readonly runtime: Runtime;
  /** electron-builder's names, such as `dir`, `zip`, `AppImage`. */
  readonly targets: readonly string[];
  readonly electronVersion: string;
};

const platforms = { linux: Platform.LINUX, win32: Platform.WINDOWS, darwin: Platform.MAC } as const;

/** Builds the app; returns the folder of the unpacked app. */
export async function packElectron(root: string, wanted: ElectronPackage): Promise<string> {
  const { stage, output, targets } = wanted;
  const { system } = stage;
  process.env.ELECTRON_BUILDER_7ZIP_PATH ??= sevenZip(root);
  const arch = system.cpu === 'arm64' ? Arch.arm64 : Arch.x64;
  await build({
    projectDir: root,
    targets: platforms[system.os].createTarget([...targets], arch),
    publish: 'never',
    config: configuration(root, wanted),
  });
  return join(output, system.unpacked);
}

function configuration(root: string, wanted: ElectronPackage): Configuration {
  const { stage, icons, output, runtime, electronVersion } = wanted;
  return {
    extends: join(root, 'electron-builder.yml'),
    directories: { app: stage.folder, output },
    electronVersion,
    // A stand-in is opened and compared, but not distributed.
    ...(runtime.standIn ? { compression: 'store' as const } : {}),
    ...(runtime.folder === null ? {} : { electronDist: runtime.folder }),
    linux: { icon: icons.pngFolder },
    win: { icon: icons.ico },
    mac: { icon: icons.icns, ...macSigning(process.platform, process.env) },
    afterPack: async ({ appOutDir }) => {
      if (stage.system.os === 'darwin') keepTransportSecure(appOutDir);
      sealResources(appOutDir, stage.system);
    },
  };
}

/**
 * The seal covers the archive and the unpacked files beside it. On macOS it covers only the archive: signing comes
 * later and changes the native code, and macOS itself verifies that signature.
 */
function sealResources(folder: string, { os, resources }: System): void {
  const isSealed = (path: string) =>
    path === 'app.asar' || (os !== 'darwin' && path.startsWith('app.asar.unpacked/'));
  sealFolder(join(folder, resources), isSealed);
}

/**
 * Removes a permission that electron-builder adds: plain HTTP to any host, for updates through its own proxy. Our app
 * uses Node.js for the network, and its page connects only to the app.
 */
function keepTransportSecure(folder: string): void {
  const path = join(folder, 'Touchpoint.app', 'Contents', 'Info.plist');
  const text = readFileSync(path, 'utf8');
  const secure = text.replace(/(<key>NSAllowsArbitraryLoads<\/key>\s*)<true\/>/, '$1<false/>');
  if (secure === text) throw new Error('Info.plist is not written as expected');
  writeFileSync(path, secure);
}

/** npm unpacks this program without execute permission. */
function sevenZip(root: string): string {
  const folder = { linux: 'linux', darwin: 'mac', win32: 'win' }[process.platform as 'linux'];
  const name = process.platform === 'win32' ? '7za.exe' : '7za';
  const path = join(root, 'node_modules', '7zip-bin', folder, process.arch, name);
  if (process.platform !== 'win32') chmodSync(path, 0o755);
  return path;
}

/** Debian's programs that make an AppImage. They replace those that electron-builder would download. */
const appImagePrograms = ['/usr/bin/mksquashfs', '/usr/bin/desktop-file-validate'];

/** Whether Debian's programs are installed. */
export function hasAppImageTools(): boolean {
  return appImagePrograms.every((program) => existsSync(program));
}

/**
 * Creates a folder of tools for electron-builder (`APPIMAGE_TOOLS_PATH`). Only for a stand-in of Electron: Debian has no
 * program that mounts an AppImage, so that program is also a stand-in.
 */
export function makeAppImageTools(folder: string, { cpu }: System): string {
  for (const part of ['runtimes', `lib/${cpu}`]) mkdirSync(join(folder, part), { recursive: true });
  for (const program of appImagePrograms) {
    const link = join(folder, program.slice('/usr/bin/'.length));
    if (!existsSync(link)) symlinkSync(program, link);
  }
  const words = '#!/bin/sh\necho "This AppImage was made without the part that mounts it." >&2\nexit 2\n';
  writeFileSync(join(folder, 'runtimes', `runtime-${cpu}`), words.padEnd(4096), { mode: 0o755 });
  return folder;
}
