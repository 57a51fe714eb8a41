/** The product's own client, with counts of its requests and their results. */
import type { ApiClient } from '../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../src-main/core/foundations/api/error-class.ts';

/** Counts of all devices of one process. */
export type Asked = { requests: number; busy: number; failed: number; reports: number; streams: number };

/** `client`, with its requests counted in `asked`. `onPage` receives each page of a list, and its records from a stream. */
export const countedClient = (
  client: ApiClient,
  asked: Asked,
  onPage: (path: string, bytes: Uint8Array) => void = () => undefined,
): ApiClient => {
  const counted = async <Answer>(asking: Promise<Answer>): Promise<Answer> => {
    asked.requests += 1;
    try {
      return await asking;
    } catch (error) {
      if (error instanceof ApiError && error.errorClass.kind === 'busy') asked.busy += 1;
      else asked.failed += 1;
      throw error;
    }
  };
  const { events } = client;
  return {
    ...client,
    ...(events === undefined
      ? {}
      : {
          events: (path, listener, signal) => {
            asked.streams += 1;
            const onEvent: typeof listener.onEvent = (event) => {
              listener.onEvent(event);
              if (event.name !== 'changes') return;
              for (const line of event.data.split('\n').slice(1)) {
                const space = line.indexOf(' ');
                onPage(`/${line.slice(0, space)}/`, Buffer.from(line.slice(space + 1)));
              }
            };
            return counted(events(path, { ...listener, onEvent }, signal));
          },
        }),
    get: (...request) => counted(client.get(...request)),
    getBytes: async (path, ...rest) => {
      const bytes = await counted(client.getBytes(path, ...rest));
      onPage(path, bytes);
      return bytes;
    },
    post: async (path, ...rest) => {
      const answer = await counted(client.post(path, ...rest));
      if (path === '/hub/here') asked.reports += 1;
      return answer;
    },
  };
};
