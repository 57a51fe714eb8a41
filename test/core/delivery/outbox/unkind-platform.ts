/**
 * A small platform of its own over real HTTP that does not honour ids: whatever it takes is a new effect, also what it
 * took before. It can hang, say nothing, refuse and hide the ids it was given; its moments are of whole seconds.
 *
 * Invariants: shares nothing with the kiosk nor with our platform; every request is noted in the order it arrived; gone
 * when its test ends.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/**
 * What becomes of a write. `takeAndHang`: effects, and no answer ever. `hang`: neither. `takeAndSayNothing`: effects, and
 * `200 []`. `sayNothing`: `200 []` alone. `busy`: 429.
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
  /** Manners of the next writes; after them all are taken. */
  readonly manners: WriteManner[];
  /** What it has to show at the moment: its one touchpoint, and the list of actions (503 without). */
  readonly shows: { touchpoint: boolean; actions: boolean };
  /** Writes (with the ids they carried) and looks at the actions, in the order they arrived. */
  readonly heard: readonly ({ readonly write: readonly string[] } | 'look')[];
  /** The actions it has made, in their order. */
  readonly taken: () => readonly Action[];
  /** How often a fact of this id took effect, whatever was lost since. */
  readonly effects: (id: string) => number;
  /** It goes back to before all that it took, and its touchpoint to what that was before. */
  readonly goBack: () => void;
};

const partnerOf = ({ partnerID }: Pick<Item, 'partnerID'>) => (partnerID === undefined ? {} : { partnerID });

const PROBLEM = { status: 429, title: 'Too many requests', type: 'tooManyRequests' };

/**
 * Starts one. `tells`: what its actions say of the fact they came from; the id it was written with, badge, place and moment, or
 * nothing of either.
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
