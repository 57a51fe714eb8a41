/** What a tap came to, of all a device tells about taps. */
import type { TapEvent } from '../../../src-main/contract/tap.ts';

export type TapEventOf<Kind extends TapEvent['kind']> = Extract<TapEvent, { kind: Kind }>;

export type CapturedEvent = TapEventOf<'captured'>;

/** What a tap came to; each one is shown for a minimum of time. */
export type Outcome =
  | CapturedEvent
  | TapEventOf<'notAdmitted'>
  | TapEventOf<'notRead'>
  | TapEventOf<'refused'>
  | TapEventOf<'failed'>
  | TapEventOf<'undone'>;
