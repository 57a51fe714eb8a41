/**
 * The https server for phones of the team, on the networks of this machine.
 *
 * Invariants:
 * - Only a client in the same network gets an answer. At most fifty new connections per second are processed; any
 *   more are closed at once.
 * - Every request names one of our addresses with our port (against DNS rebinding). If a browser sends an origin, it
 *   is ours.
 * - Without the cookie of a paired phone a client can exchange a code for a cookie, and gets no file of the app: only a
 *   page that says what to do.
 * - A response is never stored. The cookie is hidden from scripts, sent over https only, and never to another site.
 */
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AnyRouter } from '@orpc/server';
import type { ServerCertificate } from '../certificate/certificate.ts';
import type { PhoneKind } from '../contract/phones.ts';
import type { Clock } from '../core/foundations/ports.ts';
import type { Page } from '../core/team/staff/sessions.ts';
import { isIn, type Network } from '../machine/networks.ts';
import type { PageFiles } from '../page/page-files.ts';
import { pageHeaders } from '../page/page-policy.ts';
import { headOf, limitBody, refuseUpgrade, send } from '../shell-browser/http-messages.ts';
import { createSocketLimit, listen, portOf, SERVER_LIMITS } from '../shell-browser/loopback.ts';
import {
  checkRequest,
  checkUpgrade,
  type OwnPlace,
  type RequestHead,
  valuesOf,
} from '../shell-browser/request-check.ts';
import { cookiesOf } from '../shell-browser/request-handler.ts';
import { askAgainPage, type HttpResponse, html, page, refusal } from '../shell-browser/responses.ts';
import { createSockets } from '../shell-browser/sockets.ts';
import type { PairedPhone, Pairing } from './pairing.ts';

const HANDSHAKE_MS = 10_000;
const MOST_CONNECTIONS = 256;
const MOST_ARRIVALS = 50;
const COOKIE = 'touchpoint-phone';

export type PhoneServer = {
  readonly port: number;
  /** Closes the connections of a phone. */
  readonly cut: (page: Page) => void;
  readonly close: () => Promise<void>;
};

/** Decides which phones the server admits. */
export type PhoneGate = Pick<Pairing, 'exchange' | 'authenticate'> & {
  /** Called when a phone was paired by a code. */
  readonly paired: (phone: PairedPhone) => void;
  /** Records a request of a paired phone. Returns its page. */
  readonly seen: (phone: PairedPhone) => Page;
};

