/**
 * The network between a kiosk and the model platform: slow, cut, lying, refusing.
 *
 * Invariants: at most two requests of a key are served at once (docs/interface/limits.md#parallel-requests), counted
 * here for docs/laws.md#law-5; the meaning of what comes back is given by the kiosk's own error classes and its
 * semaphore is the real one.
 */
import type { ApiClient } from '../../src-main/core/api/client.ts';
import { ApiError, classOfAnswer, classOfFault } from '../../src-main/core/api/error-class.ts';
import { createSemaphore } from '../../src-main/core/api/semaphore.ts';
import type { Chance } from './chance.ts';
import type { ModelPlatform } from './model-platform.ts';

/** How bad the network is; all zero when the world is quiet. */
export type Weather = {
  /** Shares of requests that meet each fault. */
  lostBefore: number;
  lostAfter: number;
  broken: number;
  portal: number;
  garbage: number;
  /** The whole platform answers like this, or serves normally. */
  mood: 'fine' | 'down' | 'keyRefused' | 'noEvent' | 'forbidden';
};

export const quietWeather = (): Weather => ({
  lostBefore: 0,
  lostAfter: 0,
  broken: 0,
  portal: 0,
  garbage: 0,
  mood: 'fine',
});

/** Requests of one key that are being served; shared by every kiosk of the key. */
export type KeySlots = { inFlight: number; most: number; refused: number };

const problem = (status: number, title: string, type: string): string =>
  JSON.stringify({ status, title, type });

/** A client of one kiosk. `isCut` tells whether that kiosk's own cable is out. */
export const createModelClient = (ports: {
  readonly platform: ModelPlatform;
  readonly kiosk: number;
  readonly chance: Chance;
  readonly weather: Weather;
  readonly slots: KeySlots;
  readonly isCut: () => boolean;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Told of this kiosk's requests in flight. */
  readonly onFlight: (inFlight: number) => void;
}): ApiClient => {
  const { platform, chance, weather, slots } = ports;
  let mine = 0;

  const fault = (code: string, sent: boolean): ApiError =>
    new ApiError(classOfFault(code, sent), `model ${code}`);
  const answered = (status: number, body: string, contentType = 'application/json'): ApiError =>
    new ApiError(classOfAnswer({ status, contentType, retryAfter: null, body }, 0), `model ${status}`);

  const served = async (
    isWrite: boolean,
    work: () => string | null,
    onWhole: () => void,
    signal?: AbortSignal,
  ): Promise<string> => {
    await ports.wait(chance.between(5, 120), signal);
    if (signal?.aborted === true) throw new DOMException('aborted', 'AbortError');
    if (ports.isCut() || weather.mood === 'down') throw fault('ECONNREFUSED', isWrite);
    if (chance.hits(weather.lostBefore)) throw fault('ECONNRESET', isWrite);
    if (chance.hits(weather.portal)) throw answered(302, '<html>Welcome to FairNet</html>', 'text/html');
    if (weather.mood === 'keyRefused') throw answered(401, problem(401, 'Unknown key', 'unauthorized'));
    if (weather.mood === 'forbidden') throw answered(403, problem(403, 'Not allowed', 'forbidden'));
    if (weather.mood === 'noEvent') throw answered(400, problem(400, 'Expo not found', 'badRequest'));
    if (slots.inFlight >= 2) {
      slots.refused += 1;
      throw answered(429, problem(429, 'Too many requests', 'tooManyRequests'));
    }
    slots.inFlight += 1;
    slots.most = Math.max(slots.most, slots.inFlight);
    try {
      if (chance.hits(weather.broken)) throw answered(503, 'upstream', 'text/plain');
      const body = work();
      await ports.wait(chance.between(5, 200), signal);
      if (ports.isCut() || chance.hits(weather.lostAfter)) throw fault('UND_ERR_SOCKET', isWrite);
      if (chance.hits(weather.broken)) throw answered(500, problem(500, 'Oops', 'internalServerError'));
      if (body === null) throw answered(422, problem(422, 'A bad item', 'unprocessableEntity'));
      if (chance.hits(weather.garbage)) return body.slice(0, Math.floor(body.length / 2));
      onWhole();
      return body;
    } finally {
      slots.inFlight -= 1;
    }
  };

  const semaphore = createSemaphore(1);
  const flight = (
    isWrite: boolean,
    work: () => string | null,
    onWhole: () => void,
    signal?: AbortSignal,
  ): Promise<string> =>
    semaphore.run(
      isWrite ? 'upload' : 'download',
      async () => {
        mine += 1;
        ports.onFlight(mine);
        try {
          return await served(isWrite, work, onWhole, signal);
        } finally {
          mine -= 1;
        }
      },
      signal,
    );

  const get: ApiClient['get'] = (path, query, signal) => {
    const [, resource = ''] = path.split('/');
    const work = () => {
      if (resource === 'box') throw answered(404, problem(404, 'Not found', 'notFound'));
      return resource === 'expos'
        ? JSON.stringify({ id: 'E1', name: 'Model fair', timezone: 'UTC' })
        : platform.list(resource, query);
    };
    return flight(false, work, () => platform.wasRead(ports.kiosk, resource, query.partnerId), signal);
  };

  return {
    get,
    getBytes: async (...given) => new TextEncoder().encode(await get(...given)),
    post: (_path, body, signal) =>
      flight(
        true,
        () => platform.write(body, ports.kiosk),
        () => platform.wasAnswered(body),
        signal,
      ),
    clockOffset: () => null,
    close: async () => undefined,
  };
};
