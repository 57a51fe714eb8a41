/** The planted faults fit the product, so that a changed line does not disable one unseen. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { misfitOf } from './copy.ts';
import { deviceMutations } from './device-list.ts';
import { fleetMutations } from './fleet-list.ts';
import { lawMutations } from './law-list.ts';
import { mutations } from './list.ts';
import { shellMutations } from './shell-list.ts';

it.each([
  ['the product', mutations],
  ['the laws', lawMutations],
  ['the device', deviceMutations],
  ['the fleet', fleetMutations],
  ['the shells', shellMutations],
])('finds the text of each planted fault of %s once, and its tests', (_what, list) => {
  const root = join(import.meta.dirname, '../..');
  const misfits = list.flatMap((mutation) => {
    const misfit = misfitOf(root, mutation);
    return misfit === null ? [] : [`${mutation.name}: ${misfit}`];
  });
  expect(misfits).toEqual([]);
});
