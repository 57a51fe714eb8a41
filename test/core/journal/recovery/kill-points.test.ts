/**
 * `kill -9` at named points (620 times at night, `thoroughness.ts`): after each restart docs/laws.md#law-1 to
 * docs/laws.md#law-4 hold. Children work against one running platform and are killed at their point
 * (`kill-points-child.ts`). Their folders are checked here, and their facts delivered completely after all kills.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { createSender } from '../../../../src-main/core/delivery/outbox/sender.ts';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { createClient } from '../../../../src-main/core/foundations/api/client.ts';
import { createConnection } from '../../../../src-main/core/foundations/api/connection.ts';
import { openDatabase, openReadOnly } from '../../../../src-main/core/foundations/store/database.ts';
import { JOURNAL_MIGRATIONS } from '../../../../src-main/core/journal/facts/schema.ts';
import { repetitions } from '../../../thoroughness.ts';
import { ownFolder, rememberingLog, tapOf, until } from '../../fixture.ts';
import { createPlatformProcess, type PlatformProcess } from '../../platform-process.ts';
import { chainAt, openJournal, realClock, realRandom, stamperOf } from '../../real-parts.ts';
import { openMaintained } from './damaged-journal.ts';

/** The kills at each point. */
const SENDING = {
  'before-send': repetitions(70, 20),
  'half-body': repetitions(70, 20),
  'after-commit': repetitions(70, 20),
  'before-acknowledgement': repetitions(60, 20),
  'after-acknowledgement': repetitions(30, 20),
  'before-read-back': repetitions(30, 20),
} as const;
const PULLING = repetitions(70, 20);
const SWEEPS = repetitions(20, 2);
const MIGRATIONS = repetitions(60, 6);
const BACKUPS = repetitions(60, 20);
const QUARANTINES = repetitions(40, 20);
const SALVAGES = repetitions(40, 20);
const TOTAL = [...Object.values(SENDING), PULLING, SWEEPS, BACKUPS, QUARANTINES, SALVAGES, MIGRATIONS].flat()
  .length;

type Place = { readonly platform: PlatformProcess; readonly touchpoint: string; readonly partner: string };

/** Runs one child until it is killed. Returns the ids it printed. */
const letDie = async (
  place: Place,
  point: string,
  countdown: number,
  folder: string,
): Promise<readonly string[]> => {
  const { platform, touchpoint, partner } = place;
  const entry = join(import.meta.dirname, 'kill-points-child.ts');
  const args = [entry, point, String(countdown), folder];
  const child = spawn(
    process.execPath,
    [...args, platform.baseUrl, platform.key, platform.expoId, touchpoint, partner],
    { stdio: ['ignore', 'pipe', 'inherit'], timeout: 30_000 },
  );
  const shown: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    if (line === 'end me') child.kill('SIGKILL');
    else shown.push(line);
  });
  const [[, signal]] = await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  expect(signal, `${point} ${countdown} was reached`).toBe('SIGKILL');
  return shown;
};

/** Asserts docs/laws.md#law-1, docs/laws.md#law-2 and the chain on disk. */
const holdJournal = (folder: string, shown: readonly string[], what: string): void => {
  const journal = openJournal(join(folder, 'journal.db'), stamperOf());
  try {
    const check = chainAt(join(folder, 'journal.db'));
    expect(check.brokenAt, `${what}: the chain`).toBeNull();
    const { captured, ...states } = journal.outbox.counts();
    expect(captured, `${what}: facts`).toBe(check.facts);
    expect(
      Object.values(states).reduce((sum, count) => sum + count, 0),
      `${what}: docs/laws.md#law-2`,
    ).toBe(captured);
    expect(
      shown.filter((id) => journal.fact(id) === null),
      `${what}: docs/laws.md#law-1`,
    ).toEqual([]);
  } finally {
    journal.close();
  }
};

