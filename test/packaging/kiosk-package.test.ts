/**
 * The Debian packages of the kiosk and of the hub: made, unpacked and used as on a device, with their Node.js, their
 * files, a badge on the virtual reader, and the screen in Chromium. `docs/release.md` lists the trials on a clean
 * system.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Made, makePackage } from '../../packaging/kinds.ts';
import { readerBinaryOf } from '../../packaging/reader-addon.ts';
import { filesBelow } from '../../packaging/seal-folder.ts';
import { buildBundles } from '../../packaging/stage.ts';
import { systems } from '../../packaging/systems.ts';
import { readFactLines } from '../../src-main/core/journal/facts/fact-lines.ts';
import { forkDrawingProcess } from '../../src-main/drawing/picture-drawer.ts';
import { realClock } from '../../src-main/machine/real-time.ts';
import { createTextReader } from '../../src-main/reading/text-reader.ts';
import { createPlatformProcess } from '../core/platform-process.ts';
import { addDevice } from '../hub/enrolled-devices.ts';
import { createHubProcess } from '../hub/hub-process.ts';
import { watch } from '../launch/running-app.ts';
import { notRun, notRunUnless } from '../not-run.ts';
import { ownDatabase, postgresTest } from '../platform/postgres/own-database.ts';
import { chromiumPath } from '../renderer/browser.ts';
import { openVirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';
import { contentsOf, strangersIn } from './contents.ts';
import { flipOneBit, removeFolder, temporaryFolder } from './files.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = temporaryFolder('kiosk-package');
const device = join(folder, 'device');
const program = join(device, 'opt/touchpoint-kiosk/bin/touchpoint');
type Named = { readonly name: string; readonly version: string };
/** The module for the reader comes from this tree (`packages/pcsclite`), so no package source lists a checksum for it. */
const ours = '@pokusew/pcsclite';
type Sbom = {
  readonly components: readonly (Named & {
    readonly properties?: unknown;
    readonly hashes?: readonly { readonly content: string }[];
  })[];
};

const hubMachine = join(folder, 'hub-machine');
const hubProgram = join(hubMachine, 'opt/touchpoint-hub/bin/touchpoint-hub');

let made: Made | undefined;
let madeHub: Made | undefined;

/** On a busy machine Chromium starts slowly. */
const PATIENCE_MS = 60_000;

beforeAll(async () => {
  const bundles = join(folder, 'bundles');
  buildBundles(root, bundles);
  const order = { root, bundles, release: folder, work: join(folder, 'work'), mustBeReal: false };
  [made] = await makePackage('kiosk', order);
  execFileSync('dpkg-deb', ['-x', made?.file ?? '', device]);
  [madeHub] = await makePackage('hub', order);
  execFileSync('dpkg-deb', ['-x', madeHub?.file ?? '', hubMachine]);
}, 600_000);

afterAll(() => removeFolder(folder));

test('the kiosk package is complete, with the binary of badge readers', () => {
  expect(made).toMatchObject({ name: 'Debian kiosk', note: null });
});

test('the kiosk package contains the files of the reviewed list, and nothing that only developers need', async () => {
  const files = filesBelow(device);
  await expect(contentsOf(files)).toMatchFileSnapshot('contents/kiosk.txt');
  expect(strangersIn(files, /prebuilds\/linux-x64\.node$/)).toEqual([]);
});

test('the hub package contains the files of its reviewed list, and no screen', async () => {
  expect(madeHub).toMatchObject({ name: 'Debian hub', note: null });
  const files = filesBelow(hubMachine);
  await expect(contentsOf(files)).toMatchFileSnapshot('contents/hub.txt');
  expect(files.filter((path) => /renderer|out\/(core|browser)/.test(path))).toEqual([]);
  expect(strangersIn(files, /prebuilds\/linux-x64\.node$/)).toEqual([]);
});

test('the bill of materials of the kiosk package names exactly its npm packages, with their pinned checksums', () => {
  const app = join(device, 'opt/touchpoint-kiosk/app');
  const { components } = JSON.parse(readFileSync(join(app, 'sbom.cdx.json'), 'utf8')) as Sbom;
  const manifests = filesBelow(join(app, 'node_modules')).filter((path) =>
    /^(.*node_modules\/)?(@[^/]+\/)?[^/@]+\/package\.json$/.test(path),
  );
  const there = manifests.map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(app, 'node_modules', path), 'utf8')) as Named;
    return `${name}@${version}`;
  });
  const packed = components.filter(({ properties, name }) => properties === undefined && name !== 'node');
  expect(packed.map(({ name, version }) => `${name}@${version}`).toSorted()).toEqual(there.toSorted());
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  for (const { name, hashes } of components.filter((one) => one.name !== 'node' && one.name !== ours)) {
    expect(lock, name).toContain(Buffer.from(hashes?.[0]?.content ?? 'none', 'hex').toString('base64'));
  }
  expect(components).toContainEqual(
    expect.objectContaining({ name: 'node', version: process.versions.node }),
  );
  expect(components).toContainEqual(expect.objectContaining({ name: 'react-dom', scope: 'required' }));
});

