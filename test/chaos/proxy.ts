/**
 * A hostile network between one device and the platform: an HTTP proxy that breaks a share of the requests.
 *
 *     kiosk ──(lookup, connect, TLS)──► proxy ──(clean keep-alive connections)──► platform
 *
 * Invariants:
 * - A fault is counted by kind when it takes effect.
 * - When the device aborts a request, the proxy also aborts the request to the platform, as in a real network.
 * - Open requests are counted where the platform sees them.
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type LookupFunction, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Channel, deliver, headOf, reset, stall, type WholeAnswer, wholeOf } from './answers.ts';
import type { Certificate } from './certificate.ts';
import {
  ANSWER_FAULTS,
  CONNECT_FAULTS,
  type ConnectFault,
  createDeck,
  type Fault,
  isOneOf,
  type Mood,
  seededRandom,
  UNSEEN_FAULTS,
  type UnseenFault,
} from './faults.ts';

/** Number of open requests at the platform, over all proxies of a key. */
export type Gauge = { now: number; most: number };

export type ProxyPorts = {
  /** Base address of the platform. */
  readonly upstream: string;
  readonly seed: number;
  /** The device's wall time. `Date` headers and `Retry-After` dates follow it. */
  readonly now: () => number;
  /** Share of requests with a fault. */
  readonly share: number;
  /** Speaks TLS with the first certificate. The fault `badTls` presents the second. */
  readonly tls: { readonly good: Certificate; readonly bad: Certificate } | null;
  readonly gauge: Gauge;
  /** Target of redirects. It must never receive a request. */
  readonly elsewhere: string;
};

export type ChaosProxy = {
  readonly baseUrl: string;
  /** The name lookup that the device uses. */
  readonly lookup: LookupFunction;
  /** Number of requests, including those that failed to connect. */
  readonly requests: () => number;
  readonly faults: ReadonlyMap<Fault, number>;
  /** Maximum number of open requests of this device at the platform. */
  readonly most: () => number;
  /** From now on every request gets this answer, without the platform. Null ends that. */
  readonly turn: (mood: Mood | null) => void;
  /** From now on there are no more faults. */
  readonly calm: () => void;
  readonly close: () => Promise<void>;
};

/** The answer to every request while another server answers in place of the platform. */
const MOOD_ANSWERS: Readonly<Record<Mood, { readonly status: number; readonly body: string }>> = {
  emptyLists: { status: 200, body: '[]' },
  badRequest: { status: 400, body: '{"title":"Bad request"}' },
};

const GONE = ['end', 'error', 'close'] as const;

/** Number of 429 answers in one burst. */
const BURST = 3;

