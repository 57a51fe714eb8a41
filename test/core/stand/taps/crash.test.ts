/**
 * docs/laws.md#law-1 under kill -9: every tap that was displayed as a success is on disk, even after a kill at any
 * moment. A child process captures as fast as it can and prints each tap only after it was published as captured. It
 * is killed repeatedly on the same journal (200 times at night), after varying numbers of taps and of writes to its
 * files.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { repetitions } from '../../../thoroughness.ts';
import { handClock, ownFolder } from '../../fixture.ts';
import { chainAt, openJournal, stamperOf } from '../../real-parts.ts';

const KILLS = repetitions(200);

const startCapturing = (folder: string): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, 'capturing-child.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

it(`loses no displayed tap over ${KILLS.length} kills, and keeps the chain intact`, async () => {
  const folder = ownFolder();
  const shown: string[] = [];
  const captureUntilKilled = async (afterTaps: number, afterWrites: number): Promise<void> => {
    const child = startCapturing(folder);
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    let here = 0;
    const enough = new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        shown.push(line);
        here += 1;
        if (here === afterTaps) resolve();
      });
    });
    await enough;
    let writes = 0;
    const files = watch(folder, () => {
      writes += 1;
      if (writes === afterWrites) child.kill('SIGKILL');
    });
    await Promise.all([once(child, 'exit'), once(lines, 'close')]);
    files.close();
  };
  // Runs in parallel on separate journals would not show what happens when a torn file is opened again. Runs in
  // sequence do.
  for (const kill of KILLS) await captureUntilKilled(1 + (kill % 7), 1 + ((kill * 5) % 8));
  const journal = openJournal(join(folder, 'journal.db'), stamperOf(handClock()));
  const check = chainAt(join(folder, 'journal.db'));
  expect(check.brokenAt).toBeNull();
  const lost = shown.filter((id) => journal.fact(id) === null);
  expect(lost).toEqual([]);
  expect(new Set(shown).size).toBe(shown.length);
  expect(check.facts).toBeGreaterThanOrEqual(shown.length);
  expect(journal.outbox.counts().captured).toBe(check.facts);
  journal.close();
}, 600_000);
