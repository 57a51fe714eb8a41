/** How the client interprets answers, byte by byte. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../../../src-main/core/foundations/api/client.ts';
import type { ApiError, ErrorClass } from '../../../../src-main/core/foundations/api/error-class.ts';
import { answerOf, jsonOf, startLiteralServer } from './literal-server.ts';
import { answering, KEY, meeting, PASSWORD } from './meeting-point.ts';

const JSON_TYPE = 'content-type: application/json';

describe('an answer', () => {
  const verdictWith = async (bytes: Buffer, options: ClientOptions = {}): Promise<ErrorClass> => {
    const { client, failure } = await meeting(answering(bytes), options);
    return (await failure(client.get('/x', {}))).errorClass;
  };

  it('may be compressed, and is bounded before and after decompression', async () => {
    const text = JSON.stringify([{ id: 'a', revision: 1 }]);
    for (const [coding, bytes] of [
      ['gzip', gzipSync(text)],
      ['br', brotliCompressSync(text)],
      ['identity', Buffer.from(text)],
    ] as const) {
      const { client } = await meeting(
        answering(answerOf(200, [JSON_TYPE, `content-encoding: ${coding}`], bytes)),
      );
      expect(await client.get('/x', {})).toBe(text);
    }
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024));
    const before = process.memoryUsage().rss;
    expect(await verdictWith(answerOf(200, [JSON_TYPE, 'content-encoding: gzip'], bomb))).toMatchObject({
      kind: 'retry',
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    const large = Buffer.alloc(70_000, ' ');
    expect(await verdictWith(answerOf(200, [JSON_TYPE], large), { limits: { answerBytes: 65_536 } })).toEqual(
      {
        kind: 'retry',
        reached: 'no',
      },
    );
    for (const coding of ['gzip', 'zstd', 'gzip, gzip']) {
      const damaged = answerOf(200, [JSON_TYPE, `content-encoding: ${coding}`], text);
      expect(await verdictWith(damaged)).toEqual({ kind: 'retry', reached: 'no' });
    }
  });

  it('of a captive portal never counts as an answer of the platform, whatever its status', async () => {
    for (const status of [200, 302, 400, 401, 403, 404, 422]) {
      const page = answerOf(status, ['content-type: text/html'], '<html>log in</html>');
      expect(await verdictWith(page), String(status)).toEqual({ kind: 'stop', pause: 'notAPlatform' });
    }
    const { client, failure } = await meeting(answering(answerOf(200, ['content-type: text/html'], 'kept')));
    expect((await failure(client.post('/x', '[]'))).errorClass.kind).toBe('stop');
    expect(client.platformClock()).toBeNull();
  });

  it('is not followed if it is a redirect, so the key never goes to another host', async () => {
    const other = await startLiteralServer(answering(jsonOf([])));
    for (const status of [301, 302, 303, 307, 308]) {
      const there = answerOf(
        status,
        [`location: http://127.0.0.1:${other.port}/`, JSON_TYPE],
        '{"title":"moved"}',
      );
      expect(await verdictWith(there)).toEqual({ kind: 'stop', pause: 'notAPlatform' });
    }
    expect(other.connections()).toBe(0);
  });

  it('that comes twice never counts as the answer to the next request', async () => {
    // Every fifth answer is repeated: at once, a little later, or just before the answer to the next request.
    const held = new WeakMap<object, Buffer | string>();
    const { client, server } = await meeting(async (socket, { target, headers }, number) => {
      const late = held.get(socket);
      if (late !== undefined) socket.write(late);
      held.delete(socket);
      const id = `x-request-id: ${String(headers['x-request-id'])}`;
      const answer = answerOf(200, [JSON_TYPE, id], JSON.stringify([target]));
      socket.write(answer);
      if (number % 5 === 0) held.set(socket, answer);
      if (number % 3 !== 0 || number % 5 === 0) return;
      for (let turn = 0; turn < number % 4; turn += 1) await nextTurn();
      socket.write(answer);
    });
    let faults = 0;
    for (let call = 0; call < 90; call += 1) {
      const answer = await client.get(`/${call}`, {}).catch((error: unknown) => {
        expect((error as ApiError).errorClass).toEqual({ kind: 'retry', reached: 'no' });
        faults += 1;
        return null;
      });
      if (answer !== null) expect(answer).toBe(`["/create/v2/${call}"]`);
    }
    expect(faults).toBeGreaterThan(0);
    expect(server.received.length).toBeGreaterThanOrEqual(90 - faults);
    const gateway = await meeting(answering(answerOf(200, [JSON_TYPE, 'x-request-id: its-own'], '[]')));
    expect(await gateway.client.get('/x', {})).toBe('[]');
  });

  it('contains the fields of a refusal, but the error message contains only method and status', async () => {
    const errors = [{ field: 'badges.0.code', error: 'taken', description: 'is in use' }, 'x', null];
    const refusal = jsonOf({ status: 422, title: 'Rejected', type: 'unprocessableEntity', errors }, 422);
    const { client, failure, server } = await meeting(answering(refusal));
    const error = await failure(client.post('/visitors/E1', '{"lastName":"Person"}'));
    expect(error.errorClass).toEqual({
      kind: 'reject',
      status: 422,
      reason: 'Rejected: badges.0.code is in use',
      faults: [{ field: 'badges.0.code', error: 'taken', description: 'is in use' }],
    });
    expect(error.message).toBe('POST answered 422');
    const told = JSON.stringify([error.message, String(error.stack), error.cause ?? null]);
    for (const secret of [KEY, btoa(`${KEY}:${PASSWORD}`), 'Person', String(server.port), 'visitors/E1']) {
      expect(told).not.toContain(secret);
    }
  });
});
