/**
 * What the screens do for each purpose: there is one row for each purpose of the contract, and any other purpose
 * causes an error that names it.
 */
import { expect, it } from 'vitest';
import { type Purpose, purposeSchema } from '../../../../src-main/contract/device.ts';
import { purposes, screensFor } from '../../../../src-renderer/visitor/state/purposes.ts';

it('has a row for every purpose of the contract, and offers them all', () => {
  expect([...purposes].sort()).toEqual([...purposeSchema.options].sort());
  for (const purpose of purposeSchema.options) expect(screensFor(purpose)).toBeDefined();
});

it.each(['survey', 'toString', ''])('throws an error that names the unknown purpose "%s"', (purpose) => {
  expect(() => screensFor(purpose as Purpose)).toThrow(`"${purpose}"`);
});
