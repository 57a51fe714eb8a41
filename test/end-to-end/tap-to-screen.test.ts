/**
 * The main task with real components: a tag on the virtual reader, the real pcscd, the app as users start it, a real
 * Chromium, the demo platform.
 */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, onTestFinished } from 'vitest';
import { readFactLines } from '../../src-main/core/journal/facts/fact-lines.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { watch } from '../launch/running-app.ts';
import { notRunUnless } from '../not-run.ts';
import { chromiumPath, startBrowser } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { openVirtualReader, type VirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';

const root = join(import.meta.dirname, '../..');
const cardTest = notRunUnless(virtualReader.present, virtualReader.reason);
const AMELIE = '04A1B2C3D4E5F6';

type App = { readonly address: string; readonly demo: { base: string; key: string; expo: string } };

const startAppInside = async (reader: VirtualReader, data: string): Promise<App> => {
  const entry = join(root, 'src-main/launch/main.ts');
  const args = [entry, '--data', data, '--no-open', '--shell', 'browser', '--reader', 'pcsc'];
  const app = watch(reader.spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  const [, base = '', key = '', expo = ''] = await app.line(/^Demo platform: (\S+) key (\S+) expo (\S+)$/);
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  return { address, demo: { base, key, expo } };
};

const openDisplay = async (reader: VirtualReader, address: string): Promise<Page> => {
  const browser = await startBrowser([], reader.wrapper(chromiumPath));
  onTestFinished(() => browser.close());
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    locale: 'en',
    reducedMotion: 'reduce',
  });
  await page.goto(address);
  await page.locator('main[data-view="attract"]').waitFor({ timeout: 40_000 });
  return page;
};

const tapWithTool = (reader: VirtualReader, badge: string, data: string): Promise<string> =>
  reader.run(process.execPath, [join(root, 'src-main/commands/tap.ts'), badge, '--data', data]);

const actionsInside = async (
  reader: VirtualReader,
  { base, key, expo }: App['demo'],
): Promise<{ clientID: string }[]> => {
  const ask = `const r = await fetch('${base}/actions/${expo}?fromRevision=0', { headers: { authorization:
    'Basic ' + Buffer.from('${key}:').toString('base64') } }); process.stdout.write(await r.text());`;
  const text = await reader.run(process.execPath, ['--input-type=module', '-e', ask]);
  const answer: unknown = JSON.parse(text);
  // The app shares the key's two slots with the test, so a 429 is not an answer.
  return Array.isArray(answer) ? (answer as { clientID: string }[]) : [];
};

cardTest(
  'a demo badge on the reader shows the visitor after the commit, and reaches the platform once',
  async () => {
    await buildRenderer();
    const data = join(ownFolder(), 'data');
    await using reader = await openVirtualReader();
    await reader.startService();
    const app = await startAppInside(reader, data);
    const page = await openDisplay(reader, app.address);

    const journalWhenShown: string[] = [];
    await page.exposeFunction('shown', () => {
      journalWhenShown.push(...[...(readFactLines(join(data, 'journal.db')) ?? [])].map((line) => line.id));
    });
    await page.evaluate(`{
      const main = document.querySelector('main');
      new MutationObserver(() => {
        if (main.dataset.view === 'captured') window.shown();
      }).observe(main, { attributes: true, attributeFilter: ['data-view'] });
    }`);

    const said = tapWithTool(reader, AMELIE, data);
    await page.getByText('Amélie B.').first().waitFor({ timeout: 40_000 });
    expect(await page.locator('main').getAttribute('data-view')).toBe('captured');
    expect(await said).toMatch(/^Captured: Amélie B\.(, .*[^.]\.)?$/m);

    const [fact, ...others] = [...(readFactLines(join(data, 'journal.db')) ?? [])];
    expect(others).toEqual([]);
    expect(fact).toMatchObject({ kind: 'tap', source: 'nfc', payload: { badge: AMELIE } });
    expect(journalWhenShown).toContain(fact?.id);
    await until('the platform returns the action', async () => {
      const mine = (await actionsInside(reader, app.demo)).filter((action) => action.clientID === fact?.id);
      return mine.length === 1;
    });
  },
  120_000,
);

cardTest(
  'phone, torn badge, unknown badge and repeat have their own screens; a killed card service returns',
  async () => {
    await buildRenderer();
    const data = join(ownFolder(), 'data');
    await using reader = await openVirtualReader();
    const app = await startAppInside(reader, data);
    const page = await openDisplay(reader, app.address);
    const stage = (name: string) => page.locator(`main[data-view="${name}"]`).waitFor({ timeout: 40_000 });

    // The service was missing at the start. It appears, and from then on taps are captured.
    await reader.startService();
    await tapWithTool(reader, 'walkin', data);
    await stage('captured');
    const unknown = [...(readFactLines(join(data, 'journal.db')) ?? [])];
    expect(unknown).toHaveLength(1);

    const phone = tapWithTool(reader, 'phone', data);
    await stage('refused');
    expect(await phone).toMatch(/phone/i);
    const torn = tapWithTool(reader, 'torn', data);
    await stage('notRead');
    await torn;

    await reader.killService();
    await reader.startService();
    await tapWithTool(reader, AMELIE, data);
    await page.getByText('Amélie B.').first().waitFor();
    // Within the window of the first tap the badge is treated as resting. The tap after that is a second one.
    await expect
      .poll(() => tapWithTool(reader, AMELIE, data), { timeout: 60_000, interval: 500 })
      .toMatch(/again|connected/i);
    const badges = [...(readFactLines(join(data, 'journal.db')) ?? [])].map((line) => line.payload?.badge);
    expect(badges).toEqual(['04990000DEAD02', AMELIE, AMELIE]);
  },
  180_000,
);
