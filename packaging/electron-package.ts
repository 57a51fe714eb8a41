/**
 * The Electron app for one system, made by electron-builder out of a stage.
 *
 * Invariants: no part of it is fetched while it is built but Electron's own runtime where that is not a stand-in; nothing
 * is published; what was sealed is sealed before any installer is made of it.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
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
  /** Where packages and the unpacked app go. */
  readonly output: string;
  readonly runtime: Runtime;
  /** electron-builder's names, such as `dir`, `zip`, `AppImage`. */
  readonly targets: readonly string[];
  readonly electronVersion: string;
};

const platforms = { linux: Platform.LINUX, win32: Platform.WINDOWS, darwin: Platform.MAC } as const;

/** Builds it; gives the folder of the unpacked app. */
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
    // A stand-in is made to be opened and compared, not to travel.
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
 * The archive and what lies unpacked beside it. On macOS the archive alone: signing, which comes later, writes into native
 * code, and macOS itself compares that with its signature.
 */
function sealResources(folder: string, { os, resources }: System): void {
  const isSealed = (path: string) =>
    path === 'app.asar' || (os !== 'darwin' && path.startsWith('app.asar.unpacked/'));
  sealFolder(join(folder, resources), isSealed);
}

/**
 * electron-builder lets the app speak plain HTTP to everybody, for updates through a proxy of its own. Ours speaks to the
 * network through Node.js, and its page to nobody but the app.
 */
function keepTransportSecure(folder: string): void {
  const path = join(folder, 'Touchpoint.app', 'Contents', 'Info.plist');
  const text = readFileSync(path, 'utf8');
  const secure = text.replace(/(<key>NSAllowsArbitraryLoads<\/key>\s*)<true\/>/, '$1<false/>');
  if (secure === text) throw new Error('Info.plist is not written as expected');
  writeFileSync(path, secure);
}

/** npm unpacks the program without the right to be run. */
function sevenZip(root: string): string {
  const folder = { linux: 'linux', darwin: 'mac', win32: 'win' }[process.platform as 'linux'];
  const name = process.platform === 'win32' ? '7za.exe' : '7za';
  const path = join(root, 'node_modules', '7zip-bin', folder, process.arch, name);
  if (process.platform !== 'win32') chmodSync(path, 0o755);
  return path;
}