/** Sends the rest until everything is confirmed. Then each fact has exactly one action (docs/laws.md#law-3). */
const deliverRest = async (place: Place, folder: string): Promise<number> => {
  const { platform, touchpoint, partner } = place;
  const access = { baseUrl: platform.baseUrl, key: platform.key, password: '', expoId: platform.expoId };
  const clock = {
    ...realClock,
    sleep: (ms: number, signal?: AbortSignal) => realClock.sleep(Math.min(ms, 50), signal),
  };
  const client = createClient(access, clock);
  const { journal } = openMaintained(folder, rememberingLog());
  const ended = new AbortController();
  const sender = createSender({
    client,
    expoId: platform.expoId,
    journal,
    clock,
    random: realRandom,
    log: rememberingLog(),
    connection: createConnection(() => undefined),
    owner: () => ({ touchpoint, partner }),
    onChange: () => undefined,
  });
  const running = sender.run(ended.signal);
  await until(
    'everything is confirmed',
    () => {
      const counts = journal.outbox.counts();
      return counts.captured === counts.confirmed;
    },
    60_000,
  );
  ended.abort();
  await running;
  await client.close();
  const database = openReadOnly(join(folder, 'journal.db'));
  const ids =
    database
      ?.prepare<[], { id: string }>('SELECT id FROM fact')
      .all()
      .map((row) => row.id) ?? [];
  database?.close();
  journal.close();
  const times = Map.groupBy(await platform.actions(), (action) => String(action.clientID));
  expect(ids.filter((id) => times.get(id)?.length !== 1)).toEqual([]);
  return ids.length;
};

const killSenders = async (place: Place, root: string): Promise<void> => {
  const folder = join(root, 'sending');
  mkdirSync(folder);
  const shown: string[] = [];
  const most = Math.max(...Object.values(SENDING).map(({ length }) => length));
  // Alternates between the points, so that each point starts from the state that the other points left.
  for (let round = 0; round < most; round += 1) {
    for (const [point, kills] of Object.entries(SENDING)) {
      const kill = kills[round];
      if (kill === undefined) continue;
      shown.push(...(await letDie(place, point, 1 + (kill % 2), folder)));
      holdJournal(folder, shown, `${point} ${kill}`);
    }
  }
  expect(await deliverRest(place, folder)).toBeGreaterThanOrEqual(shown.length);
};

const killPullers = async (place: Place, root: string): Promise<void> => {
  // A mirror is killed seven times before the next one is used.
  for (let first = 0; first < PULLING.length; first += 7) {
    const folder = join(root, `pulling-${first}`);
    mkdirSync(folder);
    for (const kill of PULLING.slice(first, first + 7)) {
      await letDie(place, 'between-page-and-cursor', 8 + ((kill * 13) % 45), folder);
      const held = openMirror(join(folder, 'mirror.db'), place.platform.expoId);
      const records = held.records('visitors');
      const top = records.reduce((high, record) => (record.revision > high ? record.revision : high), 0n);
      expect(held.progress('visitors').revision, 'docs/laws.md#law-4: the cursor is where the data is').toBe(
        top,
      );
      held.close();
    }
  }
};

const killSweeps = async (place: Place, root: string): Promise<void> => {
  const folder = join(root, 'sweeping');
  mkdirSync(folder);
  for (const kill of SWEEPS) {
    await letDie(place, 'mid-sweep', kill, folder);
    const held = openMirror(join(folder, 'mirror.db'), place.platform.expoId);
    const { pass, passes } = held.progress('visitors');
    const living = held.records('visitors').length;
    // A sweep is applied completely or not at all: half of the visitors are gone, or none.
    expect([200, 400], `kill ${kill}, pass ${passes}`).toContain(living);
    if (pass === null) expect(living).toBe(passes % 2 === 0 ? 200 : 400);
    const known = Array.from(
      { length: 400 },
      (_, index) => held.ownerOf([`CODE${index}`]).kind === 'visitor',
    );
    expect(known.filter(Boolean)).toHaveLength(living);
    held.close();
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
  }
};

