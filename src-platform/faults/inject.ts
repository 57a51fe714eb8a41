/**
 * Injects faults into requests: hooks around every operation below the base address.
 *
 * Invariant: the faults of a request are determined once, when it arrives.
 */
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/errors.ts';
import { writeJson } from '../store/json.ts';
import { alterAnswer, untie } from './altered-answer.ts';
import type { Fault, FaultList, FaultOf } from './fault.ts';
import { createForgottenIds } from './forgotten-ids.ts';

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

/** A hook that awaits this has taken over the answer: the server never sends one. */
function noAnswer(): Promise<never> {
  return new Promise(() => undefined);
}

/** Chunks of a text at a constant rate, ten a second. */
async function* slowly(text: string, bytesPerSecond: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  const size = Math.max(1, Math.ceil(bytesPerSecond / 10));
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    yield piece;
    await delay((piece.length / bytesPerSecond) * 1000);
  }
}

/** Sends the head of an answer and half its body, then nothing more. */
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
