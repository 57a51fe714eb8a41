/** Notifications across restarts and processes: none is lost, and none is sent twice at once. */
import { expect, it } from 'vitest';
import { lease } from '../../../src-platform/notifications/deliveries.ts';
import { createNotifier } from '../../../src-platform/notifications/notifier.ts';
import { newId } from '../../../src-platform/serve.ts';
import { createManualClock } from './manual-clock.ts';
import { startNotified } from './notified-platform.ts';
import { moment, startTarget, until } from './target.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

it('a restart after any attempt does not change the times of the next attempts', async () => {
  const platform = await startNotified({ quiet: true });
  const target = await startTarget(platform.clock.now);
  target.answer(500);
  const start = platform.clock.now();
  const id = await platform.addWebhook('visitor', target.url);
  const times = [0, 10 * second, minute, 5 * minute, 15 * minute, hour, 24 * hour];
  for (const [index, time] of times.entries()) {
    platform.clock.pass(start + time - platform.clock.now());
    const notifier = platform.notify(platform.store);
    await platform.failed(id, index + 1);
    await notifier.stop();
  }
  expect(target.calls.map((call) => call.at - start)).toEqual(times);
  expect(await platform.webhook(id)).toMatchObject({ state: 'error' });
  platform.notify(platform.store);
  platform.clock.pass(24 * hour);
  expect(await target.called(7)).toHaveLength(7);
});

it('a retry that came due while no process was running is made at the start', async () => {
  const platform = await startNotified({ quiet: true });
  const target = await startTarget(platform.clock.now);
  target.answer(500);
  const start = platform.clock.now();
  const id = await platform.addWebhook('visitor', target.url);
  const before = platform.notify(platform.store);
  await platform.failed(id, 1);
  await before.stop();
  platform.clock.pass(2 * minute);
  platform.notify(platform.store);
  // By now two retries are due, so the second follows the first without a wait.
  await platform.failed(id, 3);
  platform.clock.pass(3 * minute);
  await platform.failed(id, 4);
  expect(target.calls.map((call) => call.at - start)).toEqual([0, 2 * minute, 2 * minute, 5 * minute]);
});

it('a call that a stop interrupted is repeated at the next start', async () => {
  const platform = await startNotified({ quiet: true });
  const target = await startTarget(platform.clock.now);
  target.answer(() => undefined);
  const id = await platform.addWebhook('visitor', target.url);
  const before = platform.notify(platform.store);
  await target.called(1);
  await before.stop();
  expect(await platform.webhook(id)).toMatchObject({ attempts: 0, state: 'wait' });
  target.answer(200);
  platform.notify(platform.store);
  expect(await target.called(2)).toHaveLength(2);
});

it('another process takes over the call of a dead process when the lease expires, and not before', async () => {
  const platform = await startNotified({ quiet: true });
  const target = await startTarget(platform.clock.now);
  await platform.addWebhook('visitor', target.url);
  let called = 0;
  const dead = createNotifier({
    store: platform.store,
    clock: createManualClock(),
    call: () => {
      called += 1;
      return new Promise(() => undefined);
    },
    newId,
    onDefect: () => undefined,
  });
  dead.start();
  await until('the first process called', () => called === 1);
  platform.notify(platform.store);
  platform.clock.pass(lease - 1);
  await moment();
  expect(target.calls).toHaveLength(0);
  platform.clock.pass(1);
  expect(await target.called(1)).toHaveLength(1);
  expect(called).toBe(1);
});

it('two processes on one database call each target once', async () => {
  const platform = await startNotified({ quiet: true });
  const target = await startTarget(platform.clock.now);
  const ids: string[] = [];
  for (let count = 0; count < 30; count += 1) ids.push(await platform.addWebhook('visitor', target.url));
  for (const store of platform.stores) {
    platform.notify(store);
    platform.notify(store);
  }
  const perWebhook = (): number[] =>
    ids.map((id) => target.calls.filter((call) => call.query.webhookId === id).length);
  await target.called(30);
  expect(perWebhook()).toEqual(ids.map(() => 1));
  await platform.touch('visitor');
  await target.called(60);
  expect(perWebhook()).toEqual(ids.map(() => 2));
  expect(platform.defects).toEqual([]);
});
