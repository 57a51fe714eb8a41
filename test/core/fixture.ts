/**
 * The basis of core tests: separate folders, a controlled clock, and a log that records its lines.
 *
 * Invariant: a folder belongs to one test and is removed when the test ends.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { VisitorSnapshot } from '../../src-main/core/event/mirror/people.ts';
import type { Clock, Log } from '../../src-main/core/foundations/ports.ts';
import type { FactDraft } from '../../src-main/core/journal/facts/journal.ts';

/** A folder of this test only. */
export const ownFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'touchpoint-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A clock that moves only by `pass`, which wakes every sleeper that is due, in the order in which they fell asleep. */
export const handClock = (
  start = Date.UTC(2026, 10, 21, 9),
): Clock & { readonly pass: (ms: number) => void } => {
  let elapsed = 0;
  const sleepers: { due: number; wake: () => void }[] = [];
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        sleepers.push({ due: elapsed + ms, wake: resolve });
        signal?.addEventListener('abort', () => resolve(), { once: true });
      }),
    pass: (ms) => {
      elapsed += ms;
      for (const sleeper of sleepers.filter((entry) => entry.due <= elapsed)) sleeper.wake();
    },
  };
};

/** A log that records its lines, so that a test can assert that no error was logged. */
export const rememberingLog = (): Log & {
  readonly said: { level: 'error' | 'warn' | 'info'; what: string; details: unknown }[];
} => {
  const said: { level: 'error' | 'warn' | 'info'; what: string; details: unknown }[] = [];
  const at = (level: 'error' | 'warn' | 'info') => (what: string, details?: unknown) => {
    said.push({ level, what, details });
  };
  return { said, error: at('error'), warn: at('warn'), info: at('info') };
};

/** A tap before it is recorded. */
export const tapOf = (badge: string, visitor?: string): FactDraft => ({
  kind: 'tap',
  source: 'nfc',
  reader: 'reader 1',
  touchpoint: 'tp1',
  partner: 'p1',
  clockOffset: null,
  staff: null,
  payload: { badge, ...(visitor === undefined ? {} : { visitor }) },
});

/** A visitor as the mirror passes it to a lead. */
export const visitorOf = (id: string, name: string): VisitorSnapshot => ({
  id,
  name,
  company: null,
  jobTitle: null,
  place: null,
  record: JSON.stringify({ id, name }),
});

/** Waits until `condition` holds; fails with `what` after `ms` milliseconds. */
export const until = async (
  what: string,
  condition: () => boolean | Promise<boolean>,
  ms = 45_000,
): Promise<void> => {
  await vi.waitUntil(condition, { timeout: ms, interval: 25 }).catch((cause: unknown) => {
    throw new Error(`Waited ${ms} ms in vain until ${what}`, { cause });
  });
};
