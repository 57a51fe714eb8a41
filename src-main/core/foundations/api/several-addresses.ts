/**
 * Calls one server that has several addresses: the address of the hub, and the addresses of standbys that may have
 * taken over.
 *
 *     in use ── no answer ──► the next one ── no answer ──► ... ── no answer ──► the first one
 *
 * Invariants:
 * - A write that may have been sent is never sent again here (docs/laws.md#law-12). Any other request without an answer
 *   is tried at the next address, with as many attempts in all as there are addresses.
 * - An address that answers stays in use until it does not answer.
 */
import { ApiError } from './error-class.ts';
import type { Exchange } from './exchange.ts';

/** The address in use, shared by all clients of a device. */
export type AddressChoice = {
  /** Its index in the list. */
  readonly now: () => number;
  /** Records that the address at this index did not answer. */
  readonly leave: (place: number) => void;
};

/** A choice among `count` addresses that starts with the first. */
export function createAddressChoice(count: number): AddressChoice {
  let place = 0;
  return {
    now: () => place,
    // Several requests that fail at one address change it only once.
    leave: (left) => {
      if (left === place) place = (place + 1) % count;
    },
  };
}

/** An exchange at the chosen address. When it does not answer, the exchange uses the next one of `exchanges`. */
export function createSeveral(exchanges: readonly Exchange[], choice: AddressChoice): Exchange {
  return {
    // The requests choose the address. A stream that fails does not change it.
    stream: async (request) => {
      const exchange = exchanges[choice.now()];
      if (exchange === undefined) throw new TypeError('there is no such address');
      await exchange.stream(request);
    },
    send: async (request) => {
      const failures: ApiError[] = [];
      for (;;) {
        const place = choice.now();
        const exchange = exchanges[place];
        if (exchange === undefined) throw new TypeError('there is no such address');
        try {
          return await exchange.send(request);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          choice.leave(place);
          failures.push(error);
          if (mayHaveLeft(error) || failures.length === exchanges.length) throw gravest(failures, error);
        }
      }
    },
    close: async () => {
      await Promise.all(exchanges.map(({ close }) => close()));
    },
  };
}

function mayHaveLeft({ errorClass }: ApiError): boolean {
  return errorClass.kind === 'retry' && errorClass.reached === 'maybe';
}

/** An error that staff must resolve outranks a temporary one. A request that may have been sent outranks both. */
function gravest(failures: readonly ApiError[], last: ApiError): ApiError {
  if (mayHaveLeft(last)) return last;
  return failures.find(({ errorClass }) => errorClass.kind === 'stop') ?? last;
}
