/**
 * The browser shell: serves the renderer and the contract on loopback to any browser of this machine.
 *
 * Invariant: the request handler checks every request and every WebSocket.
 */
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { AnyRouter } from '@orpc/server';
import type { Clock, Log, Random } from '../core/foundations/ports.ts';
import type { AttractFiles } from '../page/attract-files.ts';
import type { PageFiles } from '../page/page-files.ts';
import { headOf, limitBody, refuseUpgrade, send } from './http-messages.ts';
import { listenOnLoopback } from './loopback.ts';
import { createRequestHandler } from './request-handler.ts';
import { openSessions } from './sessions.ts';
import { createSockets } from './sockets.ts';

export type BrowserShell = {
  readonly port: number;
  /** Address of the contract, for tools with the bearer token. */
  readonly rpc: string;
  /** A new launch link, for one browser. */
  readonly freshLink: () => string;
  /** Serves another router from now on; every page reconnects. */
  readonly serve: (router: AnyRouter) => void;
  readonly stop: () => Promise<void>;
};

/** Opens the shell. @throws {StartRefusal} when its port is in use */
export async function openBrowserShell({
  clock,
  random,
  log,
  router,
  files,
  attract,
  folder,
  port,
  token,
  pingMs,
}: {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'bytes'>;
  readonly log: Log;
  readonly router: AnyRouter;
  readonly files: PageFiles;
  readonly attract: AttractFiles;
  /** The data folder, which stores the browsers' sessions. */
  readonly folder: string;
  /** Null means the default port, or any free one. */
  readonly port: number | null;
  /** Bearer token for tools of this user. */
  readonly token: string;
  readonly pingMs?: number;
}): Promise<BrowserShell> {
  const sessions = openSessions({ clock, random, log, file: join(folder, 'browsers.json') });
  const sockets = createSockets(router, pingMs);
  const link = (at: number) => `http://127.0.0.1:${at}/?launch=${sessions.issue()}`;
  const handler = createRequestHandler({ files, attract, token, sessions, link });

  const loopback = await listenOnLoopback(port, {
    request: (request, response) => {
      limitBody(request);
      const head = headOf(request);
      if (handler.isAuthenticated(head, portOf(request))) loopback.keep(request.socket);
      send(response, handler.respond(head, portOf(request)));
    },
    upgrade: (request, connection, head) => {
      connection.on('error', () => connection.destroy());
      const status = handler.refuseSocket(headOf(request), portOf(request));
      if (status !== null) return refuseUpgrade(connection, status);
      loopback.keep(connection);
      sockets.accept(request, connection, head);
    },
  });
  return {
    port: loopback.port,
    rpc: `ws://127.0.0.1:${loopback.port}/rpc`,
    freshLink: () => link(loopback.port),
    serve: sockets.serve,
    stop: async () => {
      sockets.close();
      await loopback.close();
    },
  };
}

/** The port of the request, which both listeners share. */
function portOf(request: IncomingMessage): number {
  return request.socket.localPort ?? 0;
}
