/**
 * The Electron packages, made by `npm run package` without Electron's runtime, opened and compared. An ordinary run
 * makes the package for Linux and, in turn, one of the others. The nightly run makes all.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasAppImageTools } from '../../packaging/electron-package.ts';
import { type Made, makePackage } from '../../packaging/kinds.ts';
import { readerBinaryOf } from '../../packaging/reader-addon.ts';
import { filesBelow } from '../../packaging/seal-folder.ts';
import { buildBundles } from '../../packaging/stage.ts';
import { type System, systems } from '../../packaging/systems.ts';
import { readFactLines } from '../../src-main/core/journal/facts/fact-lines.ts';
import { refuseAltered } from '../../src-main/launch/seal.ts';
import { notRun, notRunUnless } from '../not-run.ts';
import { chromiumPath } from '../renderer/browser.ts';
import { inTurn } from '../thoroughness.ts';
import { openVirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';
import { type Archive, openArchive } from './asar-archive.ts';
import { contentsOf, strangersIn } from './contents.ts';
import { flipOneBit, removeFolder, temporaryFolder } from './files.ts';
import { boundToRuntime, nativeCodeOf } from './native-code.ts';
import { ARCHIVE_AS_FILE, layOutForElectron } from './packed-electron/lay-out.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = temporaryFolder('electron-packages');
const release = join(folder, 'release', 'stand-in');
const made = new Map<string, Made>();
const kinds = [
  'linux',
  ...inTurn(['windows', 'mac', 'linux-arm64', 'windows-arm64', 'mac-x64'] as const, 0),
] as const;
/** The packages that this run makes on this operating system. */
const madeFor = (os: System['os']) => kinds.map((kind) => systems[kind]).filter((system) => system.os === os);
const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;

beforeAll(async () => {
  const order = {
    root,
    bundles: join(folder, 'bundles'),
    release: join(folder, 'release'),

    work: join(folder, 'work'),
    mustBeReal: false,
  };
  buildBundles(root, order.bundles);
  for (const kind of kinds) {
    for (const one of await makePackage(kind, order)) made.set(one.name, one);
  }
}, 600_000);

afterAll(() => removeFolder(folder));

const unpacked = ({ unpacked: path }: System) => join(release, path);
const resources = (system: System) => join(unpacked(system), system.resources);
const archive = (system: System): Archive => openArchive(join(resources(system), 'app.asar'));

/** The paths below the app, outside and inside the archive. */
function allFiles(system: System): readonly string[] {
  const inside = archive(system)
    .files.filter((file) => !file.unpacked)
    .map(({ path }) => `${system.resources}/app.asar/${path}`);
  return [...filesBelow(unpacked(system)), ...inside];
}

