/**
 * Taps on a real journal, one every 100 ms.
 *
 * Invariant: a wait is measured from the moment the tap was due, so it includes work that blocks the event loop.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Mirror } from '../../src-main/core/event/mirror/mirror.ts';
import { badgeOfText } from '../../src-main/core/foundations/badge/decode.ts';
import { openProfile } from '../../src-main/core/foundations/badge/profile.ts';
import { openDurableJournal } from '../../src-main/core/journal/recovery/durable-journal.ts';
import { createTaps } from '../../src-main/core/stand/taps/taps.ts';
import { cardReading } from '../card-reading.ts';
import { realClock, stamperOf } from '../core/real-parts.ts';
import { tapParts } from '../core/stand/taps/tap-parts.ts';

const EVERY_MS = 100;

/** A log that discards its lines. */
export const noLog = { error: () => undefined, warn: () => undefined, info: () => undefined };

/** The badge of one visitor of the bench. */
export const uidOf = (index: number): string => `04${index.toString(16).padStart(12, '0')}`.toUpperCase();

/** A journal in `folder`, and taps that it records. `onCaptured` receives the id of each captured fact. */
export function openTimedTaps(folder: string, mirror: Mirror, onCaptured: (factId: string) => void) {
  const durable = openDurableJournal({ folder, stamper: stamperOf(), clock: realClock, log: noLog });
  const parts = { journal: durable.journal, mirror, clock: realClock, log: noLog };
  const taps = createTaps({
    ...parts,
    ...tapParts(parts).taps,
    place: () => ({ touchpoint: 'tp1', partner: 'p1', clockOffset: 0, staff: null }),
    badgeOfText: (text) => badgeOfText(text, openProfile),
    publish: (event) => {
      if (event.kind === 'captured') onCaptured(event.factId);
    },
    feedback: () => undefined,
  });
  let visitor = 0;
  return {
    durable,
    /**
     * Taps until `isDone` returns true for the number of taps. Returns the milliseconds from due time to outcome of
     * each tap.
     */
    tapUntil: async (isDone: (made: number) => boolean): Promise<readonly number[]> => {
      const start = performance.now();
      const waits: number[] = [];
      while (!isDone(waits.length)) {
        const due = start + waits.length * EVERY_MS;
        await delay(Math.max(0, due - performance.now()));
        visitor += 1;
        taps.handle({ kind: 'card', reader: 'r', insertion: visitor, card: cardReading(uidOf(visitor)) });
        waits.push(performance.now() - due);
      }
      return waits;
    },
  };
}
