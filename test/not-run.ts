/**
 * How a test reports that it did not run here. The end of the run lists it by name with the reason, and never counts
 * it as passed.
 *
 * Invariants:
 * - In CI (`CI=true`) everything available there must run. Only seven things may be missing: a physical
 *   reader, Electron's runtime, LibreOffice (installed only for the nightly run), a voice, a disk to
 *   mount, a network, and the sandbox of a CRM. Anything else missing is a failure.
 * - A test that only the nightly run executes says so.
 */
import { test } from 'vitest';

/**
 * What is missing. `reader`, `electron`, `office`, `voice`, `disk`, `network` and `sandbox` may be missing in CI,
 * `means` (a program, a package) may not; `night`: only the nightly run takes the test.
 */
export type Missing =
  | 'reader'
  | 'electron'
  | 'office'
  | 'voice'
  | 'disk'
  | 'network'
  | 'sandbox'
  | 'night'
  | 'means';

/** Reports the test `name` as not run, for `reason` (one sentence without a full stop). */
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
 * The `test` to use if something may be missing: vitest's own if `present`, otherwise one that reports each
 * test as not run. `const cardTest = notRunUnless(existsSync('/usr/sbin/pcscd'), 'pcscd is not
 * installed');`
 */
export function notRunUnless(
  present: boolean,
  reason: string,
  missing: Missing = 'means',
): (name: string, body: () => void | Promise<void>, timeoutMs?: number) => void {
  if (present) return (name, body, timeoutMs) => test(name, body, timeoutMs);
  return (name) => notRun(name, reason, missing);
}
