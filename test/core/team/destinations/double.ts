/**
 * The common parts of the doubles of HubSpot and Salesforce: an HTTP server, records, and the faults of the real
 * services.
 *
 * Invariants:
 * - It speaks HTTP on loopback, as the real service does over TLS.
 * - A fault happens at a realistic point: before the write, after it, or instead of the answer.
 * - A record appears in lookups only after `readDelayMs`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A user or a queue of the CRM. A queue has no e-mail address. Only an active one can own records. */
export type User = { readonly id: string; readonly email: string | null; readonly isActive: boolean };

/** How badly a double behaves. Shares are probabilities per request. */
export type Mood = {
  /** The request is refused before anything is written (500). */
  readonly failsBefore: number;
  /** The write happens, and the answer is 500. */
  readonly failsAfter: number;
  /** The write happens, and the connection breaks. */
  readonly breaks: number;
  /** One record of a batch is not processed. */
  readonly leavesOut: number;
  /** Requests per `windowMs`; more are answered with 429. */
  readonly perWindow: number;
  readonly windowMs: number;
  /** Seconds after which a refused request may be repeated. */
  readonly retryAfter: string;
  readonly readDelayMs: number;
  /** Delay between a request and its answer. */
  readonly latencyMs: number;
};

export const KIND: Mood = {
  failsBefore: 0,
  failsAfter: 0,
  breaks: 0,
  leavesOut: 0,
  perWindow: 1_000_000,
  windowMs: 1_000,
  retryAfter: '0',
  readDelayMs: 0,
  latencyMs: 0,
};

export const UNKIND: Mood = {
  failsBefore: 0.05,
  failsAfter: 0.08,
  breaks: 0.08,
  leavesOut: 0.2,
  perWindow: 12,
  windowMs: 100,
  retryAfter: '0',
  readDelayMs: 40,
  latencyMs: 0,
};

/** A record. `shown`: what lookups see; it follows `values` after the delay. */
export type Stored = {
  readonly id: string;
  values: Record<string, string>;
  shown: Record<string, string> | null;
  /** Wall time from which `values` are shown. */
  showsAt: number;
  /** Id of the record into which this one was merged. */
  mergedInto: string | null;
};

export type Request = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: unknown;
};
export type Reply = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
};

export type Double = {
  readonly address: string;
  readonly records: Map<string, Stored>;
  readonly requests: Request[];
  /** Wall time of each request that was refused with 429. */
  readonly refusals: number[];
  mood: Mood;
  users: readonly User[];
  /** Whether the access may read users. */
  readsUsers: boolean;
  /** Which requests are refused with 400, as when a property that they name was removed. */
  refuses: (request: Request) => boolean;
  /** Changes the text of every answer, as another service behind the same address would. */
  spoil: (text: string) => string;
  /** Tokens that are accepted. */
  readonly tokens: Set<string>;
  /** Like a person who changes a value there. */
  readonly edit: (id: string, property: string, value: string) => void;
  /** Like a person who merges a record into another, which keeps its values. */
  readonly merge: (id: string, into: string) => void;
  /** Creates or replaces values, as the service does. */
  readonly write: (record: Stored, values: Readonly<Record<string, string>>) => void;
  readonly create: (values: Readonly<Record<string, string>>) => Stored;
  /** What lookups see of a record now, or null. */
  readonly see: (record: Stored) => Readonly<Record<string, string>> | null;
  readonly leavesOut: () => boolean;
  readonly close: () => Promise<void>;
};

/** Starts a double. `answer` serves one request, `isOpen` the paths that need no token. */
export async function startDouble(
  fraction: () => number,
  answer: (request: Request, double: Double) => Reply,
  isOpen: (path: string) => boolean = () => false,
): Promise<Double> {
  const records = new Map<string, Stored>();
  const requests: Request[] = [];
  let windowStart = 0;
  let inWindow = 0;
  let nextId = 1_001;

  const serve = (request: Request): Reply | 'break' => {
    if (request.path === '/contacts')
      return { status: 200, body: [...records.values()].map(({ values }) => values) };
    if (isOpen(request.path)) return answer(request, double);
    const { mood } = double;
    const now = Date.now();
    if (now - windowStart > mood.windowMs) {
      windowStart = now;
      inWindow = 0;
    }
    inWindow += 1;
    if (inWindow > mood.perWindow) {
      double.refusals.push(now);
      return { status: 429, body: { message: 'limit' }, headers: { 'retry-after': mood.retryAfter } };
    }
    const token = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!double.tokens.has(token)) return { status: 401, body: [{ errorCode: 'INVALID_SESSION_ID' }] };
    if (double.refuses(request)) return { status: 400, body: {} };
    if (fraction() < mood.failsBefore) return { status: 500, body: {} };
    const reply = answer(request, double);
    const luck = fraction();
    if (luck < mood.failsAfter) return { status: 500, body: {} };
    return luck < mood.failsAfter + mood.breaks ? 'break' : reply;
  };

  const server = createServer((incoming, response) => {
    void read(incoming).then((text) => {
      const url = new URL(incoming.url ?? '/', 'http://double');
      const request: Request = {
        method: incoming.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        text,
        body: /json/u.test(incoming.headers['content-type'] ?? '') && text !== '' ? JSON.parse(text) : null,
      };
      requests.push(request);
      const reply = serve(request);
      setTimeout(() => {
        if (reply === 'break') incoming.socket.destroy();
        else send(response, reply, double.spoil);
      }, double.mood.latencyMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const double: Double = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    records,
    requests,
    refusals: [],
    mood: KIND,
    users: [],
    readsUsers: true,
    refuses: () => false,
    spoil: (text) => text,
    tokens: new Set(),
    edit: (id, property, value) => {
      const record = records.get(id);
      if (record === undefined) throw new Error(`no record ${id}`);
      record.values = { ...record.values, [property]: value };
      record.shown = record.values;
    },
    merge: (id, into) => {
      const record = records.get(id);
      if (record === undefined) throw new Error(`no record ${id}`);
      record.mergedInto = into;
    },
    write: (record, values) => {
      record.shown = double.see(record);
      record.values = { ...record.values, ...values };
      record.showsAt = Date.now() + double.mood.readDelayMs;
    },
    create: (values) => {
      const record: Stored = {
        id: String(nextId++),
        values: {},
        shown: null,
        showsAt: Number.POSITIVE_INFINITY,
        mergedInto: null,
      };
      records.set(record.id, record);
      double.write(record, values);
      return record;
    },
    see: (record) => (Date.now() >= record.showsAt ? record.values : record.shown),
    leavesOut: () => fraction() < double.mood.leavesOut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return double;
}

function send(response: ServerResponse, { status, body, headers = {} }: Reply, spoil: Double['spoil']): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? '' : spoil(JSON.stringify(body)));
}

async function read(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
