/** Which shell a start chooses on which machine, and the reason it gives. */
import { describe, expect, test } from 'vitest';
import { chooseShell, type Machine } from '../../src-main/launch/shell-choice.ts';

/** A desktop with Electron. Each test removes one part. */
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

describe('--shell auto', () => {
  test('takes Electron when its runtime is present', async () => {
    const { machine: here, fetches } = machine();
    expect(await chooseShell('auto', here)).toEqual({ kind: 'electron', binary: '/electron' });
    expect(fetches()).toBe(0);
  });

  test('takes Electron when its runtime can be fetched', async () => {
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
  ])('chooses the browser and prints the reason: %s', async (reason, differs, fetched) => {
    const { machine: here, fetches } = machine(differs);
    expect(await chooseShell('auto', here)).toEqual({
      kind: 'browser',
      reason: `Shown in a browser, because ${reason}.`,
    });
    expect(fetches()).toBe(fetched);
  });
});

test('--shell browser gives no reason and does not check Electron', async () => {
  const { machine: here } = machine({ electron: () => expect.fail('looked') });
  expect(await chooseShell('browser', here)).toEqual({ kind: 'browser', reason: null });
});

test('--shell electron fetches after a recent failure, and is refused when Electron cannot run', async () => {
  const { machine: here, fetches } = machine({ electron: () => null, failedLately: () => true });
  expect(await chooseShell('electron', here)).toEqual({
    kind: 'refused',
    sentence:
      "The Electron shell cannot start, because Electron's runtime could not be fetched; try --shell browser.",
  });
  expect(fetches()).toBe(1);
});
