/**
 * The reader test of the set-up: shows on which reader a badge lies.
 *
 * Invariants:
 * - a test tap is never a lead, and the test consumes all its events, from insertion to removal;
 * - only the last four characters of the badge's number or text are shown;
 * - the state of the readers is always tracked, so a page that opens the test gets it at once.
 */
import { EventPublisher } from '@orpc/server';
import type { ReaderTest } from '../contract/setup.ts';
import type { Clock, ReaderEvent } from '../core/foundations/ports.ts';
import { createReaderStatus } from '../core/stand/health/reader-status.ts';

export type ReaderTrial = {
  /** Receives every event of a reader. Returns true if the test consumes it. */
  readonly take: (event: ReaderEvent) => boolean;
  /** The state of the readers, now and after every change. Taps are test taps until `signal` aborts. */
  readonly watch: (signal: AbortSignal | undefined) => AsyncGenerator<ReaderTest>;
};

/** The reader test of one device. */
export function createReaderTrial(
  clock: Pick<Clock, 'now'>,
  cardService: ReaderTest['cardService'],
): ReaderTrial {
  const status = createReaderStatus(cardService);
  const news = new EventPublisher<{ change: null }>();
  const mine = new Set<string>();
  let watching = 0;
  let tapped: ReaderTest['tapped'] = null;
  const now = (): ReaderTest => ({
    cardService: status.cardService(),
    readers: status.readers(),
    tapped,
  });
  return {
    take: (event) => {
      const changed = status.handle(event);
      if (changed) news.publish('change', null);
      if (event.kind === 'service' || event.kind === 'attached' || event.kind === 'interval') return false;
      if (event.kind === 'detached') {
        mine.delete(event.reader);
        return false;
      }
      if (event.kind === 'inserted' && watching > 0) mine.add(event.reader);
      if (!mine.has(event.reader)) return false;
      if (event.kind === 'removed') mine.delete(event.reader);
      if (event.kind === 'card' || event.kind === 'text') {
        const read = event.kind === 'card' ? event.card.uid : event.text;
        tapped = { reader: event.reader, tail: read.slice(-4), at: clock.now() };
        news.publish('change', null);
      }
      return true;
    },
    watch: async function* (signal) {
      watching += 1;
      tapped = null;
      try {
        const changes = news.subscribe('change', {
          ...(signal === undefined ? {} : { signal }),
          maxBufferedEvents: 1,
        });
        yield now();
        for await (const _change of changes) yield now();
      } finally {
        watching -= 1;
      }
    },
  };
}
