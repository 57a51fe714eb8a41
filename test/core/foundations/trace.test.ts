/** The trace of a defect in the log and on stderr: it contains the place of the defect and no data. */
import { expect, it } from 'vitest';
import { traceOf, whyOf } from '../../../src-main/core/foundations/trace.ts';

const thrown = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

it("contains the error's name, code and place, and no name, address or token from its message", () => {
  const personal = 'Ada Canary\n    at home <canary@example.org>\nprivate-token-0123456789';
  const coded = Object.assign(new RangeError(personal), { code: 'ERR_X' });
  for (const [error, name] of [
    [thrown(() => JSON.parse('Canary, "private-token"')), 'SyntaxError'],
    [coded, 'RangeError ERR_X'],
  ] as const) {
    const trace = traceOf(error);
    expect(trace).toMatch(new RegExp(`^${name}\\n {4}at `, 'u'));
    expect(trace).toContain('trace.test.ts');
    expect(trace).not.toMatch(/canary|private-token/iu);
  }
  expect(traceOf(personal)).toBe('string');
});

it('keeps the message of a disk or network fault, and of no other error', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(whyOf(full)).toBe('ENOSPC: no space left on device, write');
  const odd = Object.assign(new TypeError('Received Ada Canary'), { code: 'ERR_INVALID_ARG_TYPE' });
  for (const error of [odd, thrown(() => JSON.parse('Canary'))]) expect(whyOf(error)).toBe(traceOf(error));
});
