/**
 * From a tap to the painted result with real components: virtual reader, pcscd, the app, Chromium. At the same time a
 * bare nfc-pcsc program receives the same card. Badges that are known by their UID alternate with badges whose NDEF
 * message identifies the visitor. Both kinds carry the same message.
 *
 * Invariants:
 * - All three times are from the wall clock of one machine.
 * - A tap without a painted result, or without the visitor's name, fails the bench.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { ndefMessage, textRecord, uriRecord } from '../core/foundations/badge/ndef-bytes.ts';
import { chromiumPath, startBrowser } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { openVirtualReader } from '../virtual-reader/virtual-reader.ts';
import { expectPaint, observeCaptured, paintOf } from './painted.ts';
import { type Badge, startTappedApp } from './tapped-app.ts';

const VISITORS = 2_000;
const WARM_UP = 2;
const BETWEEN_MS = 1_200;

/** How the visitor of a badge is found. */
export const KNOWN_BY = ['uid', 'ndef'] as const;
type KnownBy = (typeof KNOWN_BY)[number];

/** Milliseconds from the moment the badge is laid on the reader. */
export type PaintTimes = { readonly painted: readonly number[]; readonly bareCard: readonly number[] };

const nextOf = async (events: readonly number[], seen: number): Promise<number> => {
  for (let asked = 0; asked < 300; asked += 1) {
    const event = events[seen];
    if (event !== undefined) return event;
    await delay(10);
  }
  throw new Error('Expected the bare program to receive the card, too');
};

/** An address with the visitor's id and a line of text, 90 bytes or more, as on badges of fairs. */
const messageOf = ({ id, called }: Badge): string =>
  Buffer.from(
    ndefMessage(uriRecord(4, `badge.example/b/${id}`), textRecord(called.join(' ').padEnd(60, '.'))),
  )
    .toString('hex')
    .toUpperCase();

const uidOf = (badge: Badge, by: KnownBy, tap: number): string =>
  by === 'uid' ? badge.code : `04BE${(tap + 4096).toString(16).padStart(10, '0')}`.toUpperCase();

/** Taps `taps` different badges of each kind, one after the other. */
export const measurePaint = async (taps: number): Promise<Readonly<Record<KnownBy, PaintTimes>>> => {
  await buildRenderer();
  const folder = mkdtempSync(join(tmpdir(), 'touchpoint-paint-'));
  await using reader = await openVirtualReader();
  await reader.startService();
  const app = await startTappedApp(reader, folder, VISITORS);
  const badges = await app.badges((taps + WARM_UP) * KNOWN_BY.length);
  const bare = reader.spawn(process.execPath, [join(import.meta.dirname, 'bare-card.ts')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const cardEvents: number[] = [];
  if (bare.stdout !== null)
    createInterface({ input: bare.stdout }).on('line', (line) => cardEvents.push(Number(line)));
  const browser = await startBrowser([], reader.wrapper(chromiumPath));
  const times = {
    uid: { painted: [] as number[], bareCard: [] as number[] },
    ndef: { painted: [] as number[], bareCard: [] as number[] },
  };
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, locale: 'en' });
    await page.goto(app.address);
    await page.locator('main[data-view="attract"]').waitFor({ timeout: 120_000 });
    await page.evaluate(observeCaptured);
    await delay(2_000);
    for (const [tap, badge] of badges.entries()) {
      const by = KNOWN_BY[tap % KNOWN_BY.length] ?? 'uid';
      const seen = cardEvents.length;
      await expectPaint(page);
      const laid = Date.now();
      await reader.insert({ kind: 'type2', uid: uidOf(badge, by, tap), ndef: messageOf(badge) });
      const paint = await paintOf(page);
      const card = await nextOf(cardEvents, seen);
      const headline = await page.locator('h1').innerText();
      if (!badge.called.some((name) => headline.includes(name)))
        throw new Error(`Expected "${headline}" to greet ${badge.called.join(' ')}`);
      if (tap >= WARM_UP * KNOWN_BY.length) {
        times[by].painted.push(paint - laid);
        times[by].bareCard.push(card - laid);
      }
      await reader.remove();
      await delay(BETWEEN_MS);
    }
    return times;
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
