/**
 * The contract for the pages of the shell, over the one line between shell and core.
 *
 * Invariants: each page has a conversation of its own; when another router serves, every conversation is over and the
 * pages ask for a new one.
 */
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import type { FromCore } from './core-messages.ts';

type Hear = (event?: { readonly data: unknown }) => void;

export type CorePages = {
  readonly opened: (page: number) => void;
  readonly said: (page: number, data: unknown) => void;
  readonly closed: (page: number) => void;
  /** Answers by another router from now on. */
  readonly serve: (router: AnyRouter) => void;
};

/** Answers pages by `router`, at first. */
export function createCorePages(router: AnyRouter, send: (message: FromCore) => void): CorePages {
  let handler = new RPCHandler(router);
  const pages = new Map<number, Map<string, Hear>>();
  const closed = (page: number) => {
    const hears = pages.get(page);
    pages.delete(page);
    hears?.get('close')?.();
  };
  return {
    opened: (page) => {
      const hears = new Map<string, Hear>();
      pages.set(page, hears);
      const port = {
        on: (event: string, hear: Hear) => void hears.set(event, hear),
        postMessage: (data: unknown) => {
          if (pages.get(page) === hears) send({ kind: 'page-said', page, data });
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
