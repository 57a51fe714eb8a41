/**
 * The whole Electron shell with a fake of Electron around a real Chromium: the suite of both shells, a tap, and processes
 * that crash, hang and are killed. `electron.test.ts` tests what only Electron itself shows.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect } from 'vitest';
import { readFactLines } from '../../src-main/core/journal/facts/fact-lines.ts';
import { PAGE_ADDRESS, SAFE_ADDRESS } from '../../src-main/shell-electron/policies/own-page.ts';
import { notRunUnless } from '../not-run.ts';
import { pageBehaviours } from '../page/page-suite.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { inside } from './fakes/browser-window.ts';
import { startShellUnderTest } from './shell-under-test.ts';

const present = existsSync('/usr/bin/chromium');
const shellTest = notRunUnless(present, 'Chromium is not installed');
const AMELIE = '04A1B2C3D4E5F6';
const readers = join(import.meta.dirname, 'fakes', 'reader-child.ts');

/** For a busy machine. */
const SLOW = { timeout: 100_000 };

let folder: string;
let shell: ReturnType<typeof startShellUnderTest>;

beforeAll(async () => {
  if (!present) return;
  await buildRenderer();
  // A path with spaces and a non-ASCII letter, as users have.
  folder = await mkdtemp(join(tmpdir(), 'touchpoint shell ü '));
  shell = startShellUnderTest(folder, { args: ['--demo', '--reader', 'pcsc'], places: { reader: readers } });
  await shell.ready();
});

afterAll(async () => {
  if (!present) return;
  await shell.end();
  await rm(folder, { recursive: true, force: true });
});

const view = (page: Page, name: string) => page.locator(`main[data-view="${name}"]`).waitFor();

/** Places a badge on the reader, whose process may have been replaced. */
async function tap(uid: string): Promise<void> {
  await expect.poll(() => shell.process('badge reader') !== undefined).toBe(true);
  shell.process('badge reader')?.postMessage({ kind: 'tap', uid });
}

/** Kills the process of that name with SIGKILL; returns its id. */
function kill(name: string): number {
  const pid = shell.process(name)?.pid;
  if (pid === undefined) throw new Error(`There is no process ${name}`);
  process.kill(pid, 'SIGKILL');
  return pid;
}

/** The page of the window, after it was loaded again and became idle. */
async function atRest(): Promise<Page> {
  const { contents } = await shell.page();
  await contents.load(PAGE_ADDRESS);
  const { page } = await shell.page();
  await view(page, 'attract');
  return page;
}

for (const { title, check } of pageBehaviours) {
  shellTest(`Electron shell with a fake of Electron: the page ${title}`, async () => {
    const { page, contents } = await shell.page();
    contents.complaints.length = 0;
    await contents.load(PAGE_ADDRESS);
    await check({ page, complaints: contents.complaints });
  });
}

shellTest('a badge on the reader is captured, and the visitor is greeted', async () => {
  const page = await atRest();
  await tap(AMELIE);
  await view(page, 'captured');
  await page.getByText('Amélie B.').first().waitFor();
});

shellTest('the page gets only `connect`, and no part of Electron', async () => {
  const page = await atRest();
  const given = await page.evaluate(
    '({ keys: Object.keys(window.touchpoint), frozen: Object.isFrozen(window.touchpoint), electron: typeof window.electron })',
  );
  expect(given).toEqual({ keys: ['connect'], frozen: true, electron: 'undefined' });
});

shellTest(
  'a compromised page cannot navigate away, open a window or connect from another frame',
  async () => {
    const page = await atRest();
    const { contents } = await shell.page();
    const asked: string[] = [];
    shell.ipcMain.on('touchpoint:connect', () => asked.push('own'));
    await page.evaluate(`(async () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    frame.contentWindow.location.href = 'https://evil.example/frame';
    window.open('https://evil.example/window');
    window.open('/');
    location.href = 'https://evil.example/away';
  })()`);
    const away = ['https://evil.example/window', 'https://evil.example/away'];
    await expect.poll(() => contents.refused).toEqual(expect.arrayContaining(away));
    await expect.poll(() => page.context().pages().length).toBe(1);
    expect(inside(page.url())).toBe(PAGE_ADDRESS);
    expect(asked).toEqual([]);
    // A message from another sender is ignored.
    const answered: unknown[] = [];
    const sender = { postMessage: (...given: unknown[]) => answered.push(given) };
    for (const senderFrame of [
      null,
      { url: 'https://evil.example/', parent: null },
      { url: PAGE_ADDRESS, parent: {} },
    ]) {
      shell.ipcMain.emit('touchpoint:connect', { sender, senderFrame });
    }
    expect(answered).toEqual([]);
    contents.complaints.length = 0;
  },
);

