/** Chromium shared by test files: one for each way to start it, and a new one after it has exited. */
import { expect, it, onTestFinished } from 'vitest';
import { shareBrowsers } from './shared-browsers.ts';

/** Fake browsers, each with its own address and a function that ends it. */
const open = async () => {
  const ends: (() => void)[] = [];
  const launch = async (switches: readonly string[]) => {
    if (switches.includes('broken')) throw new Error('no such switch');
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    return { address: `ws://${ends.push(resolve)} ${switches.join(' ')}`, ended, close: resolve };
  };
  const shared = await shareBrowsers(launch);
  onTestFinished(shared.close);
  const ask = async (switches: readonly string[]): Promise<string> => {
    const answer = await fetch(shared.address, { method: 'POST', body: JSON.stringify(switches) });
    return `${answer.status} ${await answer.text()}`;
  };
  return { ask, ends };
};

it('gives one Chromium to all files with the same switches, and another one to files with other switches', async () => {
  const { ask } = await open();
  expect(await Promise.all([ask([]), ask([])])).toEqual(['200 ws://1 ', '200 ws://1 ']);
  expect(await ask(['--camera'])).toBe('200 ws://2 --camera');
});

it('starts a new Chromium after the old one has exited, and reports if that fails', async () => {
  const { ask, ends } = await open();
  expect(await ask([])).toBe('200 ws://1 ');
  ends[0]?.();
  expect(await ask([])).toBe('200 ws://2 ');
  expect(await ask(['broken'])).toBe('500 Error: no such switch');
});