/** Starts a proxy. */
export const startProxy = async (ports: ProxyPorts): Promise<ChaosProxy> => {
  const { now, tls, gauge } = ports;
  const random = seededRandom(ports.seed);
  const kinds: readonly Fault[] = [
    ...CONNECT_FAULTS.filter((kind) => kind !== 'badTls' || tls !== null),
    ...UNSEEN_FAULTS,
    ...ANSWER_FAULTS,
  ];
  const draw = createDeck(kinds, random);
  const faults = new Map<Fault, number>();
  const upstream = new URL(ports.upstream);
  const agent = new Agent({ keepAlive: true });
  const stale = new WeakSet<Socket>();
  const sockets = new Set<Socket>();
  const toConnect: ConnectFault[] = [];
  const mine: Gauge = { now: 0, most: 0 };
  let requests = 0;
  let burst = 0;
  let calm = false;
  let mood: Mood | null = null;

  const count = (kind: Fault): void => {
    faults.set(kind, (faults.get(kind) ?? 0) + 1);
  };
  /** Takes the next fault of a connection attempt, if any. Counts the request, which reaches no HTTP server. */
  const countConnect = (): ConnectFault | undefined => {
    const kind = calm ? undefined : toConnect.shift();
    if (kind === undefined) return undefined;
    count(kind);
    requests += 1;
    return kind;
  };

  const forward = (incoming: IncomingMessage, body: Buffer): Promise<WholeAnswer> =>
    new Promise((resolve, reject) => {
      for (const meter of [gauge, mine]) {
        meter.now += 1;
        meter.most = Math.max(meter.most, meter.now);
      }
      let counted = true;
      const over = (): void => {
        if (!counted) return;
        counted = false;
        gauge.now -= 1;
        mine.now -= 1;
      };
      const outgoing = request(
        {
          host: upstream.hostname,
          port: upstream.port,
          path: incoming.url,
          method: incoming.method,
          agent,
          headers: {
            authorization: incoming.headers.authorization ?? '',
            ...(body.length === 0
              ? {}
              : {
                  'content-type': incoming.headers['content-type'] ?? '',
                  'content-length': body.length,
                }),
          },
        },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.once('end', () => {
            over();
            const contentType = answer.headers['content-type'] ?? '';
            resolve({ status: answer.statusCode ?? 0, contentType, body: Buffer.concat(parts) });
          });
          answer.once('error', reject);
        },
      );
      const givenUp = (): void => {
        over();
        outgoing.destroy();
      };
      // The first of these events shows the disconnect. From then on the device may send its next request.
      for (const sign of GONE) incoming.socket.once(sign, givenUp);
      outgoing.once('close', () => {
        over();
        for (const sign of GONE) incoming.socket.removeListener(sign, givenUp);
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });

  const problem = (status: number, title: string, type: string): WholeAnswer => ({
    status,
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify({ status, title, type })),
  });

  /** Faults that the platform never sees. */
  const refuse = async (fault: UnseenFault, socket: Socket): Promise<void> => {
    const say = (answer: WholeAnswer): void => {
      socket.write(wholeOf(answer, now()));
    };
    const page = (status: number): WholeAnswer => ({
      status,
      contentType: 'text/html',
      body: Buffer.from('<html><body>Please accept the terms of the venue Wi-Fi.</body></html>'),
    });
    switch (fault) {
      case 'resetBeforeHeaders':
        return reset(socket);
      case 'staleKeepAlive':
        socket.destroy();
        return;
      case 'stall':
        return stall(socket);
      case 'busyBurst': {
        const { body } = problem(429, 'Too many parallel requests', 'tooManyRequests');
        const wait = random() < 0.5 ? '1' : new Date(now() + 2_000).toUTCString();
        const type = 'content-type: application/json';
        socket.write(headOf(429, [type, `retry-after: ${wait}`, `content-length: ${body.length}`]) + body);
        return;
      }
      case 'status500':
        return say(problem(500, 'Something went wrong here', 'internalServerError'));
      case 'status502':
        return say(page(502));
      case 'status503':
        return say(page(503));
      case 'status504':
        return say({ ...page(504), contentType: '' });
      case 'status422':
        return say(problem(422, 'The submitted data was rejected', 'unprocessableEntity'));
      case 'eventNotFound':
        return say(problem(400, 'Expo not found', 'badRequest'));
      case 'redirect':
        socket.write(headOf(307, [`location: ${ports.elsewhere}`, 'content-length: 0']));
        return;
      case 'garbage':
        socket.end('\u0016\u0003\u0001 this is not HTTP \u0000\r\n\r\n');
        return;
      case 'captivePortal':
        return say(page(200));
    }
  };

  const next = (): Fault | null => {
    if (calm) return null;
    if (burst > 0) {
      burst -= 1;
      return 'busyBurst';
    }
    if (random() >= ports.share) return null;
    const drawn = draw();
    if (drawn === 'busyBurst') burst = BURST - 1;
    return drawn;
  };

  const hear = async (incoming: IncomingMessage): Promise<void> => {
    requests += 1;
    const { socket } = incoming;
    if (stale.has(socket) && !calm) {
      count('staleKeepAlive');
      return refuse('staleKeepAlive', socket);
    }
    const fault = next();
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    if (mood !== null) {
      const { status, body } = MOOD_ANSWERS[mood];
      socket.write(wholeOf({ status, contentType: 'application/json', body: Buffer.from(body) }, now()));
      return;
    }
    if (fault !== null && isOneOf(UNSEEN_FAULTS, fault) && fault !== 'staleKeepAlive') {
      count(fault);
      return refuse(fault, socket);
    }
    // This lets earlier events of other connections be processed first, such as a disconnect.
    await nextTurn();
    await nextTurn();
    const answer = await forward(incoming, Buffer.concat(parts));
    const channel: Channel = { socket, now, random };
    if (fault !== null && isOneOf(ANSWER_FAULTS, fault)) {
      count(fault);
      return deliver(fault, answer, channel);
    }
    socket.write(wholeOf(answer, now()));
    if (fault === 'staleKeepAlive') stale.add(socket);
    if (fault !== null && isOneOf(CONNECT_FAULTS, fault)) {
      toConnect.push(fault);
      socket.end();
    }
  };

  const answering = (certificate: Certificate | null): Server => {
    const listener = (incoming: IncomingMessage): void => {
      // A rejection means that the connection is closed, which the device detects itself.
      hear(incoming).catch(() => incoming.socket.destroy());
    };
    const options = { keepAliveTimeout: 0, requestTimeout: 0 };
    const server =
      certificate === null
        ? createServer(options, listener)
        : createTlsServer({ ...options, ...certificate }, listener);
    server.on('clientError', (_error, socket) => socket.destroy());
    server.on('tlsClientError', (_error, socket: Socket) => socket.destroy());
    return server;
  };
  const good = answering(tls?.good ?? null);
  const bad = tls === null ? null : answering(tls.bad);

  const front = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    const isBad = bad !== null && !calm && toConnect[0] === 'badTls' && countConnect() !== undefined;
    (isBad ? bad : good).emit('connection', socket);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const address = front.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  return {
    baseUrl: `${tls === null ? 'http' : 'https'}://localhost:${port}${upstream.pathname}`,
    lookup: (_host, options, done) => {
      const fault = toConnect[0] === 'badTls' ? undefined : countConnect();
      if (fault === 'dnsFailure') {
        done(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), '', 4);
        return;
      }
      // The proxy listens on one of the two addresses of this machine. The other one refuses.
      const found = fault === 'refused' ? { address: '::1', family: 6 } : { address: '127.0.0.1', family: 4 };
      if (options.all === true) done(null, [found]);
      else done(null, found.address, found.family);
    },
    requests: () => requests,
    faults,
    most: () => mine.most,
    turn: (next) => {
      mood = next;
    },
    calm: () => {
      calm = true;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      front.close();
      await once(front, 'close');
    },
  };
};
