/**
 * Attached readers with their intervals, the state of the card service and lost NDEF messages, from the drivers' events.
 *
 * Invariant: it only records what the events report, and makes no decision.
 */
import type { DeviceState } from '../../../contract/device.ts';
import type { ReaderEvent } from '../../foundations/ports.ts';

type CardService = DeviceState['cardService'];

export type ReaderStatus = {
  /** Applies an event. Returns true when the status changed. */
  readonly handle: (event: ReaderEvent) => boolean;
  /** The readers by name. */
  readonly readers: () => DeviceState['readers'];
  readonly cardService: () => CardService;
  /** Counts a lost NDEF message (unreadable or late) that might have identified the badge. */
  readonly countLostNdef: () => void;
  /** How many messages were lost since the start. */
  readonly lostNdef: () => number;
};

/** A status that starts with no readers. */
export function createReaderStatus(initial: CardService): ReaderStatus {
  const byName = new Map<string, DeviceState['readers'][number]>();
  let cardService = initial;
  let lostNdef = 0;
  return {
    handle: (event) => {
      switch (event.kind) {
        case 'service': {
          const changed = cardService !== event.state;
          cardService = event.state;
          return changed;
        }
        case 'attached': {
          const changed = !byName.has(event.reader);
          if (changed) byName.set(event.reader, { name: event.reader });
          return changed;
        }
        case 'detached':
          return byName.delete(event.reader);
        case 'interval': {
          const { reader: name, foundMs, everyMs } = event;
          byName.set(name, { name, interval: { foundMs, everyMs } });
          return true;
        }
        case 'inserted':
        case 'uid':
        case 'card':
        case 'text':
        case 'unread':
        case 'removed':
          return false;
      }
    },
    readers: () => [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
    cardService: () => cardService,
    countLostNdef: () => {
      lostNdef += 1;
    },
    lostNdef: () => lostNdef,
  };
}
