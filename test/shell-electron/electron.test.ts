/**
 * The Electron shell in a real Electron: the suite of every shell and the main journeys. Needs Electron's runtime, a
 * display and the bundles (`npx vite build --app`); `.github/workflows/electron.yml` has all three.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { ownFolder } from '../core/fixture.ts';
import { notRunUnless } from '../not-run.ts';
import { pageBehaviours } from '../page/page-suite.ts';
import { openHub } from '../provision/hub-double.ts';

const root = join(import.meta.dirname, '..', '..');

/** Electron's binary, or null when the runtime was not fetched. */
function electronBinary(): string | null {
  const note = join(root, 'node_modules', 'electron', 'path.txt');
  if (!existsSync(note)) return null;
  const binary = join(root, 'node_modules', 'electron', 'dist', readFileSync(note, 'utf8').trim());
  return existsSync(binary) ? binary : null;
}

const binary = electronBinary();
const isDesktop = process.platform === 'win32' || process.platform === 'darwin';
const display = isDesktop || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
const present = binary !== null && display;
const reason = binary === null ? "Electron's runtime is not here" : 'there is no display';
const windowTest = notRunUnless(present, reason, 'electron');

let folder: string;
let app: ElectronApplication;

beforeAll(async () => {
  if (!present) return;
  folder = await mkdtemp(join(tmpdir(), 'touchpoint electron ü '));
  app = await _electron.launch({
    executablePath: binary,
    args: [root, '--data', folder, '--reader', 'none'],
    env: { ...process.env, TOUCHPOINT_NODE: process.execPath },
  });
});

afterAll(async () => {
  if (!present) return;
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const view = (page: Page, name: string) => page.locator(`main[data-view="${name}"]`).waitFor();

for (const { title, check } of pageBehaviours) {
  windowTest(`Electron shell: the page ${title}`, async () => {
    const page = await app.firstWindow();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.reload();
    await check({ page, complaints });
  });
}

windowTest('Electron shell: a demo badge is captured', async () => {
  const page = await app.firstWindow();
  await page.reload();
  await view(page, 'attract');
  await page.getByRole('button', { name: 'Demo badges' }).click();
  await page.getByRole('button', { name: 'Amélie B.' }).click();
  await view(page, 'captured');
});

windowTest(
  'Electron shell: the preload gives the page only `connect`, and the process of the page is sandboxed',
  async () => {
    const page = await app.firstWindow();
    expect(await page.evaluate('Object.keys(window.touchpoint)')).toEqual(['connect']);
    const sandboxes = await app.evaluate(({ app: electron }) =>
      electron.getAppMetrics().flatMap(({ type, sandboxed }) => (type === 'Tab' ? [sandboxed] : [])),
    );
    // Linux does not report the sandbox.
    if (isDesktop) expect(sandboxes).toEqual([true]);
  },
);

windowTest('Electron shell: a compromised page cannot navigate away or open a window', async () => {
  const page = await app.firstWindow();
  await page.evaluate(`{
    window.open('https://evil.example/');
    location.href = 'https://evil.example/';
  }`);
  await view(page, 'attract');
  expect([page.url(), app.windows().length]).toEqual(['app://touchpoint/', 1]);
});

windowTest(
  'Electron shell: the file of a hub opens its preview, at the start and while the app runs',
  async () => {
    const [hub, other] = [await openHub(), await openHub()];
    const place = ownFolder();
    const [first = '', second = ''] = [hub, other].map((one, index) => {
      const file = join(place, `T0${index} Left.touchpoint`);
      writeFileSync(file, one.file(['D01']));
      return file;
    });
    const args = [root, '--data', join(place, 'data'), '--reader', 'none'];
    const env = { ...process.env, TOUCHPOINT_NODE: process.execPath };
    const opened = await _electron.launch({ executablePath: binary ?? '', args: [...args, first], env });
    onTestFinished(() => opened.close());
    const page = await opened.firstWindow();
    await page.getByText(hub.fingerprint).waitFor();
    spawn(binary ?? '', [...args, second], { env, stdio: 'ignore' });
    await page.getByText(other.fingerprint).waitFor();
    expect(existsSync(join(place, 'data', 'platform.json'))).toBe(false);
  },
);

windowTest('Electron shell: a page whose process crashes is loaded again', async () => {
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  await expect
    .poll(() =>
      app.evaluate(async ({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        return window?.webContents.executeJavaScript("document.querySelector('main')?.dataset.view ?? ''");
      }),
    )
    .toBe('attract');
});