test('the kiosk package contains the full licences of packed and bundled npm packages', () => {
  const text = readFileSync(join(device, 'usr/share/doc/touchpoint-kiosk/LICENCES.txt'), 'utf8');
  for (const line of [
    /^better-sqlite3 [\d.]+: MIT$/m,
    /^react-dom [\d.]+: MIT$/m,
    /^fastify [\d.]+: MIT$/m,
  ]) {
    expect(text).toMatch(line);
  }
  expect(text).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
  expect(text).toContain('SIL OPEN FONT LICENSE');
});

test('the app in the kiosk package is within its budget of 56 MB, without Node.js', () => {
  const app = join(device, 'opt/touchpoint-kiosk/app');
  const size = filesBelow(app).reduce((sum, path) => sum + statSync(join(app, path)).size, 0);
  expect(size).toBeLessThan(56 * 1024 * 1024);
});

test('the kiosk package reads text in pictures with its own files', async () => {
  const program = join(device, 'opt/touchpoint-kiosk/app/out/reading/reading-process.js');
  const read = createTextReader(() => forkDrawingProcess(program), realClock);
  const picture = await sharp({ text: { text: 'Zacharias Unmistakable', dpi: 300, rgba: false } })
    .extend({ top: 40, bottom: 40, left: 40, right: 40 })
    .negate()
    .png()
    .toBuffer();
  const asked = { source: picture, beside: [], mirror: join(device, 'mirror.db') };
  for (const script of ['latin', 'arabic', 'kana', 'han'] as const)
    expect(await read({ ...asked, script }), script).not.toBe('unavailable');
  expect(await read({ ...asked, script: 'latin' })).toMatchObject({
    lines: [{ text: 'Zacharias Unmistakable' }],
    // Without a mirror.
    match: { named: 'none' },
  });
}, 240_000);

test('the kiosk package names its dependencies, all its files belong to root, and only programs are executable', () => {
  const control = execFileSync('dpkg-deb', ['-I', made?.file ?? ''], { encoding: 'utf8' });
  expect(control).toMatch(/^ Package: touchpoint-kiosk$/m);
  expect(control).toMatch(/^ Depends: chromium, pcscd, libpcsclite1/m);
  const list = execFileSync('dpkg-deb', ['-c', made?.file ?? ''], { encoding: 'utf8', maxBuffer: 1e8 });
  const lines = list.trimEnd().split('\n');
  expect(lines.filter((line) => !/^\S+ root\/root /.test(line))).toEqual([]);
  const programs = lines.filter((line) => /^-..x/.test(line)).map((line) => line.split(' ./')[1]);
  expect(programs).toEqual(['opt/touchpoint-kiosk/bin/node', 'opt/touchpoint-kiosk/bin/touchpoint']);
});

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

test('the commands of the kiosk package work, and an unknown one gives one sentence', () => {
  const run = (...args: string[]) => spawnSync(program, args, { encoding: 'utf8' });
  const commands = [
    'start',
    'screen',
    'health',
    'leads',
    'backup',
    'restore',
    'diagnostics',
    'staff-pin',
    'tap',
  ];
  for (const command of [...commands, 'platform', 'hub']) {
    expect(run(command, '--help'), command).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('--data'),
    });
  }
  for (const command of commands) expect(run('--help').stdout, command).toContain(`\n  ${command} `);
  expect(run('--version').stdout).toBe(`${version}\n`);
  expect(run('tap', '--list').stdout).toContain('04A1B2C3D4E5F6');
  for (const command of ['nonsense', '../../../../etc/passwd', '']) {
    expect(run(command), command).toMatchObject({ status: 2, stdout: '' });
    expect(run(command).stderr.trim().split('\n')).toHaveLength(1);
  }
});

