/**
 * Badges that are not captured: nobody said whose stand this is, or a code that no badge of this event can have.
 *
 * Invariants: a badge the mirror knows is never refused for its code, and what a reader read from a card is no garbled
 * code; a refused code is kept for the stand team (`onRefused`) before the screen is told, and is no lead and no fact.
 */
import type { TapEvent, TapSource } from '../../../contract/tap.ts';
import type { BadgeOwner, Mirror } from '../../event/mirror/mirror.ts';
import type { BadgeReading } from '../../foundations/badge/badge.ts';
import type { Clock } from '../../foundations/ports.ts';

export type RefusalPorts = {
  readonly mirror: Pick<Mirror, 'codeForms'>;
  readonly clock: Clock;
  /** Whether it is known whose stand this is. */
  readonly isChosen: () => boolean;
  /** Keeps what was refused for the stand team. */
  readonly onRefused?: (reading: BadgeReading, text: string, source: TapSource) => void;
};

export type Refusals = {
  /** Why the badge of these codes is not captured, or null. */
  readonly of: (
    codes: readonly [string, ...string[]],
    owner: BadgeOwner,
    source: TapSource | null,
  ) => TapEvent | null;
};

/** The refusals of one device. */
export function createRefusals({ mirror, clock, isChosen, onRefused }: RefusalPorts): Refusals {
  return {
    of: ([code], owner, source) => {
      const at = clock.now();
      if (!isChosen()) return { kind: 'failed', at, reason: 'notChosen' };
      if (owner.kind !== 'unknown' || source === 'nfc' || source === null || mirror.codeForms().fits(code))
        return null;
      const reason = source === 'manual' ? 'impossibleCode' : 'garbledScan';
      onRefused?.({ kind: 'notABadge', reason }, code, source);
      return { kind: 'refused', at, reason };
    },
  };
}