shellTest('a text is copied to the clipboard at a touch', async () => {
  const page = await atRest();
  await page.evaluate(`addEventListener('pointerdown', () => {
    window.copying = navigator.clipboard.writeText('A-17').then(() => 'copied', (error) => error.name);
  }, { once: true })`);
  await page.mouse.click(4, 4);
  expect(await page.evaluate('window.copying')).toBe('copied');
});

shellTest('a download from our page is saved, and one from elsewhere is cancelled', async () => {
  const page = await atRest();
  const cancelled: string[] = [];
  const offer = async (address: string) => {
    let stopped = false;
    const item = { getURL: () => address, getFilename: () => 'leads.xlsx', setSavePath: () => undefined };
    shell.defaultSession.emit('will-download', { preventDefault: () => (stopped = true) }, item);
    if (stopped) cancelled.push(address);
  };
  const downloaded = page.waitForEvent('download');
  await page.evaluate(`{
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(new Blob(['a lead']));
    anchor.download = 'leads.csv';
    anchor.click();
  }`);
  const download = await downloaded;
  expect([download.suggestedFilename(), await download.failure()]).toEqual(['leads.csv', null]);
  for (const address of ['https://evil.example/x.exe', 'data:text/plain,x', 'blob:https://evil.example/1'])
    await offer(address);
  expect(cancelled).toHaveLength(3);
});

shellTest(
  'a badge that is read after the page has crashed is captured, and the page is loaded again',
  async () => {
    await atRest();
    const { contents, window } = await shell.page();
    const facts = () => [...(readFactLines(join(folder, 'journal.db')) ?? [])].length;
    const [before, captured] = [window.addresses.length, facts()];
    const release = contents.hold();
    await contents.kill();
    await expect.poll(() => window.addresses.length).toBeGreaterThan(before);
    await tap('04B7C8D9EAFB01');
    await expect.poll(facts).toBeGreaterThan(captured);
    release();
    const { page } = await shell.page();
    await page.locator('main[data-view]:not([data-view="connecting"])').waitFor();
  },
);

shellTest('a page that hangs is ended and loaded again', async () => {
  const page = await atRest();
  const { window } = await shell.page();
  const before = window.addresses.length;
  const hangs = page.waitForEvent('console', (message) => message.text() === 'it hangs');
  void page.evaluate("console.info('it hangs'); for (;;);").catch(() => undefined);
  await hangs;
  window.emit('unresponsive');
  await expect.poll(() => window.addresses.length).toBeGreaterThan(before);
  await view((await shell.page()).page, 'attract');
});

shellTest(
  'a core that is killed is reported and restarted, and then captures again',
  async () => {
    const page = await atRest();
    const said = shell.complaints.length;
    const reader = shell.process('badge reader')?.pid;
    kill('core');
    await expect.poll(() => shell.complaints.slice(said).join()).toContain('The core of Touchpoint ended');
    // Core and demo platform start in between.
    await expect.poll(() => shell.process('badge reader')?.pid ?? reader, SLOW).not.toBe(reader);
    await tap('04C1D2E3F4A5B6');
    await view(page, 'captured');
  },
  180_000,
);

shellTest('a reader process that is killed is started again', async () => {
  await atRest();
  const before = kill('badge reader');
  await expect.poll(() => shell.process('badge reader')?.pid ?? before).not.toBe(before);
});

shellTest(
  'after repeated crashes of the page the shell shows the safe page, and its link loads the page again',
  async () => {
    const { window } = await shell.page();
    const shows = () => window.addresses.at(-1);
    for (let crash = 0; crash < 10 && shows() !== SAFE_ADDRESS; crash += 1) {
      const { contents } = await shell.page();
      const before = window.addresses.length;
      await contents.kill();
      await expect.poll(() => window.addresses.length).toBeGreaterThan(before);
    }
    expect(shows()).toBe(SAFE_ADDRESS);
    const { page } = await shell.page();
    await page.getByText('Every captured badge is safe.').waitFor();
    await page.getByRole('link', { name: 'Try again' }).click();
    await view(page, 'attract');
  },
);

shellTest('quitting ends the app with code 0, and every process that it started', async () => {
  const pids = [...shell.utilities].map(({ pid }) => pid);
  expect(pids.length).toBeGreaterThanOrEqual(3);
  shell.app.quit();
  await shell.exited();
  expect(shell.app.exitCode).toBe(0);
  await expect.poll(() => shell.utilities.size).toBe(0);
});
