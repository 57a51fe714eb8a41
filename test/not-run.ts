/**
 * How a test says that it was not run here. Such a test is listed by name with its reason at the end of the run and
 * never counts as passed.
 *
 * Invariant: in CI (`CI=true`) everything that CI has must run: only what no CI machine has, a reader of metal and
 * Electron's runtime, LibreOffice, which only the night installs, and a voice may be missing there; anything else missing is a failure.
 * A test that only the nightly run takes says so.
 */
import { test } from 'vitest';

/**
 * What is missing. `reader`, `electron`, `office` and `voice` may be missing in CI, `means` (a program, a package) may not;
 * `night`: only the nightly run takes the test.
 */
export type Missing = 'reader' | 'electron' | 'office' | 'voice' | 'night' | 'means';

/** Announces the test `name` as not run, for `reason` (one sentence without a full stop). */
export function notRun(name: string, reason: string, missing: Missing = 'means'): void {
  if (process.env.CI === 'true' && missing === 'means') {
    test(name, () => {
      throw new Error(`Not run although CI has what it needs: ${reason}`);
    });
    return;
  }
  test(name, ({ skip }) => skip(reason));
}

/**
 * The `test` to use where something may be missing: vitest's own when `present`, otherwise one that announces each
 * test as not run. `const cardTest = notRunUnless(existsSync('/usr/sbin/pcscd'), 'pcscd is not installed');`
 */
export function notRunUnless(
  present: boolean,
  reason: string,
  missing: Missing = 'means',
): (name: string, body: () => void | Promise<void>, timeoutMs?: number) => void {
  if (present) return (name, body, timeoutMs) => test(name, body, timeoutMs);
  return (name) => notRun(name, reason, missing);
}