const killMigrations = async (place: Place, root: string): Promise<void> => {
  const first = join(root, 'first-schema');
  mkdirSync(first);
  const database = openDatabase(join(first, 'journal.db'), {
    durability: 'full',
    migrations: JOURNAL_MIGRATIONS.slice(0, 1),
  });
  const insert = database.prepare(`INSERT INTO setting (key, value) VALUES (?, ?)`);
  insert.run('expo', place.platform.expoId);
  database.close();
  for (const kill of MIGRATIONS) {
    const folder = join(root, `migrating-${kill}`);
    cpSync(first, folder, { recursive: true });
    await letDie(place, 'mid-migration', kill, folder);
    const log = rememberingLog();
    const { journal, durable } = openMaintained(folder, log);
    expect(journal.settings.get('expo')).toBe(place.platform.expoId);
    const { fact } = journal.record(tapOf('04AA'), null);
    expect(durable.quarantines.all(), 'a cut migration is no damage').toEqual([]);
    journal.close();
    holdJournal(folder, [fact.id], `mid-migration ${kill}`);
    rmSync(folder, { recursive: true });
  }
};

const killBackups = async (place: Place, root: string): Promise<void> => {
  const folder = join(root, 'backing-up');
  mkdirSync(folder);
  const shown: string[] = [];
  for (const kill of BACKUPS) {
    shown.push(...(await letDie(place, 'mid-backup', 1 + ((kill * 7) % 40), folder)));
    holdJournal(folder, shown, `mid-backup ${kill}`);
    for (const name of existsSync(join(folder, 'backup')) ? readdirSync(join(folder, 'backup')) : []) {
      if (!name.endsWith('.db')) continue;
      const copy = openReadOnly(join(folder, 'backup', name));
      expect(copy?.pragma('integrity_check', { simple: true }), `${name} after kill ${kill}`).toBe('ok');
      copy?.close();
    }
  }
};

/** Overwrites a range in the middle of the journal, where its facts are. */
const damage = (folder: string): void => {
  const path = join(folder, 'journal.db');
  const journal = openJournal(path, stamperOf());
  journal.close();
  const file = openSync(path, 'r+');
  for (let page = 3; page < 40; page += 5) writeSync(file, Buffer.alloc(600, 0xa5), 0, 600, page * 4096);
};

const killSalvages = async (place: Place, root: string): Promise<void> => {
  const folder = join(root, 'salvaging');
  mkdirSync(folder);
  const shown: string[] = [];
  const { signal } = new AbortController();
  const post = { touchpoint: place.touchpoint, partner: place.partner };
  for (const [point, kills] of [
    ['mid-quarantine', QUARANTINES],
    ['mid-salvage', SALVAGES],
  ] as const) {
    for (const [index, kill] of kills.entries()) {
      // Every tenth time the journal is repaired and damaged again. In between, each kill meets the state that the
      // previous one left; before `mid-quarantine` it is damaged every time.
      const isFresh = index % 10 === 0;
      if (isFresh) {
        const whole = openMaintained(folder, rememberingLog());
        await whole.maintenance.salvageOpen(signal);
        for (let tap = 0; tap < 12; tap += 1)
          shown.push(whole.journal.record({ ...tapOf(`04${kill}${tap}`), ...post }, null).fact.id);
        whole.journal.close();
      }
      if (existsSync(join(folder, 'journal.db')) && (point === 'mid-quarantine' || isFresh)) damage(folder);
      shown.push(...(await letDie(place, point, 1 + (kill % 6), folder)));
    }
  }
  const { journal, maintenance } = openMaintained(folder, rememberingLog());
  await maintenance.walk(signal);
  await maintenance.salvageOpen(signal);
  journal.close();
  holdJournal(folder, shown, 'after all quarantines');
  expect(await deliverRest(place, folder)).toBeGreaterThanOrEqual(shown.length);
};

it(`obeys its laws over ${TOTAL} kills at named points`, async () => {
  const root = ownFolder();
  const platform = await createPlatformProcess(join(root, 'platform'));
  await platform.start();
  const { body } = await platform.call('GET', `/touchpoints/${platform.expoId}?fromRevision=0`);
  const [first] = (body as { id: string; partnerID: string }[]).filter((touchpoint) => touchpoint.partnerID);
  const place: Place = { platform, touchpoint: first?.id ?? '', partner: first?.partnerID ?? '' };
  await Promise.all([
    (async () => {
      await killSenders(place, root);
      await killSweeps(place, root);
      await killBackups(place, root);
    })(),
    (async () => {
      await killSalvages(place, root);
      await killPullers(place, root);
      await killMigrations(place, root);
    })(),
  ]);
}, 900_000);
