/**
 * Data folders of earlier versions, opened in this one: nothing is missing, the chain verifies, the team finds its
 * leads, and the next visitor can tap. `make.ts` describes how they were made. `0.1.0` and `0.2.0` are releases; the
 * others are versions in between.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { findRunningApp, openAppConnection } from '../../src-main/commands/tap/app-connection.ts';
import { openReadOnly } from '../../src-main/core/foundations/store/database.ts';
import { schemaVersion } from '../../src-main/core/foundations/store/migrations.ts';
import { type FactLine, readFactLines } from '../../src-main/core/journal/facts/fact-lines.ts';
import { readStandSettings } from '../../src-main/data-folder/stand-settings.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { chainAt, realClock } from '../core/real-parts.ts';
import { leadsOn } from '../core/screen.ts';
import { openStandKiosk } from '../core/stand/visit/stand-kiosk.ts';
import { startApp } from '../launch/running-app.ts';

const NOBODY_THERE = { baseUrl: 'http://127.0.0.1:9/v2', key: 'k', password: '', expoId: 'AD2026' };

/**
 * Amélie tapped, Giulia undid her tap, a stranger tapped, and Amélie tapped again. The app was killed while it sent
 * that last tap.
 */
const TAPS = ['tap', 'tap', 'undo', 'tap', 'tap'] as const;
const WITH_CONSENT = ['tap', 'consent', 'tap', 'undo', 'tap', 'tap'] as const;
const WITH_TEAM = ['tap', 'consent', 'tap', 'undo', 'tap', 'qualify', 'tap'] as const;

type Earlier = {
  readonly name: string;
  /** The schema of each folder; null if the mirror was left out. */
  readonly versions: { readonly journal: number; readonly mirror: number | null };
  readonly facts: readonly string[];
  readonly agreed: boolean | null;
  readonly team: readonly string[];
};

const EARLIER: readonly Earlier[] = [
  { name: 'journal-10', versions: { journal: 10, mirror: 10 }, facts: TAPS, agreed: null, team: [] },
  { name: 'journal-30', versions: { journal: 30, mirror: 40 }, facts: TAPS, agreed: null, team: [] },
  { name: '0.1.0', versions: { journal: 50, mirror: 50 }, facts: WITH_CONSENT, agreed: true, team: [] },
  {
    ...{ name: 'journal-110', versions: { journal: 110, mirror: null }, facts: WITH_TEAM },
    ...{ agreed: true, team: ['Mara'] },
  },
  {
    ...{ name: '0.2.0', versions: { journal: 160, mirror: 50 }, facts: WITH_TEAM },
    ...{ agreed: true, team: ['Mara'] },
  },
];

test.each(EARLIER)(
  'a folder of $name opens with every fact, its leads, and the next tap',
  async (earlier) => {
    const folder = unpack(earlier.name);
    const before = factsIn(folder);
    expect(before.map(({ kind }) => kind)).toEqual(earlier.facts);
    expect(before.at(-1)?.delivery?.state).toBe('in_flight');
    expect(versionOf(folder, 'journal.db')).toBe(earlier.versions.journal);
    expect(versionOf(folder, 'mirror.db')).toBe(earlier.versions.mirror);

    const now = openStandKiosk({ folder, platform: NOBODY_THERE, clock: realClock, technician: true });
    expect(now.log.said.filter(({ level }) => level === 'error')).toEqual([]);
    const { facts } = earlier;
    const { captured, confirmed, uncertain } = now.kiosk.state().delivery;
    expect({ captured, confirmed, uncertain }).toEqual({
      ...{ captured: facts.length, confirmed: facts.length - 1, uncertain: 1 },
    });
    const visitors = now.kiosk.state().mirror.resources.find(({ name }) => name === 'visitors');
    expect((visitors?.count ?? 0) > 0).toBe(earlier.versions.mirror !== null);
    const staff = await now.staff();
    expect((await leadsOn(staff)).leads).toMatchObject([
      { name: 'Amélie Beaumont', taps: 2, agreed: earlier.agreed, undone: false },
      { name: null, badgeTail: 'AD01', taps: 1, rating: earlier.team.length > 0 ? 4 : null, unknown: true },
      { name: 'Giulia Rossi', taps: 0, undone: true },
    ]);
    const { members } = await staff.staff.team();
    expect(members.map(({ name }) => name)).toEqual(expect.arrayContaining([...earlier.team]));
    expect(await now.tap('04990000DEAD02')).toMatchObject({ kind: 'captured' });
    await now.stop();

    expect(factsIn(folder).slice(0, -1).map(withoutDelivery)).toEqual(before.map(withoutDelivery));
    expect(chainAt(join(folder, 'journal.db'))).toEqual({ facts: facts.length + 1, brokenAt: null });
  },
);

test.each(['0.1.0', '0.2.0'])(
  'the app continues where %s was killed: with the same stand and platform, and everything is delivered',
  async (name) => {
    const folder = unpack(name);
    const kept = factsIn(folder).length;
    const stand = readFileSync(join(folder, 'stand.json'), 'utf8');
    expect(readStandSettings(folder)).toMatchObject({ touchpoint: JSON.parse(stand).touchpoint ?? null });
    const app = startApp(folder);
    onTestFinished(async () => {
      app.child.kill('SIGTERM');
      await app.ended;
    });
    await app.line(/^Touchpoint is ready: /);
    const { rpc, token } = findRunningApp(folder) ?? {};
    const page = await openAppConnection(rpc ?? '', token ?? '');
    onTestFinished(() => page?.close());
    await page?.client.taps.enter({ text: '04990000DEAD02', source: 'manual' });
    await until(
      'everything is confirmed',
      () => factsIn(folder).filter(({ delivery }) => delivery?.state === 'confirmed').length === kept + 1,
      60_000,
    );
    expect(chainAt(join(folder, 'journal.db'))).toEqual({ facts: kept + 1, brokenAt: null });
    expect(readFileSync(join(folder, 'stand.json'), 'utf8')).toBe(stand);
  },
  240_000,
);

function unpack(name: string): string {
  const folder = ownFolder();
  const packed = brotliDecompressSync(readFileSync(join(import.meta.dirname, `${name}.zip.br`)));
  for (const [path, bytes] of Object.entries(unzipSync(packed))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

function versionOf(folder: string, file: string): number | null {
  const database = openReadOnly(join(folder, file));
  try {
    return database === null ? null : schemaVersion(database);
  } finally {
    database?.close();
  }
}

function factsIn(folder: string): readonly FactLine[] {
  return [...(readFactLines(join(folder, 'journal.db')) ?? [])];
}

function withoutDelivery({ delivery: _delivery, ...fact }: FactLine): Omit<FactLine, 'delivery'> {
  return fact;
}
