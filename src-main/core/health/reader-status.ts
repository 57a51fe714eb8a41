/**
 * Which readers are there and how the card service is, as the drivers' events tell.
 *
 * Invariant: pure bookkeeping; the events decide.
 */
import type { DeviceState } from '../../contract/device.ts';
import type { ReaderEvent } from '../ports.ts';

type CardService = DeviceState['cardService'];

export type ReaderBook = {
  /** Takes an event in; true when the picture changed. */
  readonly hear: (event: ReaderEvent) => boolean;
  readonly names: () => readonly string[];
  readonly cardService: () => CardService;
};

/** A book that starts with no readers. */
export function createReaderBook(initial: CardService): ReaderBook {
  const names = new Set<string>();
  let cardService = initial;
  return {
    hear: (event) => {
      switch (event.kind) {
        case 'service': {
          const changed = cardService !== event.state;
          cardService = event.state;
          return changed;
        }
        case 'attached': {
          const changed = !names.has(event.reader);
          names.add(event.reader);
          return changed;
        }
        case 'detached':
          return names.delete(event.reader);
        case 'inserted':
        case 'card':
        case 'unread':
        case 'removed':
          return false;
      }
    },
    names: () => [...names].sort(),
    cardService: () => cardService,
  };
}
