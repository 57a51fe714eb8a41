/** The planted faults fit the product, so that a changed line does not disable a fault unnoticed. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allMutations } from './all.ts';
import { misfitOf } from './copy.ts';

it('finds the text of each planted fault once, and its tests', () => {
  const root = join(import.meta.dirname, '../..');
  const misfits = allMutations.flatMap((mutation) => {
    const misfit = misfitOf(root, mutation);
    return misfit === null ? [] : [`${mutation.name}: ${misfit}`];
  });
  expect(misfits).toEqual([]);
});
