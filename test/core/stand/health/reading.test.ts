/** The state of the stand for an app update, read from a complete device with real databases. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { readFactLines } from '../../../../src-main/core/journal/facts/fact-lines.ts';
import { createKiosk } from '../../../../src-main/core/kiosk.ts';
import { plainSettings } from '../../../../src-main/core/stand/visit/settings.ts';
import { handClock, ownFolder, rememberingLog } from '../../fixture.ts';
import { realRandom } from '../../real-parts.ts';
import { screenOf } from '../../screen.ts';

const openKiosk = (folder: string, clock = handClock()) => {
  const kiosk = createKiosk({
    ...{ clock, random: realRandom, log: rememberingLog(), folder, version: '1.0.0' },
    platform: { baseUrl: 'https://p.example/v2', key: 'k', password: '', expoId: 'E1' },
    stand: plainSettings(),
    ...{ drivers: [], demoBadges: [], cardService: 'off' },
  });
  onTestFinished(kiosk.stop);
  return kiosk;
};

it('the state for an update has the waiting facts and the time of the last one, and a backup has all of them', async () => {
  const folder = ownFolder();
  const clock = handClock();
  const kiosk = openKiosk(folder, clock);
  expect(kiosk.update.moment()).toEqual({ fair: 'unknown', lastFactAt: null, waiting: 0 });
  const { taps } = screenOf(kiosk);
  for (const text of ['04A1B2C3D4E5F6', '04B2C3D4E5F607']) {
    clock.pass(60_000);
    await taps.enter({ text, source: 'wedge' });
  }
  expect(kiosk.update.moment()).toEqual({ fair: 'unknown', lastFactAt: clock.now(), waiting: 2 });
  // Two concurrent calls share one backup. Otherwise both would write the same file.
  const [one, two] = await Promise.all([kiosk.update.backUp(), kiosk.update.backUp()]);
  expect([one, two]).toEqual([true, true]);
  expect(readdirSync(join(folder, 'backup'))).toEqual(['journal-1.db']);
  const backup = join(folder, 'backup', 'journal-1.db');
  expect([...(readFactLines(backup) ?? [])].map(({ kind }) => kind)).toEqual(['tap', 'tap']);
});

it('the state for an update has the days of the fair as last received from the platform', () => {
  const folder = ownFolder();
  const start = Date.UTC(2026, 10, 21);
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  const event = { id: 'E1', start, end: start + 1, discoverUrl: null, name: 'Fair', timezone: 'UTC' };
  mirror.setMetadata('event', JSON.stringify(event));
  mirror.close();
  expect(openKiosk(folder).update.moment().fair).toEqual({ start, end: start + 1 });
});
