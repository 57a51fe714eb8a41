/** The product's own client, with counts of its requests and their results. */
import type { ApiClient } from '../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../src-main/core/foundations/api/error-class.ts';

/** Counts of all devices of one process. `open`: number of open streams. */
export type Asked = {
  /** By path, without ids. */
  readonly requests: Record<string, number>;
  busy: number;
  /** Requests that failed for another reason, by path and reason. */
  readonly faults: Record<string, number>;
  open: number;
};

/** A path without its ids: `/actions`, `/hub/facts`. */
const kindOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('/hub/') ? 3 : 2)
    .join('/');

/**
 * `client`, with its requests counted in `asked`. `onPage` receives each page of a list, and each record that a
 * stream pushes.
 */
export const countedClient = (
  client: ApiClient,
  asked: Asked,
  onPage: (path: string, bytes: Uint8Array) => void = () => undefined,
): ApiClient => {
  const counted = async <Answer>(path: string, asking: Promise<Answer>): Promise<Answer> => {
    const kind = kindOf(path);
    asked.requests[kind] = (asked.requests[kind] ?? 0) + 1;
    try {
      return await asking;
    } catch (error) {
      if (error instanceof ApiError && error.errorClass.kind === 'busy') asked.busy += 1;
      else {
        const why = `${kind}: ${error instanceof Error ? error.message : 'unknown'}`;
        asked.faults[why] = (asked.faults[why] ?? 0) + 1;
      }
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
            asked.open += 1;
            const onEvent: typeof listener.onEvent = (event) => {
              listener.onEvent(event);
              if (event.name !== 'changes') return;
              for (const line of event.data.split('\n').slice(1)) {
                const space = line.indexOf(' ');
                onPage(`/${line.slice(0, space)}/`, Buffer.from(line.slice(space + 1)));
              }
            };
            return counted(path, events(path, { ...listener, onEvent }, signal)).finally(() => {
              asked.open -= 1;
            });
          },
        }),
    get: (path, ...rest) => counted(path, client.get(path, ...rest)),
    getBytes: async (path, ...rest) => {
      const bytes = await counted(path, client.getBytes(path, ...rest));
      onPage(path, bytes);
      return bytes;
    },
    post: (path, ...rest) => counted(path, client.post(path, ...rest)),
  };
};