test('the platform in the kiosk package serves the demo event', async () => {
  const args = ['platform', '--port', '0', '--seed', 'demo', '--data', join(folder, 'platform')];
  const service = watch(spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  onTestFinished(() => void service.child.kill());
  const [, address] = await service.line(/platform: (http:\S+)/i);
  expect((await fetch(new URL('/health/live', address))).status).toBe(200);
});

/** The packed hub at an upstream platform: a device is added and enrolled, and fetches page files and a snapshot. */
async function useHub(
  name: string,
  options: readonly string[],
  command: readonly [string, ...(readonly string[])] = [program, 'hub'],
): Promise<void> {
  const platform = await createPlatformProcess(join(folder, name, 'platform'));
  await platform.start();
  const serving = { scheme: 'http', isTold: true, program: command } as const;
  const hub = await createHubProcess(join(folder, name, 'hub'), platform, options, serving);
  await hub.start();
  const database = options.slice(0, 2);
  const { credential } = await addDevice(hub, join(folder, name), 'AD2026T01', database);
  const { origin } = new URL(hub.baseUrl);
  for (const path of ['', '/fleet.js', '/fleet.css', '/tokens.css', '/figtree.woff2'])
    expect((await fetch(`${origin}/fleet${path}`)).status, path).toBe(200);
  await poll(async () => {
    const { status } = await hub.request('GET', `/hub/snapshot/${platform.expoId}`, credential);
    return status === 200 ? status : null;
  });
  expect(await hub.kill('SIGTERM')).toBe(0);
}

test('the hub in the kiosk package enrols a device, and serves the fleet page and a snapshot', () =>
  useHub('hub', []));

test('the hub package enrols a device, serves the fleet page and a snapshot, and has the commands of the hub', async () => {
  await useHub('hub-package', [], [hubProgram]);
  const run = (...args: string[]) => spawnSync(hubProgram, args, { encoding: 'utf8' });
  expect(run('--version').stdout).toBe(`${version}\n`);
  for (const args of [['--help'], ['devices', '--help'], ['fleet', '--help'], ['health', '--help']])
    expect(run(...args), args.join(' ')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('--data'),
    });
  expect(run('health', '--data', join(folder, 'none'))).toMatchObject({ status: 2 });
});

postgresTest('the hub in the kiosk package also works on PostgreSQL', async () =>
  useHub('hub-postgres', ['--database', await ownDatabase()]),
);

test('the trial of installed packages accepts the package, and refuses a program that exits or is missing', () => {
  const trial = join(root, 'packaging/try-package.ts');
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [trial, ...args], { encoding: 'utf8', timeout: 200_000 });
  expect(run(program, 'start', '--no-open')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('touchpoint: ready'),
  });
  expect(run(program, 'nonsense')).toMatchObject({ status: 1 });
  expect(run(join(folder, 'missing'))).toMatchObject({ status: 1 });
});

const cardTest = notRunUnless(virtualReader.present, virtualReader.reason);

