/** Builds displays and inputs for tests of the display's reducer, and applies a list of inputs to a display. */
import type { TapEvent } from '../../../../src-main/contract/tap.ts';
import type { DisplayInput } from '../../../../src-renderer/visitor/state/input.ts';
import type { CapturedEvent } from '../../../../src-renderer/visitor/state/outcome.ts';
import {
  type Display,
  initialDisplay,
  reduceDisplay,
} from '../../../../src-renderer/visitor/state/reducer.ts';
import { healthyDevice } from '../../device/healthy-device.ts';

const up: readonly DisplayInput[] = [
  { kind: 'link', state: 'up' },
  { kind: 'device', device: healthyDevice },
];

/** Applies `inputs` in order, each at its time in milliseconds. Returns the resulting display. */
export function play(inputs: readonly (readonly [number, DisplayInput])[], from = ready()): Display {
  return inputs.reduce((display, [at, input]) => reduceDisplay(display, input, at), from);
}

/** An idle display, linked to a healthy device. */
export function ready(): Display {
  return up.reduce((display, input) => reduceDisplay(display, input, 0), initialDisplay(0));
}

/** A tap event as an input. */
export const tap = (event: TapEvent): DisplayInput => ({ kind: 'tap', event });
/** The captured tap of visitor `id`, whose name and company contain the number. */
export const capturedBy = (id: number, change: Partial<CapturedEvent> = {}): CapturedEvent => ({
  kind: 'captured',
  at: 1_000,
  factId: `fact-${id}`,
  leadId: `lead-${id}`,
  visitor: { name: `Visitor-${id}`, company: `Company-${id}`, language: null },
  repeat: null,
  undoUntil: 9_000,
  collected: null,
  checkin: null,
  asksConsent: false,
  openQuestions: [],
  ...change,
});