describe.each(kinds.map((kind) => systems[kind]))('the Electron app for $id', (system) => {
  test('contains the files of the reviewed list', async () => {
    await expect(contentsOf(allFiles(system))).toMatchFileSnapshot(`contents/${system.id}.txt`);
  });

  test('contains no platform service, no sources and no binaries of other systems', () => {
    expect(strangersIn(allFiles(system), new RegExp(`prebuilds/${system.sqlite}$`))).toEqual([]);
  });

  test('is not larger than its budget of 56 MB without the runtime', () => {
    const files = filesBelow(resources(system)).map((path) => statSync(join(resources(system), path)).size);
    expect(files.reduce((sum, size) => sum + size, 0)).toBeLessThan(56 * 1024 * 1024);
  });

  test('contains native code only for its system and machine, and only with Node-API', () => {
    const native = filesBelow(resources(system)).filter((path) => /\.(node|dll|dylib|so[\d.]*)$/.test(path));
    // The database is always included, and the reader if the registry has its binary.
    expect(native.some((path) => path.includes('better-sqlite3'))).toBe(true);
    for (const path of native) {
      const code = nativeCodeOf(readFileSync(join(resources(system), path)));
      expect({ path, os: code.os, cpu: code.cpu }).toEqual({ path, os: system.os, cpu: system.cpu });
      expect(boundToRuntime(code), path).toEqual([]);
      if (code.program !== null) expect(code.program, path).toBe(basename(system.fused));
    }
  });

  test("contains only its own system's binary of the badge reader, or reports it as missing", () => {
    const name = readerBinaryOf(system);
    const packed = allFiles(system).filter((path) => /@pcsc-mini\/.*\.node$/.test(path));
    const note = made.get(`${system.id} unpacked`)?.note ?? '';
    if (packed.length === 0) expect(note).toContain(`without badge readers: ${name}`);
    else {
      expect(packed).toEqual([`${system.resources}/app.asar.unpacked/node_modules/${name}/addon.node`]);
      expect(note).not.toContain('badge readers');
    }
  });

  test('has the fuses of docs/release.md', async () => {
    const wire = await getCurrentFuseWire(
      system.os === 'darwin'
        ? join(unpacked(system), 'Touchpoint.app')
        : join(unpacked(system), system.fused),
    );
    const table = readFileSync(join(root, 'docs', 'release.md'), 'utf8').matchAll(
      /^\| `(\w+)` \| (on|off) \|/gm,
    );
    const wanted = [...table].map(([, name = '', state = '']) => [name, state]);
    const read = Object.values(FuseV1Options)
      .filter((option) => typeof option === 'number')
      .map((option) => [FuseV1Options[option], wire[option] === FuseState.ENABLE ? 'on' : 'off']);
    expect(read).toEqual(wanted);
  });

  test('detects one changed bit in its archive and, except on macOS, beside it', () => {
    expect(() => refuseAltered(resources(system))).not.toThrow();
    const sqlite = `app.asar.unpacked/node_modules/better-sqlite3/prebuilds/${system.sqlite}`;
    for (const path of system.os === 'darwin' ? ['app.asar'] : ['app.asar', sqlite]) {
      const alter = () => flipOneBit(join(resources(system), path));
      alter();
      expect(() => refuseAltered(resources(system))).toThrow(`its file ${path} is not as it was packed`);
      alter();
    }
  });
});

test("the archive contains the package's entry program", () => {
  for (const system of kinds.map((kind) => systems[kind])) {
    const { main, version: packed } = JSON.parse(archive(system).text('package.json')) as Record<
      string,
      string
    >;
    expect([main, packed]).toEqual(['out/main/main.js', version]);
    expect(archive(system).text(main ?? '')).toContain('app.whenReady');
  }
});

/**
 * Runs the entry of the Linux package, laid out as Electron sees it, and scans a badge or waits for one on the
 * reader.
 */