cardTest(
  'the kiosk package starts on its own Node.js, and a badge on the reader is in its journal',
  async () => {
    const data = join(folder, 'tapped');
    await using reader = await openVirtualReader();
    await reader.startService();
    const args = ['start', '--demo', '--data', data, '--no-open', '--reader', 'pcsc'];
    const app = watch(reader.spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
    await app.line(/^Touchpoint is ready: /);
    const tap = join(root, 'src-main/commands/tap.ts');
    const said = await reader.run(process.execPath, [tap, '04A1B2C3D4E5F6', '--data', data], 60_000);
    // With or without the visitor's name, because a device that has just started may not have the event yet.
    expect(said).toMatch(/^Captured/m);
    expect([...(readFactLines(join(data, 'journal.db')) ?? [])]).toMatchObject([
      { kind: 'tap', source: 'nfc', payload: { badge: '04A1B2C3D4E5F6' } },
    ]);
    const node = execFileSync(join(device, 'opt/touchpoint-kiosk/bin/node'), ['--version'], {
      encoding: 'utf8',
    });
    expect(node.trim()).toBe(process.version);
  },
  240_000,
);

const screenTest = notRunUnless(existsSync(chromiumPath), 'Chromium is not installed');

screenTest(
  'the screen of the kiosk package waits for the app, and then shows the stand in Chromium',
  async () => {
    const data = join(folder, 'shown');
    const flags = ['--no-sandbox', '--headless=new', '--remote-debugging-port=0'];
    const args = [
      'screen',
      '--data',
      data,
      '--browser',
      chromiumPath,
      ...flags.map((flag) => `--with=${flag}`),
    ];
    const screen = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    onTestFinished(() => void screen.kill());
    const words: string[] = [];
    screen.stderr.setEncoding('utf8').on('data', (text: string) => words.push(text));
    await poll(() => /^Waiting for Touchpoint on /m.exec(words.join('')));
    const options = ['start', '--demo', '--data', data, '--no-open', '--reader', 'none'];
    const app = watch(spawn(program, options, { stdio: ['ignore', 'pipe', 'pipe'] }));
    onTestFinished(() => void app.child.kill());
    const [, port] =
      (await poll(() => /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(words.join('')))) ?? [];
    const browser = await attach(`http://127.0.0.1:${port}`);
    onTestFinished(() => browser.close());
    const page = await poll(
      () =>
        browser
          .contexts()[0]
          ?.pages()
          .find((one) => one.url().includes('127.0.0.1')) ?? null,
    );
    await page.locator('main[data-view="attract"]').waitFor({ timeout: PATIENCE_MS });
  },
  240_000,
);

test('the kiosk package refuses to start with one bit changed or a file missing, names the file, and changes no data', () => {
  const start = () => spawnSync(program, ['start', '--data', join(folder, 'none')], { encoding: 'utf8' });
  const addon = `node_modules/${readerBinaryOf(systems.linux)}/addon.node`;
  const path = join(device, 'opt/touchpoint-kiosk/app', addon);
  flipOneBit(path);
  expect(start()).toMatchObject({
    status: 2,
    stdout: '',
    stderr: `Touchpoint was not started: its file ${addon} is not as it was packed. Install it again; captured data stays.\n`,
  });
  rmSync(path);
  expect(start().stderr).toContain(`its file ${addon} is missing`);
  rmSync(join(device, 'opt/touchpoint-kiosk/app/seal.json'));
  expect(start().stderr).toContain('seal.json) is missing');
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

const units = ['touchpoint.service', 'touchpoint-screen.service'];
const systemdTest = notRunUnless(existsSync('/usr/bin/systemd-analyze'), 'systemd is not installed');

systemdTest('systemd finds nothing wrong with the unit of the hub package, which has few rights', () => {
  const unit = 'usr/lib/systemd/system/touchpoint-hub.service';
  const verify = spawnSync(
    'systemd-analyze',
    ['verify', '--root', hubMachine, '--man=no', join(hubMachine, unit)],
    { encoding: 'utf8' },
  );
  expect(complaints(verify.stderr)).toEqual([]);
  const rated = spawnSync(
    'systemd-analyze',
    ['security', '--offline=yes', `--root=${hubMachine}`, 'touchpoint-hub.service'],
    { encoding: 'utf8' },
  );
  const [, exposure = '10'] = /exposure level for \S+: ([\d.]+)/.exec(rated.stdout) ?? [];
  expect(Number(exposure)).toBeLessThan(2);
});

systemdTest(
  'systemd finds nothing wrong with the units of the kiosk package, which start the installed program',
  () => {
    for (const unit of units) {
      const path = join(device, 'usr/lib/systemd/system', unit);
      const verify = spawnSync('systemd-analyze', ['verify', '--root', device, '--man=no', path], {
        encoding: 'utf8',
      });
      expect(complaints(verify.stderr)).toEqual([]);
      expect(readFileSync(path, 'utf8')).toContain('/opt/touchpoint-kiosk/bin/touchpoint ');
    }
  },
);

/** Output without messages about units and programs of the system that are not in the package. */
function complaints(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !/Unit \S+ not found|\/usr\/bin\/cage is not executable/.test(line));
}

notRun(
  'the registry signed every package that is installed (npm audit signatures)',
  'the keys for that cannot be fetched here; the checks of the public forge run it',
  'electron',
);
notRun('the kiosk boots into its screen on a machine of its own', 'no machine boots here', 'reader');

/** The browser of the screen. The query is repeated, because the browser may change its page meanwhile. */
async function attach(address: string, tries = 6): Promise<Browser> {
  try {
    return await chromium.connectOverCDP(address, { timeout: 20_000 });
  } catch (error) {
    if (tries === 1) throw error;
    return attach(address, tries - 1);
  }
}

/** The first result of `look` that is not empty. */
async function poll<T>(look: () => T | null | Promise<T | null>): Promise<T> {
  const found: T[] = [];
  const again = async () => {
    const now = await look();
    if (now !== null) found.push(now);
    return found.length;
  };
  await expect.poll(again, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  return found[0] as T;
}
