/**
 * A client and a server for one test. The server follows only the rules of the test.
 *
 * Invariant: both end with the test.
 */
import { onTestFinished } from 'vitest';
import { type ClientOptions, createClient } from '../../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../../src-main/core/foundations/api/error-class.ts';
import { realClock } from '../../real-parts.ts';
import { type Answering, startLiteralServer } from './literal-server.ts';

export const KEY = 'key-that-nobody-may-see';
/** A text that no error message may contain. */
export const PASSWORD = 'secret-too';

/** A server with these answers, and a client for it. */
export const meeting = async (answer: Answering, options: ClientOptions = {}, baseUrl?: string) => {
  const server = await startLiteralServer(answer);
  const access = { baseUrl: baseUrl ?? server.baseUrl, key: KEY, password: PASSWORD, expoId: 'E1' };
  const client = createClient(access, realClock, options);
  onTestFinished(client.close);
  const failure = async (call: Promise<unknown>): Promise<ApiError> => {
    try {
      await call;
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
    throw new Error('Expected the call to fail');
  };
  return { server, client, failure };
};

/** Answers every request with these bytes. */
export const answering =
  (bytes: Buffer): Answering =>
  (socket) => {
    socket.write(bytes);
  };