async function startPacked(
  app: string,
  data: string,
  reader: 'none' | 'pcsc' = 'none',
  start: (
    program: string,
    args: readonly string[],
    options: { env: NodeJS.ProcessEnv; stdio: ['ignore', 'pipe', 'pipe'] },
  ) => ChildProcess = spawn,
) {
  const part = (name: string) => join(import.meta.dirname, 'packed-electron', name);
  const args = [part('start.ts'), app, '04A1B2C3D4E5F6', '--demo', '--data', data, '--reader', reader];
  const NODE_OPTIONS = `--import ${pathToFileURL(part('archives.ts')).href}`;
  const env = { ...process.env, NODE_OPTIONS };
  const child = start(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  const [printed, complained] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [code] = (await exit) as [number | null];
  return { printed, complained, code };
}

function textOf(stream: Readable | null): Promise<string> {
  return stream === null ? Promise.resolve('') : text(stream);
}

const startTest = notRunUnless(existsSync(chromiumPath), 'Chromium is not installed');
const laidOut = join(folder, 'installed ü', 'resources');

startTest(
  'the packed app starts with a fake of Electron, with its own preload and page, and captures a badge',
  async () => {
    layOutForElectron(resources(systems.linux), laidOut);
    const data = join(folder, 'data ü');
    const { printed, complained, code } = await startPacked(join(laidOut, 'app.asar'), data);
    expect([code, complained]).toEqual([0, '']);
    expect(printed).toMatch(/^Touchpoint is ready: app:\/\/touchpoint\/\nIt shows: captured$/m);
    expect([...(readFactLines(join(data, 'journal.db')) ?? [])]).toMatchObject([
      { kind: 'tap', payload: { badge: '04A1B2C3D4E5F6' } },
    ]);
  },
  240_000,
);

const tapTest = notRunUnless(
  existsSync(chromiumPath) && virtualReader.present,
  'Chromium or the virtual reader is not installed',
);

tapTest(
  'the packed app reads a badge on the reader with the binary in its package',
  async () => {
    const data = join(folder, 'tapped ü');
    await using reader = await openVirtualReader();
    await reader.startService();
    const ended = await startPacked(join(laidOut, 'app.asar'), data, 'pcsc', (program, args, options) => {
      const child = reader.spawn(program, args, options);
      child.stdout?.on('data', (part: Buffer) => {
        if (part.includes('It waits for a card'))
          void reader.insert({ kind: 'type2', uid: '04A1B2C3D4E5F6' });
      });
      return child;
    });
    expect(ended).toMatchObject({ code: 0, printed: expect.stringContaining('It shows: captured') });
    expect([...(readFactLines(join(data, 'journal.db')) ?? [])]).toMatchObject([
      { kind: 'tap', source: 'nfc', payload: { badge: '04A1B2C3D4E5F6' } },
    ]);
  },
  240_000,
);

startTest(
  'the packed app with one changed bit in its archive refuses to start, says so, and touches no data',
  async () => {
    flipOneBit(join(laidOut, `app.asar${ARCHIVE_AS_FILE}`));
    const data = join(folder, 'none');
    const { printed, complained, code } = await startPacked(join(laidOut, 'app.asar'), data);
    expect([code, printed]).toEqual([2, '']);
    expect(complained).toBe(
      'Touchpoint was not started: its file app.asar is not as it was packed. Install it again; captured data stays.\n',
    );
    expect(existsSync(join(data, 'journal.db'))).toBe(false);
  },
  240_000,
);

test.each(madeFor('win32'))('the program for $id contains the checksum of the archive', (system) => {
  const exe = readFileSync(join(unpacked(system), system.fused));
  const [, inExe] =
    /"file":"resources\\\\app\.asar","alg":"sha256","value":"(\w+)"/i.exec(exe.toString('latin1')) ?? [];
  expect(inExe).toBe(archive(system).headerHash);
});

test.each(madeFor('win32'))('the program for $id has name, version and icon', (system) => {
  const exe = readFileSync(join(unpacked(system), system.fused));
  for (const text of ['ProductName\0', 'Touchpoint', `${version}`, 'Touchpoint contributors, Apache-2.0']) {
    expect(exe.includes(Buffer.from(text, 'utf16le')), text).toBe(true);
  }
  expect(exe.includes(pictureOf(join(folder, 'work', 'icons', 'icon.ico')))).toBe(true);
});

/** The largest picture in a Windows icon, which is the last entry of its directory. */
function pictureOf(ico: string): Buffer {
  const bytes = readFileSync(ico);
  const at = 6 + 16 * (bytes.readUInt16LE(4) - 1);
  const from = bytes.readUInt32LE(at + 12);
  return bytes.subarray(from, from + bytes.readUInt32LE(at + 8));
}

test.each(madeFor('darwin'))('the app for $id contains the checksum of the archive', (system) => {
  const plist = readFileSync(join(unpacked(system), 'Touchpoint.app/Contents/Info.plist'), 'utf8');
  const [, inPlist] =
    /<key>ElectronAsarIntegrity<\/key>[\s\S]*?<key>hash<\/key>\s*<string>(\w+)</.exec(plist) ?? [];
  expect(inPlist).toBe(archive(system).headerHash);
});

test.each(madeFor('darwin'))('the app for $id has our icon and a purpose for the camera', (system) => {
  const contents = join(unpacked(system), 'Touchpoint.app', 'Contents');
  const icon = readFileSync(join(contents, 'Resources', 'icon.icns'));
  expect([icon.toString('latin1', 0, 4), icon.readUInt32BE(4)]).toEqual(['icns', icon.length]);
  const plist = readFileSync(join(contents, 'Info.plist'), 'utf8');
  expect(plist).toContain('NSCameraUsageDescription');
  expect(plist).toMatch(/<key>NSAllowsArbitraryLoads<\/key>\s*<false\/>/);
});

test.each(madeFor('linux'))(
  'the Debian package for $id has its dependencies, the app, its icon and the rules for readers',
  ({ debian }) => {
    const deb = join(release, `touchpoint_${version}_${debian}.deb`);
    const control = execFileSync('dpkg-deb', ['-I', deb], { encoding: 'utf8' });
    expect(control).toMatch(new RegExp(`^ Architecture: ${debian}$`, 'm'));
    expect(control).toMatch(/^ Package: touchpoint$/m);
    expect(control).toMatch(/ Depends: .*libgtk-3-0.*pcscd.*libpcsclite1/);
    const list = execFileSync('dpkg-deb', ['-c', deb], { encoding: 'utf8', maxBuffer: 1e8 });
    for (const line of [
      /^-rwxr-xr-x root\/root .* \.\/opt\/Touchpoint\/touchpoint$/m,
      /^-rwsr-xr-x root\/root .* \.\/opt\/Touchpoint\/chrome-sandbox$/m,
      /^-rw-r--r-- root\/root .* \.\/opt\/Touchpoint\/resources\/app\.asar$/m,
      /^lrwxrwxrwx root\/root .* \.\/usr\/bin\/touchpoint -> \/opt\/Touchpoint\/touchpoint$/m,
      /\.\/usr\/share\/icons\/hicolor\/256x256\/apps\/touchpoint\.png$/m,
      /\.\/usr\/share\/mime\/packages\/touchpoint\.xml$/m,
      /\.\/usr\/lib\/udev\/rules\.d\/60-touchpoint-readers\.rules$/m,
    ]) {
      expect(list).toMatch(line);
    }
    expect(list).not.toMatch(/^-.* (?!root\/root)\S+\/\S+ /m);
  },
);

const imageTest = notRunUnless(hasAppImageTools(), 'squashfs-tools and desktop-file-utils are not installed');
for (const { id, appImage } of madeFor('linux')) {
  imageTest(`the AppImage for ${id} holds the app behind the part that mounts it`, () => {
    const image = join(release, `touchpoint-${version}-linux-${appImage}.AppImage`);
    const offset = readFileSync(image).indexOf('hsqs', 1024);
    const list = execFileSync('unsquashfs', ['-o', String(offset), '-l', image], {
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    for (const path of ['AppRun', 'touchpoint.desktop', 'resources/app.asar', 'resources/seal.json']) {
      expect(list).toContain(`squashfs-root/${path}\n`);
    }
  });
}

test('names each package that cannot be made here, and the reason', () => {
  const missing = [...made.values()].filter(({ file }) => file === null).map(({ name }) => name);
  const reasons = { linux: 'RPM', win32: 'installer (NSIS)', darwin: 'disk image' };
  const expected = kinds.flatMap((kind) => {
    const { id, os } = systems[kind];
    const image = os === 'linux' && !hasAppImageTools() ? [`${id} AppImage`] : [];
    return [...image, `${id} ${reasons[os]}`];
  });
  expect(missing).toEqual(expected);
  for (const { file, note } of made.values()) {
    expect(note).toMatch(file === null ? /\w/ : /^a stand-in, without Electron's runtime/);
  }
});

for (const system of Object.values(systems).filter((one) => !kinds.some((kind) => systems[kind] === one)))
  notRun(`the Electron app for ${system.id}`, 'the nightly run makes it', 'night');
notRun('the Windows installer (NSIS) is made and installs', 'it is made on Windows', 'electron');
notRun('the macOS disk image is made and opens', "it is made on macOS, by macOS's own programs", 'electron');
notRun('the packed Electron app opens its window', "Electron's runtime is not here", 'electron');
notRun("the reader's binary is loaded by Electron", "Electron's runtime is not here", 'electron');
