/**
 * The contract over message ports: who may have one.
 *
 * Invariant: only the top frame of a page of ours gets a port, one at a time; an older one of the same page is closed.
 */

import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import type { IpcMainEvent, MessageChannelMain, MessagePortMain, WebContents } from 'electron';
import { PAGE_ADDRESS } from './page-protocol.ts';

/** The sender of a request for a port, as far as it decides. */
export type ConnectRequest = {
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null;
};

/** Whether this frame may speak the contract. */
export function mayConnect({ senderFrame }: ConnectRequest): boolean {
  return senderFrame !== null && senderFrame.parent === null && senderFrame.url.startsWith(PAGE_ADDRESS);
}

export type PortHandler = {
  /** Answers `touchpoint:connect` with a port to the contract. */
  readonly connect: (event: IpcMainEvent) => void;
  /** Answers by another router from now on; ports that were given close, and their pages ask again. */
  readonly serve: (router: AnyRouter) => void;
};

/** Ports to the contract, at first to `router`. */
export function createPortHandler(router: AnyRouter, makeChannel: () => MessageChannelMain): PortHandler {
  let handler = new RPCHandler(router);
  const given = new Map<WebContents, MessagePortMain>();
  return {
    serve: (next) => {
      handler = new RPCHandler(next);
      for (const port of given.values()) port.close();
      given.clear();
    },
    connect: (event) => {
      if (!mayConnect(event)) return;
      given.get(event.sender)?.close();
      const { port1, port2 } = makeChannel();
      given.set(event.sender, port1);
      handler.upgrade(port1, { context: { page: port1 } });
      port1.start();
      event.sender.postMessage('touchpoint:port', null, [port2]);
    },
  };
}
