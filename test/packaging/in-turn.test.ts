/** Names the package suite that this run leaves out (`in-turn.ts`). */
import { expect, test } from 'vitest';
import { notRun } from '../not-run.ts';
import { leftOut } from './in-turn.ts';

for (const { makes } of leftOut())
  notRun(makes, 'nothing about packages changed lately, so the runs make them in turn', 'night');

test('a run leaves out one package suite at most', () => {
  expect(leftOut().length).toBeLessThan(2);
});
