/**
 * The connection between a screen and its device. No other module knows the transport.
 *
 * Browser shell: oRPC over a WebSocket that reconnects (authenticated by the launch cookie) when the probe in
 * `knock.ts` is answered. Electron shell: oRPC over a MessagePort from the preload; a closed port is replaced.
 *
 * Invariants:
 * - Every call has a time limit, because a call on a closed port would never settle.
 * - While a stream has a subscriber, a broken stream is opened again. It resumes after the last event with an id.
 * - The loss of the link is published (`lost`) within one event.
 * - On a phone (https) a call that times out closes the connection, and so does the browser's event `offline`. The
 *   browser does not close it when the network is lost.
 * - Nothing is queued while the link is down, so an old touch never takes effect later.
 * - The root element shows the number of unanswered calls (`data-pending`) while there are any: the page's idle
 *   signal.
 */
import { createORPCClient, getEventMeta } from '@orpc/client';
import { RPCLink as MessagePortLink } from '@orpc/client/message-port';
import { RPCLink as WebSocketLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import ReconnectingWebSocket from 'partysocket/ws';
import type { contract } from '../../src-main/contract/contract.ts';
import { linkTimes } from '../times.ts';
import { knockUntilAnswered } from './knock.ts';
import type { LinkState } from './link-state.ts';

/** Every call and stream of the contract. */
export type DeviceClient = ContractRouterClient<typeof contract>;

/** The connection of this screen to its device. */
export type Link = {
  readonly state: () => LinkState;
  /** Calls the listener at every change of `state`; returns the function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Makes one call with a time limit in milliseconds. Rejects when the link is down or the time is over. */
  readonly call: <T>(
    ask: (client: DeviceClient, signal: AbortSignal) => Promise<T>,
    limitMs?: number,
  ) => Promise<T>;
  /**
   * Follows a stream until the subscriber leaves, and opens it again after each loss of the link. `lastEventId` is
   * then the id of the last event that arrived. If no event arrived, it is the time since the stream was first
   * opened, such as `2500 ms`.
   */
  readonly follow: <T>(
    open: (client: DeviceClient, signal: AbortSignal, lastEventId?: string) => Promise<AsyncIterable<T>>,
    hear: (value: T) => void,
  ) => () => void;
};

/** The object that the preload of the Electron shell adds to `window`. */
type ShellWindow = Window & { readonly touchpoint?: { readonly connect: () => void } };

/** Whether this page is on a phone of the team: only phones are served over https. */
export function isOnPhone(page: ShellWindow): boolean {
  return page.touchpoint === undefined && page.location.protocol === 'https:';
}

/** `hangUp` closes the connection, which then counts as lost. */
type Transport = (changed: (client: DeviceClient | null, hangUp?: () => void) => void) => void;

/** Connects to the device behind this page, in both shells. */
export function createLink(page: ShellWindow): Link {
  const listeners = new Set<() => void>();
  let client: DeviceClient | null = null;
  let hangUp: (() => void) | undefined;
  let state: LinkState = 'connecting';
  let pending = 0;
  const count = (change: 1 | -1) => {
    pending += change;
    const { dataset } = page.document.documentElement;
    if (pending > 0) dataset.pending = String(pending);
    else delete dataset.pending;
  };

  const start: Transport = page.touchpoint
    ? portTransport(page, page.touchpoint.connect)
    : socketTransport(page);
  start((next, end) => {
    client = next;
    hangUp = end;
    state = next ? 'up' : state === 'connecting' ? 'connecting' : 'lost';
    for (const listener of [...listeners]) listener();
  });

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };

  return {
    state: () => state,
    subscribe,
    call: (ask, limitMs = linkTimes.call) => {
      if (!client) return Promise.reject(new Error('The link to the device is down'));
      count(1);
      const limit = AbortSignal.timeout(limitMs);
      const end = hangUp;
      return ask(client, limit)
        .catch((error: unknown) => {
          if (limit.aborted) end?.();
          throw error;
        })
        .finally(() => count(-1));
    },
    follow: <T>(
      open: (client: DeviceClient, signal: AbortSignal, lastEventId?: string) => Promise<AsyncIterable<T>>,
      hear: (value: T) => void,
    ) => {
      const stop = new AbortController();
      let lastEventId: string | undefined;
      let openedAt: number | null = null;
      const receive = (value: T) => {
        lastEventId = getEventMeta(value)?.id ?? lastEventId;
        hear(value);
      };
      const run = async () => {
        while (!stop.signal.aborted) {
          const current = client;
          if (current) {
            // The loop below reopens a stream that ended; `state` publishes the loss.
            const now = page.performance.now();
            const position =
              lastEventId ?? (openedAt === null ? undefined : `${Math.ceil(now - openedAt)} ms`);
            openedAt ??= now;
            await listen(() => open(current, stop.signal, position), receive, stop.signal).catch(
              () => undefined,
            );
          }
          await pause(linkTimes.retry, subscribe, stop.signal);
        }
      };
      void run();
      return () => stop.abort();
    },
  };
}

async function listen<T>(open: () => Promise<AsyncIterable<T>>, hear: (value: T) => void, stop: AbortSignal) {
  for await (const value of await open()) {
    if (stop.aborted) return;
    hear(value);
  }
}

/** Waits for `ms`, or until the link changes. */
function pause(ms: number, subscribe: Link['subscribe'], stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      unsubscribe();
      stop.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const unsubscribe = subscribe(done);
    stop.addEventListener('abort', done, { once: true });
  });
}

function socketTransport(page: Window): Transport {
  return (changed) => {
    const { location, performance } = page;
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const address = `${scheme}//${location.host}/rpc`;
    const knock = async () => {
      const { status } = await page.fetch('/', {
        method: 'HEAD',
        cache: 'no-store',
        signal: AbortSignal.timeout(linkTimes.connectionTimeout),
      });
      // A phone that has lost its access reloads the page and so forgets its data.
      if (status === 403 && isOnPhone(page)) location.reload();
    };
    const whenAnswered = async (): Promise<string> => {
      // The first connection needs no probe: the page has just been loaded from the device.
      if (socket.retryCount > 0) await knockUntilAnswered(knock, () => performance.now());
      return address;
    };
    const socket = new ReconnectingWebSocket(whenAnswered, [], {
      minReconnectionDelay: linkTimes.reconnectFrom,
      maxReconnectionDelay: linkTimes.reconnectTo,
      reconnectionDelayGrowFactor: 1.4,
      minUptime: linkTimes.reconnectTo,
      connectionTimeout: linkTimes.connectionTimeout,
      maxEnqueuedMessages: 0,
    });
    const client: DeviceClient = createORPCClient(
      new WebSocketLink({ websocket: socket as unknown as WebSocket }),
    );
    const hangUp = () => socket.reconnect();
    if (isOnPhone(page)) page.addEventListener('offline', hangUp);
    socket.addEventListener('open', () => changed(client, isOnPhone(page) ? hangUp : undefined));
    socket.addEventListener('close', () => changed(null));
  };
}

function portTransport(page: ShellWindow, connect: () => void): Transport {
  return (changed) => {
    page.addEventListener('message', (event) => {
      const port = event.ports[0];
      if (event.source !== page || event.origin !== page.location.origin) return;
      if (event.data !== 'touchpoint:port' || !port) return;
      changed(createORPCClient(new MessagePortLink({ port })));
      port.addEventListener('close', () => {
        changed(null);
        setTimeout(connect, linkTimes.retry);
      });
      port.start();
    });
    connect();
  };
}
