/**
 * The reason why the event cannot be read is reported at once. A device with nothing to deliver has no other way to
 * learn it.
 */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { createPuller } from '../../../../src-main/core/event/sync/puller.ts';
import type { ApiClient } from '../../../../src-main/core/foundations/api/client.ts';
import { createConnection } from '../../../../src-main/core/foundations/api/connection.ts';
import { ApiError } from '../../../../src-main/core/foundations/api/error-class.ts';
import type { Clock } from '../../../../src-main/core/foundations/ports.ts';
import { ownFolder, rememberingLog } from '../../fixture.ts';
import { realClock, realRandom } from '../../real-parts.ts';

it('reports a refused key once, and reports again when the reason changes', async () => {
  const reasons = ['keyRefused', 'keyRefused', 'wrongHub', 'wrongHub'] as const;
  let asked = 0;
  const refuse = (): Promise<never> => {
    const pause = reasons[Math.min(asked, reasons.length - 1)] ?? 'wrongHub';
    asked += 1;
    return Promise.reject(new ApiError({ kind: 'stop', pause }, 'GET was refused'));
  };
  const client: ApiClient = {
    ...{ get: refuse, getBytes: refuse, post: refuse },
    clockOffset: () => null,
    close: async () => undefined,
  };
  const ended = new AbortController();
  const clock: Clock = {
    ...realClock,
    sleep: async () => {
      if (asked >= reasons.length) ended.abort();
    },
  };
  const mirror = openMirror(join(ownFolder(), 'mirror.db'), 'E1');
  onTestFinished(() => mirror.close());
  const told: unknown[] = [];
  const puller = createPuller({
    ...{ client, clock, mirror, expoId: 'E1', random: realRandom, log: rememberingLog() },
    connection: createConnection(() => undefined),
    partner: () => null,
    onPage: () => undefined,
    onRemoved: () => undefined,
    onCompared: () => undefined,
    onRound: () => undefined,
    onPause: () => told.push(puller.pause()),
    backgroundJobs: async () => undefined,
  });
  await puller.run(ended.signal);
  expect(told).toEqual(['keyRefused', 'wrongHub']);
});
