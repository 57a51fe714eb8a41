/** The trace of a defect in the log and on stderr: it names the place and quotes nothing. */
import { expect, it } from 'vitest';
import { traceOf } from '../../src-main/launch/refused.ts';

const thrown = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

it('names the error, its code and the place, and quotes no name, address or token of its message', () => {
  const personal = 'Ada Canary\n    at home <canary@example.org>\nprivate-token-0123456789';
  const coded = Object.assign(new RangeError(personal), { code: 'ERR_X' });
  for (const [error, name] of [
    [thrown(() => JSON.parse('Canary, "private-token"')), 'SyntaxError'],
    [coded, 'RangeError ERR_X'],
  ] as const) {
    const trace = traceOf(error);
    expect(trace).toMatch(new RegExp(`^${name}\\n {4}at `, 'u'));
    expect(trace).toContain('refused.test.ts');
    expect(trace).not.toMatch(/canary|private-token/iu);
  }
  expect(traceOf(personal)).toBe('string');
});
