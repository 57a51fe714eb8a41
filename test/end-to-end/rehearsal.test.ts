/**
 * The rehearsal as a technician runs it the evening before, with a real Chromium, the app as users start
 * it, the real pcscd with a virtual reader, and the platform in its own process. The unplugged reader,
 * the stopped platform and the killed app are real. The app itself simulates the full disk and the wrong
 * clock. The device gives every verdict; the test only does what the page requests.
 */
import type { SpawnOptions } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, onTestFinished } from 'vitest';
import { readFactLines } from '../../src-main/core/journal/facts/fact-lines.ts';
import { ownFolder } from '../core/fixture.ts';
import { chainAt } from '../core/real-parts.ts';
import { type RunningApp, watch } from '../launch/running-app.ts';
import { notRunUnless } from '../not-run.ts';
import { chromiumPath, startBrowser } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { killInside } from '../virtual-reader/namespace.ts';
import { openVirtualReader, type VirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';

const root = join(import.meta.dirname, '../..');
const cardTest = notRunUnless(virtualReader.present, virtualReader.reason);
const KNOWN = '04A1B2C3D4E5F6';
const UNKNOWN = '04990000DEAD02';
const OTHER = '04990000DEAD01';
/** The device normally polls its platform every half minute. */
const PATIENCE = 120_000;
const QUIET: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'] };

/** A platform that the test can stop and start, and an app that uses it. */
async function openEvening(reader: VirtualReader) {
  const data = ownFolder();
  const startPlatform = async (): Promise<RunningApp> => {
    const place = ['--port', '8811', '--data', join(data, 'platform'), '--log', join(data, 'platform-log')];
    const args = [join(root, 'src-platform/main.ts'), ...place, '--seed', 'demo'];
    const started = watch(reader.spawn(process.execPath, args, QUIET));
    await started.line(/^Demo platform: /);
    return started;
  };
  const stand = join(data, 'stand');
  mkdirSync(stand);
  writeFileSync(join(stand, 'stand.json'), '{ "touchpoint": "AD2026T01" }');
  const about = [
    '--platform',
    'http://127.0.0.1:8811/create/v2',
    '--key',
    'demo-key-touchpoint',
    '--expo',
    'AD2026',
  ];
  const startApp = async () => {
    const options = [
      '--data',
      stand,
      '--no-open',
      '--shell',
      'browser',
      '--reader',
      'pcsc',
      '--port',
      '4801',
    ];
    const args = [join(root, 'src-main/launch/main.ts'), ...options, ...about];
    const app = watch(reader.spawn(process.execPath, args, QUIET));
    const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
    return { app, address };
  };
  const end = async ({ child, ended }: RunningApp) => {
    killInside(child);
    await ended;
  };
  const newPin = async (...who: readonly string[]) => {
    const command = join(root, 'src-main/commands/staff-pin.ts');
    const said = await reader.run(process.execPath, [command, '--data', stand, ...who]);
    return /\d{6}/.exec(said)?.[0] ?? '';
  };
  await newPin();
  return { stand, startPlatform, startApp, end, pin: await newPin('--technician') };
}

/**
 * Opens the health page, behind the technician's PIN. `name`: the name of the first team member, while the team is
 * empty.
 */
async function goToHealth(page: Page, address: string, pin: string, name?: string): Promise<void> {
  await page.goto(address);
  await page.locator('main[data-view="attract"]').waitFor();
  await page.keyboard.press('F2');
  await page.getByLabel('PIN').waitFor();
  await page.keyboard.type(pin);
  await page.keyboard.press('Enter');
  if (name !== undefined) {
    await page.getByLabel('Your name').fill(name);
    await page.keyboard.press('Enter');
  }
  await page.locator('a[href="#/staff/health"]').click();
}

cardTest(
  'a technician rehearses: the device survives every fault, the sheet says so, and no sample is a lead',
  async () => {
    await buildRenderer();
    await using reader = await openVirtualReader();
    await reader.startService();
    const evening = await openEvening(reader);
    const platform = await evening.startPlatform();
    const first = await evening.startApp();
    const browser = await startBrowser([], reader.wrapper(chromiumPath));
    onTestFinished(() => browser.close());
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      locale: 'en',
      reducedMotion: 'reduce',
    });
    page.setDefaultTimeout(PATIENCE);
    const asks = (words: string) => page.locator('.rehearsal-do').filter({ hasText: words }).waitFor();
    const lay = async (uid: string) => {
      await reader.insert({ kind: 'type2', uid });
      await expect.poll(() => reader.identifiedAt(), { timeout: PATIENCE }).not.toBeNull();
    };
    await goToHealth(page, first.address, evening.pin, 'Mira');
    await page.getByRole('button', { name: 'Begin a rehearsal' }).click();

    await asks('Lay a badge on the reader that is registered');
    await lay(KNOWN);
    await asks('Lay any other card');
    await reader.remove();
    await lay(UNKNOWN);
    await asks('Pull the reader');
    await reader.remove();
    await reader.unplug();
    await asks('It was noticed. Plug it in again.');
    await reader.restartService();
    await asks('Cut the network');
    await evening.end(platform);
    await asks('It was noticed. Lay a badge');
    // It is not one of the earlier badges, because so soon those would still count as resting.
    await lay(OTHER);
    await asks('Give it the network back');
    await reader.remove();
    await evening.startPlatform();
    await asks('The disk now says that it is full');
    await lay(UNKNOWN);
    await asks('There is room again');
    await reader.remove();
    await lay(UNKNOWN);
    await asks('Kill the app');
    await reader.remove();
    await evening.end(first.app);

    const second = await evening.startApp();
    await goToHealth(page, second.address, evening.pin);
    await page.getByRole('button', { name: 'Continue the rehearsal' }).click();
    const verdict = page.locator('.rehearsal-verdict');
    await verdict.waitFor();
    expect(await verdict.innerText()).toMatch(/^Go/);
    expect(await page.locator('.rehearsal-sheet tr[data-state]').allInnerTexts()).toEqual([
      expect.stringMatching(/^A badge the event knows\s+Passed$/),
      expect.stringMatching(/^A badge nobody knows\s+Passed$/),
      expect.stringMatching(/^Reader unplugged and back\s+Passed · after \d+ s$/),
      expect.stringMatching(/^Network cut and back\s+Passed · after \d+ s$/),
      expect.stringMatching(/^Full disk\s+Passed · simulated · after \d+ s$/),
      expect.stringMatching(/^Wrong clock\s+Passed · simulated · after \d+ s$/),
      expect.stringMatching(/^App killed and back\s+Passed · after \d+ s$/),
    ]);
    expect(readdirSync(join(evening.stand, 'rehearsals'))).toHaveLength(1);
    const journal = join(evening.stand, 'journal.db');
    // Known, unknown, without a network, and after the full disk: each tap was undone.
    const kinds = [...(readFactLines(journal) ?? [])].map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['tap', 'tap', 'tap', 'tap', 'undo', 'undo', 'undo', 'undo']);
    expect(chainAt(journal)).toEqual({ facts: 8, brokenAt: null });
  },
  360_000,
);
