/** Outcomes: the events that report the result of a tap. */
import type { TapEvent } from '../../../src-main/contract/tap.ts';

export type TapEventOf<Kind extends TapEvent['kind']> = Extract<TapEvent, { kind: Kind }>;

export type CapturedEvent = TapEventOf<'captured'>;

/** The outcome of a tap; each one is shown for a minimum time. */
export type Outcome =
  | CapturedEvent
  | TapEventOf<'notAdmitted'>
  | TapEventOf<'notRead'>
  | TapEventOf<'refused'>
  | TapEventOf<'failed'>
  | TapEventOf<'undone'>;
