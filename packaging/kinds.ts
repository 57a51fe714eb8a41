/**
 * The kinds of packages and how each is made.
 *
 * Invariant: the result names every package that cannot be made on this machine, with the reason.
 */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packElectronForDebian, packHubForDebian, packKioskForDebian } from './debian-packages.ts';
import { hasAppImageTools, makeAppImageTools, packElectron } from './electron-package.ts';
import { drawIcons } from './icons.ts';
import { missingReaderBinary } from './reader-addon.ts';
import { electronVersion, findRuntime } from './runtime.ts';
import { SBOM_FILE } from './sbom.ts';
import { sealFolder } from './seal-folder.ts';
import { signingNote } from './signing.ts';
import { layOut, type Sources } from './stage.ts';
import { type System, systems } from './systems.ts';

export const kindNames = [
  'kiosk',
  'hub',
  'linux',
  'linux-arm64',
  'windows',
  'windows-arm64',
  'mac',
  'mac-x64',
] as const;
export type Kind = (typeof kindNames)[number];

/**
 * The result for one package. `file`: its path, or null if it was not made. `note`: a restriction of the package, or
 * null.
 */
export type Made = { readonly name: string; readonly file: string | null; readonly note: string | null };

export type Order = Sources & {
  readonly release: string;
  /** Folder for temporary files. */
  readonly work: string;
  readonly mustBeReal: boolean;
};

/** Makes one kind. @throws Error when making it fails */
export async function makePackage(kind: Kind, order: Order): Promise<readonly Made[]> {
  if (kind === 'kiosk') return [makeKiosk(order)];
  if (kind === 'hub') return [makeHub(order)];
  return makeElectron(systems[kind], order);
}

function makeKiosk(order: Order): Made {
  const { root, release, work, mustBeReal } = order;
  const name = 'Debian kiosk';
  if (process.platform !== 'linux') return { name, file: null, note: 'it takes dpkg-deb, on Linux' };
  // It contains the Node.js of this machine.
  const system = process.arch === 'arm64' ? systems['linux-arm64'] : systems.linux;
  const stage = layOut(order, join(work, 'kiosk'), system, 'browser');
  sealFolder(stage.folder);
  copyFileSync(join(stage.folder, SBOM_FILE), join(release, `touchpoint-kiosk.${SBOM_FILE}`));
  const places = { root, output: release, work: join(work, 'kiosk-deb'), version: versionOf(root) };
  const file = packKioskForDebian(places, stage, process.execPath, !mustBeReal);
  return { name, file, note: missingReaderBinary(stage.folder, system) };
}

function makeHub(order: Order): Made {
  const { root, release, work, mustBeReal } = order;
  const name = 'Debian hub';
  if (process.platform !== 'linux') return { name, file: null, note: 'it takes dpkg-deb, on Linux' };
  const system = process.arch === 'arm64' ? systems['linux-arm64'] : systems.linux;
  const stage = layOut(order, join(work, 'hub'), system, 'hub');
  copyFileSync(join(stage.folder, SBOM_FILE), join(release, `touchpoint-hub.${SBOM_FILE}`));
  const places = { root, output: release, work: join(work, 'hub-deb'), version: versionOf(root) };
  return { name, file: packHubForDebian(places, stage, process.execPath, !mustBeReal), note: null };
}

/** Installers that need their own system, and the reason. */
const elsewhere: Readonly<Record<'win32' | 'darwin', { name: string; target: string; why: string }>> = {
  win32: {
    name: 'installer (NSIS)',
    target: 'nsis',
    why: 'made on Windows; here it would need wine',
  },
  darwin: { name: 'disk image', target: 'dmg', why: "made on macOS, by macOS's own programs" },
};

async function makeElectron(system: System, order: Order): Promise<readonly Made[]> {
  const { root, work, mustBeReal } = order;
  const runtime = findRuntime(root, work, system, mustBeReal);
  const output = runtime.standIn ? join(order.release, 'stand-in') : order.release;
  const stage = layOut(order, join(work, 'app', system.id), system, 'electron');
  const version = electronVersion(root);
  const withoutReader = missingReaderBinary(stage.folder, system);
  const icons = await drawIcons(root, join(work, 'icons'));
  const image = system.os === 'linux' && (!runtime.standIn || hasAppImageTools());
  if (image && runtime.standIn)
    process.env.APPIMAGE_TOOLS_PATH = makeAppImageTools(join(work, 'appimage', system.cpu), system);
  const targets = targetsOf(system, image);
  const unpacked = await packElectron(root, {
    stage,
    icons,
    output,
    runtime,
    targets,
    electronVersion: version,
  });
  copyFileSync(join(stage.folder, SBOM_FILE), join(output, `touchpoint-${system.id}.${SBOM_FILE}`));
  const signing = signingNote(system.os, process.platform, process.env);
  const note = [
    ...(runtime.standIn ? ["a stand-in, without Electron's runtime"] : []),
    ...(withoutReader === null ? [] : [withoutReader]),
    ...(signing === null ? [] : [signing]),
  ].join('; ');
  const made = (name: string, file: string): Made => ({ name, file, note: note === '' ? null : note });
  const artifact = (ending: string) => join(output, `touchpoint-${versionOf(root)}-${ending}`);
  if (system.os !== 'linux') {
    const { name, target, why } = elsewhere[system.os];
    const zip = artifact(`${system.os === 'win32' ? 'win' : 'mac'}-${system.cpu}.zip`);
    const installer = artifact(
      `${system.os === 'win32' ? 'win' : 'mac'}-${system.cpu}.${target === 'nsis' ? 'exe' : target}`,
    );
    return [
      made(`${system.id} unpacked`, unpacked),
      made(`${system.id} zip`, zip),
      targets.includes(target)
        ? made(`${system.id} ${name}`, installer)
        : { name: `${system.id} ${name}`, file: null, note: why },
    ];
  }
  const places = { root, output, work: join(work, 'electron-deb'), version: versionOf(root) };
  const imageName = `${system.id} AppImage`;
  return [
    made(`${system.id} unpacked`, unpacked),
    made(
      `${system.id} Debian package`,
      packElectronForDebian(places, stage, unpacked, icons, runtime.standIn),
    ),
    image
      ? made(imageName, artifact(`linux-${system.appImage}.AppImage`))
      : { name: imageName, file: null, note: 'squashfs-tools and desktop-file-utils are not installed' },
    { name: `${system.id} RPM`, file: null, note: 'not one of our packages; use the AppImage' },
  ];
}

function targetsOf(system: System, image: boolean): readonly string[] {
  if (system.os === 'linux') return image ? ['dir', 'AppImage'] : ['dir'];
  const { target } = elsewhere[system.os];
  return system.os === process.platform ? ['dir', 'zip', target] : ['dir', 'zip'];
}

function versionOf(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}
