/**
 * `npm run bench -- tap-to-paint`: from the card's last answer to the reader until the visitor's result is painted, with
 * 100,000 mirrored visitors; beside it, in the same browser, a bare page that paints a word it is sent.
 *
 * Invariants: virtual reader, pcscd, the app as it is started, Chromium: one path, nothing left out; both times come
 * from one machine's clock; painted means that the frame with the result has been handed over, not that it was asked
 * for; a tap whose result does not come, or comes without the visitor's name, fails the bench.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import kioskFlags from '../../setup/kiosk-flags.json' with { type: 'json' };
import { watch } from '../launch/running-app.ts';
import { chromiumPath, startBrowser } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { openVirtualReader, type VirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';
import { quantileRows, type Row } from './figures.ts';

const VISITORS = 100_000;
const TAPS = 60;
const WARM_UP = 5;
const BETWEEN_MS = 1_200;

const root = join(import.meta.dirname, '../..');

/**
 * `window.painted` becomes the time at which the frame with the next change to `isThere` was handed over: a message
 * posted from within the frame's callback is heard when the frame is done.
 */
const observe = (target: string, isThere: string): string => `{
  window.painted = 0;
  window.wasThere = false;
  new MutationObserver(() => {
    const isThere = ${isThere};
    if (isThere && !window.wasThere) requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { window.painted = performance.timeOrigin + performance.now(); };
      port2.postMessage(0);
    });
    window.wasThere = isThere;
  }).observe(${target}, { attributes: true, subtree: true, childList: true, characterData: true });
}`;

const paintOf = async (page: Page): Promise<number> => {
  for (let asked = 0; asked < 1_000; asked += 1) {
    const painted: unknown = await page.evaluate('window.painted');
    if (typeof painted === 'number' && painted > 0) return painted;
    await delay(5);
  }
  throw new Error('Expected a result to be painted within 5 s');
};

/** A badge; `called`: the names of which the screen shows one. */
type Badge = { readonly code: string; readonly called: readonly string[] };

/** So many badges of different visitors, from all over the event. */
const badgesOf = async (reader: VirtualReader, base: string, key: string): Promise<readonly Badge[]> => {
  const ask = `const headers = { authorization: 'Basic ' + Buffer.from('${key}:').toString('base64') };
    const found = [];
    for (let from = 1; found.length < ${TAPS + WARM_UP}; from += ${Math.floor(VISITORS / (TAPS + WARM_UP + 5))}) {
      const answer = await fetch('${base}/visitors/AD2026?limit=20&fromRevision=' + from, { headers });
      for (const { firstName, lastName, badges } of await answer.json()) {
        const code = badges?.find(({ type }) => type === 'nfc')?.code;
        if (!code || !/^04[0-9A-F]{12}$/.test(code) || !firstName || firstName.length > 20) continue;
        found.push({ code, called: [firstName, lastName] });
        break;
      }
    }
    process.stdout.write(JSON.stringify(found));`;
  return JSON.parse(await reader.run(process.execPath, ['--input-type=module', '-e', ask])) as Badge[];
};

/** The platform and the app inside the reader's corner, with every visitor mirrored. */
const startAll = async (reader: VirtualReader, folder: string) => {
  const inside = (args: readonly string[], stdin: 'ignore' | 'pipe' = 'ignore'): ChildProcess =>
    reader.spawn(process.execPath, args, { stdio: [stdin, 'pipe', 'pipe'] });
  const entry = join(root, 'src-platform/main.ts');
  const data = join(folder, 'platform');
  const platform = watch(
    inside([entry, '--port', '0', '--data', data, '--seed', String(VISITORS), '--log', join(folder, 'log')]),
  );
  const [, base = ''] = await platform.line(/^Platform: (\S+)$/);
  const made = await reader.run(process.execPath, [
    entry,
    'keys',
    'add',
    '--data',
    data,
    '--name',
    'bench',
    '--write',
  ]);
  const key = made.trim().split('\n').at(-1) ?? '';
  const app = watch(
    inside([
      ...kioskFlags,
      join(root, 'src-main/launch/main.ts'),
      ...['--data', join(folder, 'app'), '--no-open', '--shell', 'browser', '--reader', 'pcsc'],
      ...['--platform', base, '--key', key, '--expo', 'AD2026'],
    ]),
  );
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  const painter = inside([join(import.meta.dirname, 'bare-painter.ts')], 'pipe');
  return { base, key, address, painter };
};

/** Milliseconds from the bare server's sending to the bare page's painting. */
const measureBare = async (browser: Browser, painter: ChildProcess): Promise<readonly number[]> => {
  if (painter.stdout === null) throw new Error('The bare server has no output');
  const lines = createInterface({ input: painter.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<number> => Number((await lines.next()).value);
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  const port = await next();
  await page.evaluate(`{
    document.body.innerHTML = '<main></main>';
    new WebSocket('ws://127.0.0.1:${port}').onmessage = ({ data }) => { document.querySelector('main').textContent = data; };
  }`);
  await delay(500);
  await page.evaluate(observe('document.body', `document.body.innerText.startsWith('shown')`));
  const times: number[] = [];
  for (let turn = 0; turn < TAPS + WARM_UP; turn += 1) {
    painter.stdin?.write('away\n');
    await next();
    await delay(100);
    await page.evaluate('window.painted = 0');
    painter.stdin?.write(`shown ${turn}\n`);
    const sent = await next();
    times.push((await paintOf(page)) - sent);
  }
  await page.close();
  return times.slice(WARM_UP);
};

/** Milliseconds from the card's last answer to the painted result. */
const measureTaps = async (
  reader: VirtualReader,
  browser: Browser,
  address: string,
  badges: readonly Badge[],
): Promise<readonly number[]> => {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, locale: 'en' });
  await page.goto(address);
  await page.locator('main[data-view="attract"]').waitFor({ timeout: 120_000 });
  await page.evaluate(
    observe(`document.querySelector('main')`, `document.querySelector('main').dataset.view === 'captured'`),
  );
  const times: number[] = [];
  for (const { code, called } of badges) {
    await page.evaluate('window.painted = 0');
    await reader.insert({ kind: 'type2', uid: code });
    const painted = await paintOf(page);
    const headline = await page.locator('h1').innerText();
    if (!called.some((name) => headline.includes(name)))
      throw new Error(`Expected "${headline}" to greet ${called.join(' ')}`);
    const answered = await reader.answeredAt();
    if (answered === null) throw new Error('Expected the card to have been asked');
    times.push(painted - answered);
    await reader.remove();
    await delay(BETWEEN_MS);
  }
  await page.close();
  return times.slice(WARM_UP);
};

/** The figures of this bench. */
export async function* bench(): AsyncGenerator<Row> {
  if (!virtualReader.present) {
    process.stderr.write(`Not measured, because ${virtualReader.reason}.\n`);
    return;
  }
  await buildRenderer();
  const folder = mkdtempSync(join(tmpdir(), 'touchpoint-tap-to-paint-'));
  await using reader = await openVirtualReader();
  await reader.startService();
  const { base, key, address, painter } = await startAll(reader, folder);
  const badges = await badgesOf(reader, base, key);
  const browser = await startBrowser([], reader.wrapper(chromiumPath));
  try {
    const painted = await measureTaps(reader, browser, address, badges);
    const bare = await measureBare(browser, painter);
    yield* quantileRows(
      'tap-to-paint',
      `card's answer to painted result, ${VISITORS} visitors,`,
      'ms',
      painted,
      bare,
    );
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
