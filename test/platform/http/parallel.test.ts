/** Parallel requests of one key, over real HTTP: with two in flight none is refused, with fifty most are. */
import { Agent, get } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoKey } from '../../../src-platform/seed/demo.ts';
import { basic } from '../raw-http.ts';
import { type RunningPlatform, startPlatform } from '../running-platform.ts';

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

/** Sends `total` requests with `width` of them in flight at any time, and counts the statuses. */
const sendAll = async (width: number, total: number): Promise<Readonly<Record<number, number>>> => {
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  const counts: Record<number, number> = {};
  let left = total;
  const send = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const options = { agent, headers: { authorization: basic(demoKey) } };
      get(`${platform.base}/labels/AD2026`, options, (answer) => {
        answer.resume();
        answer.on('end', () => {
          const status = answer.statusCode ?? 0;
          counts[status] = (counts[status] ?? 0) + 1;
          resolve();
        });
      }).on('error', reject);
    });
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await send();
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  agent.destroy();
  return counts;
};

it('a platform refuses most requests of a key with 50 in flight', async () => {
  const counts = await sendAll(50, 500);
  expect(counts[429] ?? 0).toBeGreaterThan(250);
  expect((counts[200] ?? 0) + (counts[429] ?? 0)).toBe(500);
});

it('a platform refuses no request of a key with two in flight', async () => {
  expect(await sendAll(2, 200)).toEqual({ 200: 200 });
});
