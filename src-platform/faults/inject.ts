/**
 * Injects faults into requests: hooks around every operation below the base address.
 *
 * Invariants
 * - The faults of a request are determined once, when it arrives.
 * - With `forgetIds` every submitted item gets a new id, and answers show the original ids, as at a platform that
 *   does not store ids.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/errors.ts';
import { parseJson } from '../http/json.ts';
import { writeJson } from '../store/json.ts';
import type { Fault, FaultList, FaultOf } from './fault.ts';

const titles: Readonly<Record<number, string>> = {
  429: 'More than two parallel requests for this key',
  500: 'Something went wrong here',
  502: 'Bad gateway',
  503: 'Not available at the moment',
  504: 'No answer in time',
};

const portal =
  '<!doctype html><html><head><title>Welcome</title></head><body>Please accept the terms.</body></html>';

function find<Kind extends Fault['kind']>(faults: readonly Fault[], kind: Kind): FaultOf<Kind> | undefined {
  return faults.find((fault): fault is FaultOf<Kind> => fault.kind === kind);
}

/** Never settles. A hook that awaits it has closed the connection or answers by itself, so the server sends nothing. */
function noAnswer(): Promise<never> {
  return new Promise(() => undefined);
}

/** Splits a text into chunks for a constant rate, ten chunks a second. */
async function* slowly(text: string, bytesPerSecond: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  const size = Math.max(1, Math.ceil(bytesPerSecond / 10));
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    yield piece;
    await delay((piece.length / bytesPerSecond) * 1000);
  }
}

/** Sends the head of an answer and half its body, then closes the connection. */
function sendHalf(request: FastifyRequest, reply: FastifyReply, text: string): void {
  const bytes = Buffer.from(text);
  reply.raw.writeHead(reply.statusCode, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-length': bytes.length,
  });
  reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => request.raw.socket.destroy());
}

function untieQuery(request: FastifyRequest, width: number): void {
  const query = request.query as Record<string, unknown>;
  const from = query.fromRevision;
  if (typeof from === 'string' && /^\d{1,18}$/.test(from)) {
    query.fromRevision = untie(BigInt(from), width).toString();
  }
}

/** Adds the hooks; `die` ends the process. */
export function injectFaults(app: FastifyInstance, basePath: string, list: FaultList, die: () => void): void {
  const injected = new WeakMap<FastifyRequest, readonly Fault[]>();
  const forgottenIds = createForgottenIds();
  const hasSent = new WeakSet<FastifyRequest>();

  app.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?');
    if (!path.startsWith(`${basePath}/`)) return;
    const faults = list.take(request.method, path.slice(basePath.length));
    if (faults.length === 0) return;
    injected.set(request, faults);
    const hang = find(faults, 'hang');
    if (hang) await delay(hang.ms);
    if (find(faults, 'cut')?.when === 'before') {
      reply.hijack();
      request.raw.socket.destroy();
      return;
    }
    if (find(faults, 'html')) {
      await reply.code(200).type('text/html; charset=utf-8').send(portal);
      return;
    }
    const answer = find(faults, 'answer');
    if (answer) {
      await reply.code(answer.status).type('application/json; charset=utf-8').send(writeJson(answer.body));
      return;
    }
    const status = find(faults, 'status');
    if (status) {
      const headers = status.retryAfter === undefined ? {} : { 'retry-after': String(status.retryAfter) };
      throw new ApiError(status.status, titles[status.status] ?? '', undefined, headers);
    }
    const ties = find(faults, 'ties');
    if (ties) untieQuery(request, ties.width);
  });

  app.addHook('preHandler', async (request) => {
    const forgets = find(injected.get(request) ?? [], 'forgetIds') !== undefined;
    if (forgets && request.method === 'POST') request.body = forgottenIds.renew(request.body);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const faults = injected.get(request);
    if (!faults || hasSent.has(request) || (payload !== null && typeof payload !== 'string')) return payload;
    hasSent.add(request);
    if (find(faults, 'die')) die();
    const when = find(faults, 'cut')?.when;
    if (when === 'afterCommit') {
      request.raw.socket.destroy();
      return noAnswer();
    }
    const date = find(faults, 'date');
    if (date) reply.header('date', new Date(Date.now() + date.offsetMs).toUTCString());
    const text = alterAnswer(forgottenIds.restore(payload ?? ''), faults);
    if (when === 'midBody') {
      sendHalf(request, reply, text);
      return noAnswer();
    }
    reply.removeHeader('content-length');
    const slow = find(faults, 'slow');
    if (!slow) return text;
    reply.header('content-length', Buffer.byteLength(text));
    return Readable.from(slowly(text, slow.bytesPerSecond));
  });
}

