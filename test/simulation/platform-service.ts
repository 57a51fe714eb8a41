/**
 * The model platform as a server: maps requests to its functions.
 *
 * Invariant: it contains no rules. Reads and answers are recorded with the client that received them.
 */
import type { Answer, Asked, NetworkPorts } from './model-network.ts';
import type { ModelPlatform } from './model-platform.ts';

const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });

/** The fair lasts three days. A world takes place on the first day. */
const EVENT = {
  ...{ id: 'E1', name: 'Model fair', timezone: 'UTC' },
  ...{ start: '2026-11-21T08:00:00.000Z', end: '2026-11-23T18:00:00.000Z' },
};

/** The platform's side of the network for one of its clients. */
export const servePlatform = (
  platform: ModelPlatform,
  client: number,
): Required<Pick<NetworkPorts, 'serve' | 'onWhole'>> => ({
  serve: ({ path, query, body }) => {
    if (body !== null) {
      const results = platform.write(body, client);
      return results === null
        ? json(422, { status: 422, title: 'A bad item', type: 'unprocessableEntity' })
        : { status: 200, body: results };
    }
    const [, resource = '', , id] = path.split('/');
    if (resource === 'hub') return json(404, { status: 404, title: 'Not found', type: 'notFound' });
    if (resource === 'expos') return json(200, EVENT);
    if (id === undefined) return { status: 200, body: platform.list(resource, query) };
    const whole = platform.single(resource, id);
    return whole === null
      ? json(404, { status: 404, title: 'Not found', type: 'notFound' })
      : json(200, whole);
  },
  onWhole: ({ path, query, body }: Asked) => {
    if (body !== null) return platform.wasAnswered(body);
    const [, resource = '', , id] = path.split('/');
    if (id === undefined) platform.wasRead(client, resource, query.partnerId);
  },
});
