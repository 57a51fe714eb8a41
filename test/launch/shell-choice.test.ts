/**
 * Which shell a start uses on which machine, and what it says.
 */
import { describe, expect, test } from 'vitest';
import { chooseShell, type Machine } from '../../src-main/launch/shell-choice.ts';

/** A desktop with Electron; each test takes something away. */
function machine(differs: Partial<Machine> = {}): { machine: Machine; fetches: () => number } {
  let fetches = 0;
  const whole: Machine = {
    display: true,
    root: false,
    electron: () => '/electron',
    failedLately: () => false,
    fetch: async () => false,
    ...differs,
  };
  const fetch = () => {
    fetches += 1;
    return whole.fetch();
  };
  const counted = { ...whole, fetch };
  return { machine: counted, fetches: () => fetches };
}

describe('auto', () => {
  test('takes Electron where its runtime is present', async () => {
    const { machine: here, fetches } = machine();
    expect(await chooseShell('auto', here)).toEqual({ kind: 'electron', binary: '/electron' });
    expect(fetches()).toBe(0);
  });

  test('takes Electron where its runtime can be fetched', async () => {
    let present: boolean = false;
    const { machine: here } = machine({
      electron: () => (present ? '/electron' : null),
      fetch: async () => {
        present = true;
        return present;
      },
    });
    expect(await chooseShell('auto', here)).toEqual({ kind: 'electron', binary: '/electron' });
  });

  test.each<[string, Partial<Machine>, number]>([
    ['this machine has no display for a window', { display: false }, 0],
    ["Electron's sandbox does not work for root", { root: true }, 0],
    ["Electron's runtime could not be fetched", { electron: () => null }, 1],
    ["Electron's runtime could not be fetched", { electron: () => null, failedLately: () => true }, 0],
  ])('takes the browser and says why: %s', async (reason, differs, fetched) => {
    const { machine: here, fetches } = machine(differs);
    expect(await chooseShell('auto', here)).toEqual({
      kind: 'browser',
      reason: `Shown in a browser, because ${reason}.`,
    });
    expect(fetches()).toBe(fetched);
  });
});

test('the browser, when asked for, needs no reason and no look at Electron', async () => {
  const { machine: here } = machine({ electron: () => expect.fail('looked') });
  expect(await chooseShell('browser', here)).toEqual({ kind: 'browser', reason: null });
});

test('Electron, when asked for, is fetched even if that failed lately, and refused where it cannot run', async () => {
  const { machine: here, fetches } = machine({ electron: () => null, failedLately: () => true });
  expect(await chooseShell('electron', here)).toEqual({
    kind: 'refused',
    sentence:
      "The Electron shell cannot start, because Electron's runtime could not be fetched; try --shell browser.",
  });
  expect(fetches()).toBe(1);
});
