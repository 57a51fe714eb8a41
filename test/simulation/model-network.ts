/**
 * A faulty network between a client and a server: it is slow, cuts, lies, refuses and repeats.
 *
 * Invariants:
 * - At most two requests of a key are served at the same time (docs/interface/limits.md#parallel-requests), counted
 *   here for docs/laws.md#law-5.
 * - The device's own error classes interpret the answers, and its semaphore is the real one. So is its estimate of
 *   the platform's time from the dates of the answers.
 * - An aborted request that changes something may have been sent.
 */
import type { ApiClient, Query } from '../../src-main/core/foundations/api/client.ts';
import { type DateSample, offsetFrom, withSample } from '../../src-main/core/foundations/api/clock-offset.ts';
import { ApiError, classOfAnswer, classOfFault } from '../../src-main/core/foundations/api/error-class.ts';
import { createSemaphore } from '../../src-main/core/foundations/api/semaphore.ts';
import type { AddressChoice } from '../../src-main/core/foundations/api/several-addresses.ts';
import type { Clock } from '../../src-main/core/foundations/ports.ts';
import type { Chance } from './chance.ts';

/** Faults of the network. All are zero when the world is quiet. */
export type Weather = {
  /** Shares of requests with each fault. */
  lostBefore: number;
  lostAfter: number;
  broken: number;
  portal: number;
  garbage: number;
  /** Share of requests that take seconds. */
  slow: number;
  /** Share of requests that arrive a second time, up to half a minute later, without a reader of the answer. */
  repeated: number;
  /** How a server answers every request. With `fine` it serves normally. */
  mood:
    | 'fine'
    | 'down'
    | 'keyRefused'
    | 'noEvent'
    | 'forbidden'
    /** The next two answer a write with `200 []`. The first one accepts the write, the second one does not. */
    | 'takesInSilence'
    | 'takesNothing';
};

export const quietWeather = (): Weather => ({
  lostBefore: 0,
  lostAfter: 0,
  broken: 0,
  portal: 0,
  garbage: 0,
  slow: 0,
  repeated: 0,
  mood: 'fine',
});

/** Requests of one key that are being served. Every client of the key shares this. */
export type KeySlots = { inFlight: number; most: number; refused: number };

export const freeSlots = (): KeySlots => ({ inFlight: 0, most: 0, refused: 0 });

/** A request relative to the base address. A null `body` means GET. */
export type Asked = { readonly path: string; readonly query: Query; readonly body: string | null };

export type Answer = {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
  readonly retryAfter?: string | null;
  /** The server's `Date` header in epoch milliseconds. */
  readonly date?: number;
};

const problem = (status: number, title: string, type: string): Answer => ({
  status,
  body: JSON.stringify({ status, title, type }),
});
const BUSY = problem(429, 'Too many requests', 'tooManyRequests');
const LATEST_REPETITION_MS = 30_000;

export type NetworkPorts = {
  readonly chance: Chance;
  readonly weather: Weather;
  readonly slots: KeySlots;
  /** Parallel requests of the client. */
  readonly width?: 1 | 2;
  /** Whether the client's own cable is disconnected. */
  readonly isCut: () => boolean;
  /** Number of the server's current run. 0 when none runs. An answer of an ended run never arrives. */
  readonly run?: () => number;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly serve: (asked: Asked, signal?: AbortSignal) => Answer | Promise<Answer>;
  /** Called when the client has received the complete answer. */
  readonly onWhole?: (asked: Asked) => void;
  /** Called with the number of this client's open requests. */
  readonly onFlight: (inFlight: number) => void;
  /** The client's clock, with which it measures the server's clock. Absent: it measures nothing. */
  readonly clock?: Pick<Clock, 'now' | 'monotonic'>;
  /** Resolves when the process of the client runs, so that it can read an answer. */
  readonly goOn?: () => Promise<void>;
};

/** The offset of a server's clock, from the dates of its answers. */
const createOffset = (clock: Pick<Clock, 'now' | 'monotonic'>) => {
  let samples: readonly DateSample[] = [];
  return {
    /** Called when a request leaves. Returns the function that records the date of its answer. */
    begin: () => {
      const [sentAt, sentMono] = [clock.now(), clock.monotonic()];
      return (date: number): void => {
        const mono = clock.monotonic();
        const receivedAt = clock.now();
        samples = withSample(samples, { date, sentAt, receivedAt, mono, monoTrip: mono - sentMono });
      };
    },
    now: () => offsetFrom(samples, clock.now(), clock.monotonic())?.offsetMs ?? null,
  };
};

/**
 * The way of one request from a client to a server and back. @throws ApiError, or the signal's reason when it was
 * aborted
 */
type Way = (asked: Asked, signal?: AbortSignal, note?: (date: number) => void) => Promise<string>;

/** How a client interprets a fault of the network. */
export const networkFault = (code: string, isWrite: boolean): ApiError =>
  new ApiError(classOfFault(code, isWrite), `model ${code}`);

const refusal = ({ status, body, contentType = 'application/json', retryAfter = null }: Answer): ApiError =>
  new ApiError(classOfAnswer({ status, contentType, retryAfter, body }, 0), `model ${status}`);

