/** How the page probes a device that it cannot reach. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { knockUntilAnswered } from '../../../src-renderer/link/knock.ts';

/** A device that does not answer until `back`, on a clock that the test controls. */
const awayDevice = () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let away = true;
  let knocks = 0;
  let answered = false;
  const ask = async () => {
    knocks += 1;
    if (away) throw new TypeError('Failed to fetch');
  };
  void knockUntilAnswered(ask, () => performance.now()).then(() => {
    answered = true;
  });
  return {
    knocksIn: async (ms: number) => {
      const before = knocks;
      await vi.advanceTimersByTimeAsync(ms);
      return knocks - before;
    },
    isAnswered: () => answered,
    comeBack: () => {
      away = false;
    },
  };
};

it('reconnects within a tenth of a second to a device that was unreachable for minutes', async () => {
  const device = awayDevice();
  await device.knocksIn(240_000);
  device.comeBack();
  expect(device.isAnswered()).toBe(false);
  expect(await device.knocksIn(100)).toBe(1);
  expect(device.isAnswered()).toBe(true);
});

it('probes an unreachable device once a second', async () => {
  const device = awayDevice();
  await device.knocksIn(301_000);
  expect(await device.knocksIn(60_000)).toBe(60);
});
