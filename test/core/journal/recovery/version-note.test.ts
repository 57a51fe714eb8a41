/** A new version's report about the facts that the previous version left. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openVersionNote, VERSION_FILE } from '../../../../src-main/core/journal/recovery/version-note.ts';
import { createKiosk } from '../../../../src-main/core/kiosk.ts';
import { plainSettings } from '../../../../src-main/core/stand/visit/settings.ts';
import { ownFolder, rememberingLog } from '../../fixture.ts';
import { realClock, realRandom } from '../../real-parts.ts';
import { screenOf } from '../../screen.ts';

const openNote = (folder: string, version: string, facts: number, log = rememberingLog()) => {
  const note = openVersionNote({ folder, log, version, facts: () => facts, schema: () => 1 });
  return { ...note, log };
};

/** A device with a given version in a folder, without running loops. */
const openKiosk = (folder: string, version: string) => {
  const kiosk = createKiosk({
    ...{ clock: realClock, random: realRandom, log: rememberingLog(), folder, version },
    platform: { baseUrl: 'https://p.example/v2', key: 'k', password: '', expoId: 'E1' },
    stand: plainSettings(),
    ...{ drivers: [], demoBadges: [], cardService: 'off' },
  });
  const check = () => kiosk.health().checks.find(({ name }) => name === 'version');
  return { kiosk, check };
};

it('compares a real journal from one version to the next, and reports the result until the version after that', async () => {
  const folder = ownFolder();
  const first = openKiosk(folder, '1.0.0');
  expect(first.check()).toMatchObject({ verdict: 'good', change: null });
  const { taps } = screenOf(first.kiosk);
  for (const text of ['04A1B2C3D4E5F6', '04B2C3D4E5F607', '04C3D4E5F60718']) {
    await taps.enter({ text, source: 'wedge' });
  }
  expect(first.kiosk.state().delivery.captured).toBe(3);
  await first.kiosk.stop();

  const all = { name: 'version', verdict: 'good', change: { from: '1.0.0', left: 3, found: 3 } };
  for (const _start of ['the first of it', 'a later one']) {
    const second = openKiosk(folder, '1.1.0');
    expect(second.check()).toEqual(all);
    await second.kiosk.stop();
  }

  for (const name of readdirSync(folder)) if (name.startsWith('journal.')) rmSync(join(folder, name));
  rmSync(join(folder, 'backup'), { recursive: true });
  const third = openKiosk(folder, '1.2.0');
  onTestFinished(third.kiosk.stop);
  expect(third.check()).toEqual({
    ...{ name: 'version', verdict: 'noGo' },
    change: { from: '1.1.0', left: 3, found: 0 },
  });
});

it('logs missing facts as an error, and a complete journal as information', () => {
  const folder = ownFolder();
  openNote(folder, '1', 5);
  expect(openNote(folder, '2', 5).log.said.map(({ level }) => level)).toEqual(['info']);
  expect(openNote(folder, '3', 4).log.said.map(({ level }) => level)).toEqual(['error']);
  expect(openNote(folder, '3', 4).log.said).toEqual([]);
  const details = { from: '3', left: 4, found: 3 };
  expect(openNote(folder, '3', 3).log.said).toEqual([
    { level: 'error', what: 'the journal lacks facts of the last run', details },
  ]);
});

it('counts facts after the start, including those of a run that was killed', () => {
  const folder = ownFolder();
  let facts = 2;
  const note = openVersionNote({
    folder,
    log: rememberingLog(),
    version: '1',
    facts: () => facts,
    schema: () => 1,
  });
  facts = 6;
  expect(openNote(folder, '2', 6).change).toEqual({ from: '1', left: 2, found: 6 });
  rmSync(join(folder, VERSION_FILE));
  note.leave();
  expect(openNote(folder, '2', 6).change).toEqual({ from: '1', left: 6, found: 6 });
});

it.each(['', '{', '{"version":3}', '[]'])('treats a damaged note (%j) like a missing one', (text) => {
  const folder = ownFolder();
  writeFileSync(join(folder, VERSION_FILE), text);
  expect(openNote(folder, '2', 6).change).toBeNull();
  expect(openNote(folder, '3', 6).change).toEqual({ from: '2', left: 6, found: 6 });
});

it('loses only the note if the disk cannot be written', () => {
  const folder = ownFolder();
  rmSync(folder, { recursive: true });
  const { change, leave, log } = openNote(folder, '1', 1);
  leave();
  expect([change, log.said.map(({ level }) => level)]).toEqual([null, ['warn']]);
});
