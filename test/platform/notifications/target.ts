/**
 * A consumer's endpoint for notifications: a real HTTP server that records the time of each call on the given clock.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export type Called = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly at: number;
};

export type Behaviour = (
  call: Called,
  response: ServerResponse,
  request: IncomingMessage,
) => void | Promise<void>;

export type Target = {
  readonly url: string;
  readonly calls: readonly Called[];
  /** Answers all later calls this way. */
  readonly answer: (behaviour: Behaviour | number) => void;
  /** Waits until there were `count` calls, and a little longer for a surplus call. Returns all calls. */
  readonly called: (count: number) => Promise<readonly Called[]>;
};

/** Waits until `condition` holds; fails with `what` after fifty seconds, which a loaded machine may need. */
export const until = async (what: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
  const end = Date.now() + 50_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}`);
    await delay(5);
  }
};

/** A little real time during which an unwanted call would happen. */
export const moment = (): Promise<void> => delay(40);

/** Starts a target that answers 200. */
export const startTarget = async (now: () => number): Promise<Target> => {
  const calls: Called[] = [];
  let behaviour: Behaviour = (_call, response) => void response.end();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://target');
    const call: Called = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      at: now(),
    };
    calls.push(call);
    // A failing consumer sends no answer. Platform and test must both notice that.
    Promise.resolve(behaviour(call, response, request)).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    calls,
    answer: (next) => {
      behaviour =
        typeof next === 'number'
          ? (_call, response) => {
              response.statusCode = next;
              response.end();
            }
          : next;
    },
    called: async (count) => {
      await until(`the target was called ${count} times`, () => calls.length >= count);
      await moment();
      return calls;
    },
  };
};
