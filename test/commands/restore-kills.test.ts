/**
 * `npm run restore` under kill -9: after a kill at any moment, the next run restores every fact and reports it. The
 * journal is missing, is damaged, or has lost its newest facts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { handClock, ownFolder, rememberingLog, tapOf, visitorOf } from '../core/fixture.ts';
import { openMaintained } from '../core/journal/recovery/damaged-journal.ts';
import { chainAt, openJournal, stamperOf } from '../core/real-parts.ts';
import { repetitions } from '../thoroughness.ts';

const KILLS = repetitions(30);
const FACTS = 120;
const command = join(import.meta.dirname, '../../src-main/commands/restore.ts');

/** A data folder whose backup holds all facts, with their ids. */
const writeFolder = async (): Promise<{ readonly folder: string; readonly ids: readonly string[] }> => {
  const folder = join(ownFolder(), 'data');
  mkdirSync(folder);
  const { journal, maintenance } = openMaintained(folder, rememberingLog());
  const ids = Array.from({ length: FACTS }, (_, tap) => {
    const visitor = visitorOf(`v${tap}`, `Visitor ${tap}`);
    return journal.record(tapOf(`04${tap}`), visitor).fact.id;
  });
  await maintenance.backUp(new AbortController().signal);
  journal.close();
  return { folder, ids };
};

const losses: readonly (readonly [string, (folder: string) => void])[] = [
  ['lost', (folder) => rmSync(join(folder, 'journal.db'))],
  [
    'damaged',
    (folder) => {
      const path = join(folder, 'journal.db');
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0xa5, 4_096, 12_288));
      for (const beside of ['journal.db-wal', 'journal.tail']) rmSync(join(folder, beside), { force: true });
    },
  ],
  [
    'empty',
    (folder) => {
      for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm', 'journal.tail'])
        rmSync(join(folder, name), { force: true });
      openJournal(join(folder, 'journal.db'), stamperOf(handClock())).close();
    },
  ],
];

/** Runs the command. It is killed after this many changes of files in the folder, if it runs that long. */
const restore = async (folder: string, killAfter = Number.POSITIVE_INFINITY) => {
  const child = spawn(process.execPath, [command, '--data', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  let changes = 0;
  const files = watch(folder, { recursive: true }, () => {
    changes += 1;
    if (changes >= killAfter) child.kill('SIGKILL');
  });
  const [said, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, string | null]>,
  ]);
  files.close();
  return { said: said + errors, code, isKilled: signal === 'SIGKILL' };
};

test(`restore brings back every fact after each of ${KILLS.length} kills`, async () => {
  let killed = 0;
  for (const kill of KILLS) {
    const { folder, ids } = await writeFolder();
    const [what, lose] = losses[kill % losses.length] ?? ['', () => undefined];
    lose(folder);
    const first = await restore(folder, 1 + kill);
    if (first.isKilled) killed += 1;
    const next = await restore(folder);
    expect([next.code, next.said], `${what}, killed after ${1 + kill} changes`).toEqual([
      0,
      expect.stringContaining(String(FACTS)),
    ]);
    const journal = openJournal(join(folder, 'journal.db'), stamperOf(handClock()));
    expect(ids.filter((id) => journal.fact(id) === null)).toEqual([]);
    journal.close();
    expect(chainAt(join(folder, 'journal.db'))).toMatchObject({ facts: FACTS, brokenAt: null });
  }
  expect(killed).toBeGreaterThan(KILLS.length / 2);
}, 600_000);
