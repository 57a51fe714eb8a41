/**
 * The two slots of a key among several processes (docs/interface/limits.md#parallel-requests): a third request is refused
 * at once, unless another process is sending the answer of one of the two.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, vi } from 'vitest';
import { openSharedSemaphore } from '../../../src-platform/http/shared-semaphore.ts';
import { ownDatabase, postgresTest } from './own-database.ts';

vi.mock('node:timers/promises', { spy: true });

beforeEach(() => void vi.mocked(delay).mockClear());

const KEY = 'k1';

/** Semaphores on one database, one per simulated process. */
const open = async (processes: number) => {
  const address = await ownDatabase();
  const all = await Promise.all(Array.from({ length: processes }, () => openSharedSemaphore(address)));
  onTestFinished(async () => void (await Promise.all(all.map((semaphore) => semaphore.close()))));
  return all;
};

postgresTest(
  'a third request is refused at once in every process',
  async () => {
    const [one, two, three] = await open(3);
    const held = [await one?.take(KEY), await two?.take(KEY)];
    for (const semaphore of [one, two, three]) expect(await semaphore?.take(KEY)).toBeNull();
    for (const slot of held) slot?.release();
    await expect.poll(() => three?.take(KEY)).not.toBeNull();
    expect(delay).not.toHaveBeenCalled();
  },
  120_000,
);

postgresTest(
  'a third request is refused at once by a process that holds both slots and sends the answer of one',
  async () => {
    const [one] = await open(1);
    const first = await one?.take(KEY);
    await one?.take(KEY);
    await first?.leaving();
    expect(await one?.take(KEY)).toBeNull();
    first?.release();
    expect(await one?.take(KEY)).not.toBeNull();
    expect(delay).not.toHaveBeenCalled();
  },
  120_000,
);

postgresTest(
  'a third request waits while another process sends the answer of an earlier one',
  async () => {
    const [one, two] = await open(2);
    const first = await one?.take(KEY);
    await one?.take(KEY);
    await first?.leaving();
    // The slot is released during the first wait.
    vi.mocked(delay).mockImplementationOnce(async () => {
      first?.release();
      // The same session answers a later query only after it has released the slot.
      await one?.take('another key');
    });
    expect(await two?.take(KEY)).not.toBeNull();
  },
  120_000,
);