/** Opens the server on `port`, or on any free port if that fails. @throws {Error} when no port can be opened */
export async function openPhoneServer({
  clock,
  certificate: { key, cert },
  port,
  networks,
  files,
  gate,
  router,
}: {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly certificate: Pick<ServerCertificate, 'key' | 'cert'>;
  readonly port: number;
  /** The networks of this machine now. */
  readonly networks: () => readonly Network[];
  readonly files: PageFiles;
  readonly gate: PhoneGate;
  readonly router: AnyRouter;
}): Promise<PhoneServer> {
  const sockets = createSockets(router);
  const limit = createSocketLimit();
  const place = (): OwnPlace => ({
    scheme: 'https',
    hosts: networks().map(({ address }) => `${address}:${portOf(server)}`),
  });
  const phoneOf = (head: RequestHead) => gate.authenticate(cookiesOf(head, COOKIE));

  const server = createServer(
    { ...SERVER_LIMITS, key, cert, handshakeTimeout: HANDSHAKE_MS },
    (request, response) => {
      limitBody(request);
      const head = headOf(request);
      const phone = phoneOf(head);
      if (phone !== null) {
        gate.seen(phone);
        limit.keep(request.socket);
      }
      send(response, respond(head, request.socket.remoteAddress ?? '', phone));
    },
  );
  const respond = (head: RequestHead, from: string, phone: PairedPhone | null): HttpResponse => {
    const check = checkRequest(head, place());
    if (check.kind === 'refused') return refusal(check.status);
    if (head.method === 'POST') return refusal(405);
    const [path = '', query = ''] = head.target.split('?', 2);
    const code = path === '/' ? new URLSearchParams(query).get('pair') : null;
    if (code !== null) return exchange(head, code, from, phone);
    if (check.foreign) return html(200, askAgainPage);
    if (phone === null) return html(403, notPairedPage);
    const file = files.find(path);
    if (file === null) return refusal(404);
    return { status: 200, headers: pageHeaders(check.host, 'wss'), type: file.type, body: file.bytes };
  };
  /** A browser that prefetches a code does not use it up. */
  const exchange = (
    head: RequestHead,
    code: string,
    from: string,
    phone: PairedPhone | null,
  ): HttpResponse => {
    if (head.method !== 'GET' || valuesOf(head.rawHeaders, 'sec-purpose').length > 0) return refusal(503);
    const answer = gate.exchange(code, from, kindOf(head), phone);
    if (answer === 'wait') return html(429, waitPage);
    if (answer === 'wrong' && phone === null) return html(403, notPairedPage);
    const away = refusal(303);
    if (answer === 'wrong') return { ...away, headers: { ...away.headers, Location: '/' } };
    gate.paired(answer.phone);
    const seconds = Math.floor((answer.phone.until - clock.now()) / 1_000);
    const cookie = `${COOKIE}=${answer.cookie}; Max-Age=${seconds}; Path=/; HttpOnly; Secure; SameSite=Strict`;
    return { ...away, headers: { ...away.headers, 'Set-Cookie': cookie, Location: '/' } };
  };

  let arrivals = { second: 0, count: 0 };
  server.on('connection', (socket: Socket) => {
    const second = Math.floor(clock.monotonic() / 1_000);
    arrivals = { second, count: arrivals.second === second ? arrivals.count + 1 : 1 };
    const isNear = isIn(networks(), socket.remoteAddress ?? '');
    if (!isNear || arrivals.count > MOST_ARRIVALS) socket.destroy();
  });
  server.on('secureConnection', limit.enter);
  server.on('upgrade', (request: IncomingMessage, connection: Duplex, first: Buffer) => {
    connection.on('error', () => connection.destroy());
    const head = headOf(request);
    const check = checkUpgrade(head, place());
    const phone = check.kind === 'cookie' ? phoneOf(head) : null;
    if (check.kind === 'refused') return refuseUpgrade(connection, check.status);
    if (phone === null) return refuseUpgrade(connection, 401);
    limit.keep(connection);
    sockets.accept(request, connection, first, gate.seen(phone));
  });
  server.maxConnections = MOST_CONNECTIONS;

  const outcome = await listen(server, port, '0.0.0.0');
  if (outcome !== 'listening' && (await listen(server, 0, '0.0.0.0')) !== 'listening') {
    sockets.close();
    throw new Error(`No port for phones: ${outcome}`);
  }
  return {
    port: portOf(server),
    cut: sockets.cut,
    close: async () => {
      sockets.close();
      const closed = new Promise((resolve) => server.close(resolve));
      limit.closeAll();
      await closed;
    },
  };
}

function kindOf({ rawHeaders }: RequestHead): PhoneKind {
  const agent = valuesOf(rawHeaders, 'user-agent').join(' ');
  if (agent.includes('iPhone')) return 'iphone';
  return agent.includes('Android') ? 'android' : 'other';
}

/** For a phone without access. It cannot load the renderer's catalogues, so this page has two languages. */
const notPairedPage = page(
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<h1>This phone is not paired</h1>' +
    '<p>A code pairs one phone, once, within five minutes, until midnight. Show a new code on the laptop: ' +
    'staff pages, Team, Phones of the team.</p>' +
    '<h1 lang="de">Dieses Telefon ist nicht verbunden</h1>' +
    '<p lang="de">Ein Code verbindet ein Telefon, einmal, innerhalb von f\u00fcnf Minuten, bis Mitternacht. Zeigen Sie auf dem ' +
    'Laptop einen neuen Code: Team-Seiten, Team, Telefone des Teams.</p>',
);

const waitPage = page(
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<h1>Too many wrong codes</h1><p>Wait a minute, then scan a new code.</p>' +
    '<h1 lang="de">Zu viele falsche Codes</h1>' +
    '<p lang="de">Warten Sie eine Minute und scannen Sie dann einen neuen Code.</p>',
);