type Item = Readonly<Record<string, unknown>>;

type ForgottenIds = {
  /** A batch with new ids; any other body stays as it is. */
  readonly renew: (body: unknown) => unknown;
  /** Replaces the new ids in an answer by the original ones. */
  readonly restore: (text: string) => string;
};

/** The replaced ids, until the process exits. */
function createForgottenIds(): ForgottenIds {
  const lastNew = new Map<string, string>();
  const sent = new Map<string, string>();
  const renewItem = (item: Item): Item => {
    if (typeof item.id !== 'string') return item;
    const id = randomUUID();
    lastNew.set(item.id, id);
    sent.set(id, item.id);
    const { undoes } = item;
    return { ...item, id, ...(typeof undoes === 'string' ? { undoes: lastNew.get(undoes) ?? undoes } : {}) };
  };
  return {
    renew: (body) =>
      Array.isArray(body)
        ? body.map((item: unknown) =>
            typeof item === 'object' && item !== null ? renewItem(item as Item) : item,
          )
        : body,
    restore: (text) =>
      text.replaceAll(/"id":"([0-9a-f-]{36})"/g, (whole, id: string) =>
        sent.has(id) ? `"id":"${sent.get(id)}"` : whole,
      ),
  };
}

type Row = Readonly<Record<string, unknown>>;

function revisionOf(value: unknown): bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : 0n;
}

/** The revision that stands for a whole group of `width` records. */
function tied(revision: bigint, width: number): bigint {
  return revision - (revision % BigInt(width));
}

/** The first real revision that appears as `from` or higher while revisions are grouped. */
function untie(from: bigint, width: number): bigint {
  const rest = from % BigInt(width);
  return rest === 0n ? from : from - rest + BigInt(width);
}

/** An action as it looks at a platform that stores nothing about its sender. */
function withoutClientId(row: Row): Row {
  const { clientID: _forgotten, ...rest } = row;
  return rest;
}

function alterList(rows: readonly Row[], fault: Fault): readonly Row[] {
  if (fault.kind === 'reorder') return rows.toReversed();
  if (fault.kind === 'forgetIds') return rows.map(withoutClientId);
  if (fault.kind === 'late') {
    return rows.filter((row) => !fault.ids.includes(String(row.id ?? row.visitorID)));
  }
  if (fault.kind === 'ties') {
    return rows.map((row) => ({ ...row, revision: tied(revisionOf(row.revision), fault.width) }));
  }
  return rows;
}

/** Faults that change records, not only the text of an answer. */
const changesRecords: readonly string[] = ['reorder', 'late', 'ties', 'forgetIds'];

/** The body after all faults that change it. A text that is neither a JSON list nor an object is at most shortened. */
function alterAnswer(text: string, faults: readonly Fault[]): string {
  let body = text;
  if (faults.some(({ kind }) => changesRecords.includes(kind))) {
    const value = text.startsWith('[') || text.startsWith('{') ? parseJson(text) : null;
    if (Array.isArray(value)) {
      body = writeJson(faults.reduce<readonly Row[]>(alterList, value as readonly Row[]));
    } else if (value !== null) {
      body = writeJson(faults.reduce<readonly Row[]>(alterList, [value as Row])[0] ?? value);
    }
  }
  if (!faults.some(({ kind }) => kind === 'truncate')) return body;
  return body.slice(0, Math.floor(body.length / 2));
}
