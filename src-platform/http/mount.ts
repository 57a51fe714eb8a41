/**
 * Mounts operations on a Fastify server.
 *
 * Invariants
 * - An invalid query is a 400, a well-formed but invalid body is a 422 that names its fields.
 * - Every error becomes the documented error body. Only defects are logged as errors, without request data.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { findCaller } from '../keys/keys.ts';
import { writeJson } from '../store/json.ts';
import type { Store } from '../store/store.ts';
import { isDecodable } from './bodies.ts';
import { ApiError, badRequest, errorBody, methodNotAllowed } from './errors.ts';
import { fieldOf, refusalOf } from './field-errors.ts';
import { type Admission, admit } from './guard.ts';
import { JsonText } from './json.ts';
import type { Answer, Call, Operation, Query } from './operation.ts';
import { Piece } from './piece.ts';
import type { Semaphore, Slot } from './semaphore.ts';

const jsonType = 'application/json; charset=utf-8';

function parseQuery(operation: Operation, { url, query: raw }: FastifyRequest): Query {
  if (!isDecodable(url)) throw badRequest('The query is not UTF-8');
  if (!operation.query) return {};
  const parsed = operation.query.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw badRequest(`Query parameter ${fieldOf(issue?.path ?? [])}: ${issue?.message ?? 'is not valid'}`);
}

function parseBody(operation: Operation, raw: unknown): unknown {
  if (!operation.body) return raw;
  if (raw === undefined) throw badRequest('A JSON body is needed');
  const parsed = operation.body.safeParse(raw, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw refusalOf(parsed.error);
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer instanceof Piece) return reply.code(answer.status).headers(answer.headers).send(answer.bytes);
  if (answer === null) return reply.code(200).send();
  const text = answer instanceof JsonText ? answer.text : writeJson(answer);
  return reply.code(200).type(jsonType).send(text);
}

/** Sends an error as the answer. */
export function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  for (const [name, value] of Object.entries(error.headers)) reply.header(name, value);
  return reply.code(error.status).type(jsonType).send(writeJson(error.body()));
}

/** Errors raised by Fastify, in the form of the interface (docs/interface/errors.md#body); null for a defect. */
function errorOf(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  const { code, statusCode } = error as { readonly code?: string; readonly statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return badRequest('The body is too large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return badRequest('The content type is not supported');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return badRequest('The body does not have the stated length');
  // The client disconnected while it sent its body. Nobody reads this answer, and it is not our defect.
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') return badRequest('The body broke off');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return badRequest('The request cannot be understood');
  }
  return null;
}

/** Turns every error of a server into a documented error body; `methodsOf` lists the methods of a path. */
export function answerErrors(app: FastifyInstance, methodsOf: (address: string) => readonly string[]): void {
  app.setErrorHandler((error, request, reply) => {
    const known = errorOf(error);
    if (known) return sendError(reply, known);
    request.log.error({ err: error, route: request.routeOptions.url }, 'A request failed');
    return reply
      .code(500)
      .type(jsonType)
      .send(writeJson(errorBody(500, 'Something went wrong here')));
  });
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request.url);
    return sendError(
      reply,
      methods.length > 0 ? methodNotAllowed(methods) : new ApiError(404, 'There is no such operation'),
    );
  });
}

/** Mounts operations below the base address. */
export function mountOperations(
  app: FastifyInstance,
  base: string,
  operations: readonly Operation[],
  {
    store,
    semaphore,
    now,
    find,
  }: {
    readonly store: Store;
    readonly semaphore: Semaphore;
    readonly now: () => Date;
    /** Finds the owner of a key. */
    readonly find: typeof findCaller;
  },
): void {
  const admissions = new WeakMap<FastifyRequest, Admission>();
  const slots = new WeakMap<FastifyRequest, Slot>();
  for (const operation of operations) {
    app.route({
      method: operation.method,
      url: base + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { operation },
      // The consumer of the byte stream counts the bytes.
      ...(operation.bytes ? { bodyLimit: Number.MAX_SAFE_INTEGER } : {}),
      onRequest: async (request, reply) => {
        admissions.set(request, await admit(store, semaphore, slots, find, now(), operation, request, reply));
      },
      onSend: async (request) => {
        await slots.get(request)?.leaving();
      },
      handler: async (request, reply) => {
        const admission = admissions.get(request);
        if (!admission) throw new Error('A request came to its handler without admission.');
        const call: Call = {
          caller: admission.caller,
          head: request.method === 'HEAD',
          params: request.params as Readonly<Record<string, string>>,
          query: parseQuery(operation, request),
          body: operation.bytes ? request.body : parseBody(operation, request.body),
          range: request.headers.range,
          ifRange: request.headers['if-range'] as string | undefined,
          lastEventId: request.headers['last-event-id'] as string | undefined,
        };
        if (!operation.onExpo) return send(reply, await operation.handle(call));
        if (!admission.expo) throw new Error('A request on an event path was admitted without its event.');
        return send(reply, await operation.handle({ ...call, expo: admission.expo }));
      },
    });
  }
}

/** The URL without the slash at the end of its path. */
export function withoutTrailingSlash(address: string): string {
  const [path = '', ...query] = address.split('?');
  return path.endsWith('/') && path.length > 1 ? [path.slice(0, -1), ...query].join('?') : address;
}

/** Returns the methods of a path below `base`, in the order of the operations; none for an unknown path. */
export function createMethodTable(
  base: string,
  operations: readonly Operation[],
): (address: string) => readonly string[] {
  const patterns = operations.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${base}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return (address) => {
    const [path = ''] = address.split('?');
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  };
}
