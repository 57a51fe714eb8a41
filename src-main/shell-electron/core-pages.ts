/**
 * Serves the contract to the shell's pages over the message line between shell and core.
 *
 * Invariants:
 * - each page has its own connection;
 * - when another router serves, every connection ends and the pages reconnect.
 */
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import type { FromCore } from './core-messages.ts';

type Listener = (event?: { readonly data: unknown }) => void;

export type CorePages = {
  readonly opened: (page: number) => void;
  readonly said: (page: number, data: unknown) => void;
  readonly closed: (page: number) => void;
  /** Serves another router from now on. */
  readonly serve: (router: AnyRouter) => void;
};

/** Serves `router` to the pages. `send`: sends a message to the shell. */
export function createCorePages(router: AnyRouter, send: (message: FromCore) => void): CorePages {
  let handler = new RPCHandler(router);
  const pages = new Map<number, Map<string, Listener>>();
  const closed = (page: number) => {
    const listeners = pages.get(page);
    pages.delete(page);
    listeners?.get('close')?.();
  };
  return {
    opened: (page) => {
      const listeners = new Map<string, Listener>();
      pages.set(page, listeners);
      const port = {
        on: (event: string, listener: Listener) => void listeners.set(event, listener),
        postMessage: (data: unknown) => {
          if (pages.get(page) === listeners) send({ kind: 'page-said', page, data });
        },
      };
      handler.upgrade(port, { context: { page: port } });
    },
    said: (page, data) => pages.get(page)?.get('message')?.({ data }),
    closed,
    serve: (next) => {
      handler = new RPCHandler(next);
      for (const page of [...pages.keys()]) closed(page);
      send({ kind: 'pages-anew' });
    },
  };
}
