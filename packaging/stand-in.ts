/**
 * A stand-in for Electron's distribution, for machines without access to Electron's runtime.
 *
 * Invariants:
 * - a package made with it can be opened and compared. On Linux and macOS its program prints that Electron's runtime
 *   is missing and exits with code 2;
 * - it contains the sentinel of the fuses, so fuses are set and read as in the real distribution.
 */
import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { System } from './systems.ts';

/** Files of Chromium's languages. The package keeps only the languages of the app. */
const locales = ['ar', 'bg', 'de', 'en-US', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt-PT', 'ru', 'zh-CN'];

/**
 * The fuse wire of Electron 45: the sentinel, version 1, nine fuses ('0' off, '1' on), in Electron's order
 * (electron/fuses, `FuseV1Options`).
 */
const wire = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX', 'latin1'),
  Buffer.from([1, 9]),
  Buffer.from('100001011', 'latin1'),
]);

const words = '#!/bin/sh\necho "This package was made without the runtime of Electron." >&2\nexit 2\n';

/** Makes the stand-in for `system` in `folder`, of Electron `version`. */
export function makeStandIn(root: string, folder: string, system: System, version: string): void {
  const put = (path: string, content: string | Buffer, mode = 0o644) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
  };
  rmSync(folder, { recursive: true, force: true });
  put('version', version);
  put('LICENSE', 'Electron is not in this package.\n');
  put('LICENSES.chromium.html', '<!doctype html><title>Chromium is not in this package</title>\n');
  const program = Buffer.concat([Buffer.from(words), wire]);
  if (system.os === 'darwin') {
    makeMacApp(put, program, folder);
    return;
  }
  for (const locale of locales) put(`locales/${locale}.pak`, '');
  if (system.os === 'linux') {
    put('electron', program, 0o755);
    put('chrome-sandbox', words, 0o755);
    return;
  }
  // This must be a real Windows program, because electron-builder writes version and icon into its resources.
  const exe = join(folder, 'electron.exe');
  copyFileSync(join(root, 'node_modules', '7zip-bin', 'win', system.cpu, '7za.exe'), exe);
  writeFileSync(exe, wire, { flag: 'a' });
}

type Put = (path: string, content: string | Buffer, mode?: number) => void;

function makeMacApp(put: Put, program: Buffer, folder: string): void {
  const contents = 'Electron.app/Contents';
  const app = (path: string, name: string) => {
    put(`${path}/Info.plist`, plist(name));
    put(`${path}/MacOS/${name}`, words, 0o755);
  };
  app(contents, 'Electron');
  put(`${contents}/Resources/electron.icns`, '');
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    app(`${contents}/Frameworks/Electron Helper${kind}.app/Contents`, `Electron Helper${kind}`);
  }
  const framework = `${contents}/Frameworks/Electron Framework.framework/Versions/A`;
  put(`${framework}/Electron Framework`, program, 0o755);
  symlinkSync('Versions/A/Electron Framework', join(folder, framework, '../../Electron Framework'));
  for (const locale of locales) {
    put(`${framework}/Resources/${locale.replace('-', '_').replace('en_US', 'en')}.lproj/locale.pak`, '');
  }
}

function plist(name: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>' +
    `<key>CFBundleExecutable</key><string>${name}</string>` +
    `<key>CFBundleName</key><string>${name}</string>` +
    '<key>CFBundleIdentifier</key><string>com.github.Electron</string>' +
    '<key>CFBundlePackageType</key><string>APPL</string></dict></plist>\n'
  );
}