/** The answer of a server that stands between the client and the real server. Null if there is none. */
const moodAnswer = (mood: Weather['mood']): Answer | null => {
  if (mood === 'keyRefused') return problem(401, 'Unknown key', 'unauthorized');
  if (mood === 'forbidden') return problem(403, 'Not allowed', 'forbidden');
  if (mood === 'noEvent') return problem(400, 'Expo not found', 'badRequest');
  return null;
};

/** Sends a request to the first of several servers that answers, as `several-addresses.ts` does. */
export const createSeveralWays =
  (ways: readonly Way[], choice: AddressChoice): Way =>
  async (...asked) => {
    const place = choice.now();
    const way = ways[place];
    if (way === undefined) throw new Error('Expected an address');
    try {
      return await way(...asked);
    } catch (error) {
      if (error instanceof ApiError && error.errorClass.kind === 'retry') choice.leave(place);
      throw error;
    }
  };

/** One connection from a client to a server. */
export const createWay = (ports: NetworkPorts): Way => {
  const { chance, weather, slots, run = () => 1, wait } = ports;

  /** A request that was sent before the abort still arrives. */
  const giveUp = async (asked: Asked): Promise<never> => {
    if (asked.body !== null && chance.hits(0.5)) await ports.serve(asked);
    throw new DOMException('aborted', 'AbortError');
  };

  const repeatLater = async (asked: Asked): Promise<void> => {
    await wait(chance.between(50, LATEST_REPETITION_MS));
    if (run() !== 0) await ports.serve(asked);
  };

  const answerTo: Way = async (asked, signal, note) => {
    const isWrite = asked.body !== null;
    const running = run();
    if (chance.hits(weather.broken))
      throw refusal({ status: 503, body: 'upstream', contentType: 'text/plain' });
    const isSilent = isWrite && (weather.mood === 'takesInSilence' || weather.mood === 'takesNothing');
    const answer = weather.mood === 'takesNothing' && isWrite ? null : await ports.serve(asked, signal);
    if (isWrite && chance.hits(weather.repeated)) void repeatLater(asked);
    await wait(chance.between(5, chance.hits(weather.slow) ? 4_000 : 200), signal);
    if (run() !== running || ports.isCut() || chance.hits(weather.lostAfter))
      throw networkFault('UND_ERR_SOCKET', isWrite);
    if (answer?.date !== undefined) note?.(answer.date);
    if (chance.hits(weather.broken)) throw refusal(problem(500, 'Oops', 'internalServerError'));
    if (isSilent || answer === null) return '[]';
    if (answer.status !== 200) throw refusal(answer);
    if (chance.hits(weather.garbage)) return answer.body.slice(0, Math.floor(answer.body.length / 2));
    ports.onWhole?.(asked);
    return answer.body;
  };

  return async (asked, signal, note) => {
    const isWrite = asked.body !== null;
    await wait(chance.between(5, chance.hits(weather.slow) ? 2_000 : 120), signal);
    if (signal?.aborted === true) return giveUp(asked);
    if (ports.isCut() || weather.mood === 'down' || run() === 0) throw networkFault('ECONNREFUSED', isWrite);
    if (chance.hits(weather.lostBefore)) throw networkFault('ECONNRESET', isWrite);
    if (chance.hits(weather.portal))
      throw refusal({ status: 302, body: '<html>Welcome to FairNet</html>', contentType: 'text/html' });
    const instead = moodAnswer(weather.mood);
    if (instead !== null) throw refusal(instead);
    if (slots.inFlight >= 2) {
      slots.refused += 1;
      throw refusal(BUSY);
    }
    slots.inFlight += 1;
    slots.most = Math.max(slots.most, slots.inFlight);
    try {
      return await answerTo(asked, signal, note);
    } finally {
      slots.inFlight -= 1;
    }
  };
};

/** A client with a faulty network. */
export const createModelClient = (ports: NetworkPorts, way: Way = createWay(ports)): ApiClient => {
  const semaphore = createSemaphore(ports.width ?? 1);
  const offset = ports.clock === undefined ? null : createOffset(ports.clock);
  let mine = 0;
  const request = (asked: Asked, signal?: AbortSignal, urgency?: 'upload' | 'download'): Promise<string> =>
    semaphore.run(
      urgency ?? (asked.body === null ? 'download' : 'upload'),
      async () => {
        mine += 1;
        ports.onFlight(mine);
        const noteDate = offset?.begin();
        let date: number | null = null;
        try {
          return await way(asked, signal, (one) => {
            date = one;
          });
        } finally {
          mine -= 1;
          await ports.goOn?.();
          if (date !== null) noteDate?.(date);
        }
      },
      signal,
    );
  const get: ApiClient['get'] = (path, query, signal, urgency) =>
    request({ path, query, body: null }, signal, urgency);
  return {
    get,
    getBytes: async (...given) => new TextEncoder().encode(await get(...given)),
    post: (path, body, signal) => request({ path, query: {}, body }, signal),
    clockOffset: () => offset?.now() ?? null,
    close: async () => undefined,
  };
};
