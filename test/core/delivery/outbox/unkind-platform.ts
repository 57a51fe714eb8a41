/**
 * A small separate platform over real HTTP that ignores ids: every accepted item has a new effect, even a repeated
 * one. It can hang, send no results, refuse items, and hide the ids that it received. Its times are whole seconds.
 *
 * Invariants:
 * - It shares no code with the device or with our platform.
 * - Every request is recorded in order.
 * - It ends with its test.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/**
 * The behaviour of a write. `takeAndHang`: effects, and no answer. `hang`: neither. `takeAndSayNothing`: effects, and
 * `200 []`. `sayNothing`: only `200 []`. `busy`: 429.
 */
export type WriteManner = 'take' | 'takeAndHang' | 'hang' | 'takeAndSayNothing' | 'sayNothing' | 'busy';

type Item = {
  readonly id: string;
  readonly kind: string;
  readonly badge?: string;
  readonly partnerID?: string;
  readonly visitorID?: string;
  readonly touchpointID?: string;
  readonly contentID?: string;
  readonly at: string;
};
type Action = Partial<Omit<Item, 'kind'>> & { readonly revision: number; readonly clientID?: string };

export type SmallPlatform = {
  readonly baseUrl: string;
  /** How it treats the next writes. Later ones are accepted. */
  readonly manners: WriteManner[];
  /** What it returns at present: its one touchpoint, and the list of actions (or 503 instead). */
  readonly shows: { touchpoint: boolean; actions: boolean };
  /** Writes (with their ids) and reads of the actions, in order. */
  readonly heard: readonly ({ readonly write: readonly string[] } | 'look')[];
  /** The actions it has made, in order. */
  readonly taken: () => readonly Action[];
  /** How often a fact with this id took effect, including lost effects. */
  readonly effects: (id: string) => number;
  /** Resets it to the state before any accepted item, and its touchpoint to an earlier state. */
  readonly goBack: () => void;
};

const partnerOf = ({ partnerID }: Pick<Item, 'partnerID'>) => (partnerID === undefined ? {} : { partnerID });

const PROBLEM = { status: 429, title: 'Too many requests', type: 'tooManyRequests' };

/**
 * Starts such a platform. `tells`: the data of a fact that its action contains: the id, or badge, place and time, or
 * none of them.
 */
export const startSmallPlatform = async ({
  tells = 'id',
}: {
  readonly tells?: 'id' | 'item' | 'nothing';
} = {}): Promise<SmallPlatform> => {
  const manners: WriteManner[] = [];
  const shows = { touchpoint: true, actions: true };
  const heard: ({ readonly write: readonly string[] } | 'look')[] = [];
  const effects = new Map<string, number>();
  const actions: Action[] = [];
  let touchpointRevision = 2;

  const take = (items: readonly Item[]) =>
    items.map(({ id, kind, at, ...item }) => {
      effects.set(id, (effects.get(id) ?? 0) + 1);
      if (!['tap', 'collect', 'checkin'].includes(kind)) return { id, result: 'created' };
      const revision = 100 + actions.length;
      const action = `action${revision}`;
      actions.push({
        ...{ id: action, revision },
        ...(tells === 'nothing' ? partnerOf(item) : { ...item, at: `${at.slice(0, 19)}Z` }),
        ...(tells === 'id' ? { clientID: id } : {}),
      });
      return { id, result: 'created', actionID: action, revision };
    });

  const answer = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };

  const write = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const items = JSON.parse(await text(request)) as readonly Item[];
    heard.push({ write: items.map(({ id }) => id) });
    const manner = manners.shift() ?? 'take';
    if (manner === 'hang') return;
    if (manner === 'busy') return answer(response, 429, PROBLEM);
    if (manner === 'sayNothing') return answer(response, 200, []);
    const results = take(items);
    if (manner === 'takeAndHang') return;
    answer(response, 200, manner === 'takeAndSayNothing' ? [] : results);
  };

  const list = (resource: string, query: URLSearchParams): readonly unknown[] => {
    if (resource === 'touchpoints' && shows.touchpoint)
      return [{ id: 'tp1', name: 'Left', purpose: 'lead', partnerID: 'p1', revision: touchpointRevision }];
    if (resource !== 'actions') return [];
    heard.push('look');
    const partner = query.get('partnerId');
    return actions
      .filter(({ revision }) => revision >= Number(query.get('fromRevision') ?? 0))
      .filter(({ partnerID }) => partner === null || partnerID === partner)
      .slice(0, Number(query.get('limit') ?? 100));
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [, , resource = ''] = pathname.split('/');
    if (request.method === 'POST') void write(request, response);
    else if (resource === 'actions' && !shows.actions) answer(response, 503, {});
    else if (resource === 'expos') answer(response, 200, { id: 'E1', name: 'Small fair', timezone: 'UTC' });
    else answer(response, 200, list(resource, searchParams));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    manners,
    shows,
    heard,
    taken: () => actions,
    effects: (id) => effects.get(id) ?? 0,
    goBack: () => {
      actions.length = 0;
      touchpointRevision = 1;
    },
  };
};
