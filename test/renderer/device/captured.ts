/** Captured taps, as the device sends them to its screens. */
import type { TapEvent } from '../../../src-main/contract/tap.ts';
import { displayTimes } from '../../../src-renderer/times.ts';

export type Captured = Extract<TapEvent, { kind: 'captured' }>;

/** A captured event as the device sends it, with changes. */
export function captured(change: Partial<Captured> = {}): Captured {
  const at = Date.now();
  return {
    kind: 'captured',
    at,
    factId: `fact-${at}-${Math.round(performance.now() * 1000)}`,
    leadId: 'lead-1',
    visitor: { name: 'Amélie B.', company: 'Ateliers du Rhône', language: null },
    repeat: null,
    undoUntil: at + 8_000,
    collected: null,
    checkin: null,
    asksConsent: false,
    openQuestions: [],
    ...change,
  };
}

/** A captured event with so long an undo time that a slow machine still shows the outcome when a test looks. */
export function capturedForLong(change: Partial<Captured> = {}): Captured {
  return captured({ undoUntil: Date.now() + displayTimes.undoAtMost, ...change });
}
