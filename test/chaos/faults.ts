/**
 * The kinds of faults of a network and of its proxies, and the order in which they occur.
 *
 * Invariant: the order depends on the seed alone.
 */

/** Faults before a request can be sent. `badTls` only if the device uses TLS. */
export const CONNECT_FAULTS = ['refused', 'dnsFailure', 'badTls'] as const;

/** Faults of requests that the platform never sees. */
export const UNSEEN_FAULTS = [
  'resetBeforeHeaders',
  'staleKeepAlive',
  'stall',
  'busyBurst',
  'status500',
  'status502',
  'status503',
  'status504',
  'status422',
  'eventNotFound',
  'redirect',
  'garbage',
  'captivePortal',
] as const;

/** Faults of answers: the platform has already processed the request. */
export const ANSWER_FAULTS = [
  'lostAnswer',
  'stallAfterCommit',
  'gatewayAfterCommit',
  'resetAfterHeaders',
  'halfBody',
  'truncatedChunk',
  'truncatedJson',
  'wrongLength',
  'slowClose',
  'compressedBomb',
  'duplicateAnswer',
  'wrongClock',
] as const;

/**
 * Servers that answer in place of the platform, always in the same way. `emptyLists`: `200 []`.
 * `badRequest`: 400.
 */
export const MOODS = ['emptyLists', 'badRequest'] as const;

export type Mood = (typeof MOODS)[number];
export type ConnectFault = (typeof CONNECT_FAULTS)[number];
export type UnseenFault = (typeof UNSEEN_FAULTS)[number];
export type AnswerFault = (typeof ANSWER_FAULTS)[number];
export type Fault = ConnectFault | UnseenFault | AnswerFault;

export const isOneOf = <T extends string>(kinds: readonly T[], fault: string): fault is T =>
  (kinds as readonly string[]).includes(fault);

/** A small generator of numbers in [0, 1) (mulberry32): the same seed gives the same run. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Returns every kind once before it repeats any. The order depends on the seed. */
export const createDeck = (kinds: readonly Fault[], random: () => number): (() => Fault) => {
  let deck: Fault[] = [];
  return () => {
    if (deck.length === 0) {
      deck = kinds
        .map((kind) => ({ kind, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map((entry) => entry.kind);
    }
    return deck.pop() ?? 'stall';
  };
};
