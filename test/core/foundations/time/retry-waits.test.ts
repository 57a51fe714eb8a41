/** Both loops use the same back-off policy: after a long outage their waits are spread evenly. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSender } from '../../../../src-main/core/delivery/outbox/sender.ts';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { createPuller } from '../../../../src-main/core/event/sync/puller.ts';
import type { ApiClient } from '../../../../src-main/core/foundations/api/client.ts';
import { createConnection } from '../../../../src-main/core/foundations/api/connection.ts';
import { ApiError } from '../../../../src-main/core/foundations/api/error-class.ts';
import type { Clock } from '../../../../src-main/core/foundations/ports.ts';
import { RETRY } from '../../../../src-main/core/foundations/time/times.ts';
import { ownFolder, rememberingLog, tapOf } from '../../fixture.ts';
import { openJournal, realClock, realRandom, stamperOf } from '../../real-parts.ts';

const FAILURES = 600;
/** From here on the limit of the waits no longer grows. */
const SETTLED = 10;

const fault = (): Promise<never> =>
  Promise.reject(new ApiError({ kind: 'retry', reached: 'no' }, 'GET failed'));
const unreachable: ApiClient = {
  get: fault,
  getBytes: fault,
  post: fault,
  clockOffset: () => null,
  close: async () => undefined,
};

/** The waits of a loop that always fails, without the first ones. */
const waitsOf = async (
  run: (clock: Clock, signal: AbortSignal) => Promise<void>,
): Promise<readonly number[]> => {
  const waits: number[] = [];
  const ended = new AbortController();
  const clock: Clock = {
    ...realClock,
    sleep: async (ms) => {
      waits.push(ms);
      if (waits.length >= FAILURES) ended.abort();
    },
  };
  await run(clock, ended.signal);
  return waits.slice(SETTLED);
};

const parts = { client: unreachable, expoId: 'E1', random: realRandom, log: rememberingLog() };
const connection = createConnection(() => undefined);

const runSender = async (clock: Clock, signal: AbortSignal): Promise<void> => {
  const journal = openJournal(join(ownFolder(), 'journal.db'), stamperOf());
  journal.record(tapOf('04A1'), null);
  const owner = () => ({ touchpoint: 'tp1', partner: 'p1' });
  await createSender({ ...parts, journal, clock, connection, owner, onChange: () => undefined }).run(signal);
  journal.close();
};

const runPuller = async (clock: Clock, signal: AbortSignal): Promise<void> => {
  const mirror = openMirror(join(ownFolder(), 'mirror.db'), 'E1');
  await createPuller({
    ...parts,
    mirror,
    clock,
    connection,
    partner: () => null,
    onPage: () => undefined,
    onRemoved: () => undefined,
    onCompared: () => undefined,
    onRound: () => undefined,
    backgroundJobs: async () => undefined,
  }).run(signal);
  mirror.close();
};

it.each([
  ['the sender', runSender],
  ['the puller', runPuller],
])('%s spreads its retries evenly over the longest wait', async (_who, run) => {
  const waits = await waitsOf(run);
  const quarters = [0, 0, 0, 0];
  for (const wait of waits) {
    const quarter = Math.floor((wait / RETRY.capMs) * quarters.length);
    quarters[quarter] = (quarters[quarter] ?? 0) + 1;
  }
  expect(quarters).toHaveLength(4);
  // A quarter of the waits in each quarter. Six standard deviations are 0.107 of all.
  for (const count of quarters) expect(Math.abs(count / waits.length - 0.25)).toBeLessThan(0.11);
  const heaps = new Map<number, number>();
  for (const wait of waits) heaps.set(wait, (heaps.get(wait) ?? 0) + 1);
  expect(Math.max(...heaps.values()) / waits.length).toBeLessThan(0.02);
});
