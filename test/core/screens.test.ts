/** Which changes notify the pages, and which do not. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { Stand } from '../../src-main/contract/stand.ts';
import { createThrottle } from '../../src-main/core/foundations/time/throttle.ts';
import { createScreens, whereDifferent } from '../../src-main/core/screens.ts';
import { handClock, rememberingLog, until } from './fixture.ts';

const screensOf = () => {
  const clock = handClock();
  const leads = { mark: 'as it was' };
  const screens = createScreens(clock, rememberingLog(), {
    state: () => ({}) as DeviceState,
    stand: () => ({}) as Stand,
    leadsReady: () => true,
    leadsMark: () => leads.mark,
    changed: () => undefined,
  });
  const told: number[] = [];
  const ended = new AbortController();
  onTestFinished(() => {
    ended.abort();
    screens.stop();
  });
  const hear = async () => {
    for await (const { version } of screens.publishers.leads.subscribe('changed', { signal: ended.signal }))
      told.push(version);
  };
  hear().catch(() => undefined);
  const pass = async () => {
    clock.pass(100);
    await turn();
  };
  return { screens, leads, told, pass };
};

test('notifies pages of leads only if a changed device state affects them', async () => {
  const { screens, leads, told, pass } = screensOf();
  screens.stateChanged();
  await pass();
  await until('the first change was published', () => told.length === 1);
  screens.stateChanged();
  await pass();
  screens.everythingChanged();
  await pass();
  leads.mark = 'another';
  screens.stateChanged();
  await pass();
  await until('the second change was published', () => told.length === 2);
  expect(told).toEqual([1, 2]);
});

test('notifies pages of changes of leads that are not in the journal', async () => {
  const { screens, told, pass } = screensOf();
  for (const nth of [1, 2]) {
    screens.leadsChanged();
    await pass();
    await until('the change was published', () => told.length === nth);
  }
});

test('sends a screen each state once, and again when it returns', async () => {
  async function* changes() {
    yield* [{ a: 1 }, { a: 2 }, { a: 2 }, { a: 1 }, { a: 1 }];
  }
  const told: { readonly a: number }[] = [];
  for await (const picture of whereDifferent(() => ({ a: 1 }), changes())) told.push(picture);
  expect(told).toEqual([{ a: 1 }, { a: 2 }, { a: 1 }]);
});

test('a throttle catches errors of its function, logs repeated ones once, and runs again at the next trigger', async () => {
  const clock = handClock();
  const log = rememberingLog();
  let runs = 0;
  const throttle = createThrottle(clock, log, () => {
    runs += 1;
    if (runs < 3) throw new Error('the disk fails');
  });
  for (let expected = 1; expected <= 3; expected += 1) {
    throttle.trigger();
    clock.pass(200);
    await turn();
    expect(runs).toBe(expected);
  }
  expect(log.said.filter(({ level }) => level === 'error')).toHaveLength(1);
  throttle.stop();
});
