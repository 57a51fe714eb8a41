/** A device that is restarted repeatedly within a minute, by a loose plug or an impatient user. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readFactLines } from '../../../../src-main/core/journal/facts/fact-lines.ts';
import { createKiosk } from '../../../../src-main/core/kiosk.ts';
import { plainSettings } from '../../../../src-main/core/stand/visit/settings.ts';
import { handClock, ownFolder, rememberingLog } from '../../fixture.ts';
import { chainAt, realRandom } from '../../real-parts.ts';
import { screenOf } from '../../screen.ts';

const STARTS = 40;

it(`a device keeps every tap over ${STARTS} starts in a minute, and adds no file after the second start`, async () => {
  const folder = ownFolder();
  const clock = handClock();
  const log = rememberingLog();
  const badges: string[] = [];
  const files = new Set<string>();
  const start = async (badge: string): Promise<void> => {
    const kiosk = createKiosk({
      ...{ clock, random: realRandom, log, folder, version: '1.0.0' },
      platform: { baseUrl: 'http://127.0.0.1:9/v2', key: 'k', password: '', expoId: 'E1' },
      stand: plainSettings(),
      ...{ drivers: [], demoBadges: [], cardService: 'off' },
    });
    kiosk.start();
    await screenOf(kiosk).taps.enter({ text: badge, source: 'wedge' });
    badges.push(badge);
    expect(kiosk.state().delivery.captured).toBe(badges.length);
    await kiosk.stop();
  };
  for (let number = 0; number < STARTS; number += 1) {
    await start(`04A1B2C3D4E5${(16 + number).toString(16).toUpperCase()}`);
    clock.pass(1_500);
    if (number === 1) for (const name of readdirSync(folder, { recursive: true })) files.add(String(name));
  }
  expect(readdirSync(folder, { recursive: true }).filter((name) => !files.has(String(name)))).toEqual([]);
  const captured = [...(readFactLines(join(folder, 'journal.db')) ?? [])];
  expect(captured.map(({ payload }) => (payload as { badge: string }).badge)).toEqual(badges);
  expect(chainAt(join(folder, 'journal.db'))).toEqual({ facts: STARTS, brokenAt: null });
  expect(log.said.filter(({ level }) => level === 'error')).toEqual([]);
});
