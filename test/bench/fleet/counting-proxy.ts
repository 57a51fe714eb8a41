/**
 * A proxy between the hub and the platform. It counts the requests and how many are open at the same time, and
 * measures the time from each tap to the platform's answer.
 *
 * Invariants:
 * - A request is open from its first header to the last byte of its answer, or until the connection breaks.
 * - The proxy changes nothing and keeps connections open.
 */
import { once } from 'node:events';
import { Agent, request as ask, createServer } from 'node:http';

export type Counted = { readonly requests: number; readonly mostAtOnce: number };

/**
 * A tap that the platform accepted. `at`: time of the tap; `ms`: milliseconds from the tap to the platform's answer.
 */
export type Delivery = {
  readonly touchpoint: string;
  readonly at: number;
  readonly ms: number;
};

export type CountingProxy = {
  /** The same as `url`, but through this proxy. */
  readonly through: (url: string) => string;
  readonly counted: () => Counted;
  /** The deliveries since the last call. */
  readonly takeDeliveries: () => readonly Delivery[];
  readonly stop: () => Promise<void>;
};

type SentItem = { readonly at: string; readonly touchpointID: string };

/** Starts a proxy for the server of `target`. */
export const startCountingProxy = async (target: string): Promise<CountingProxy> => {
  const { hostname, port } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  let requests = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  let deliveries: Delivery[] = [];
  const noteDelivery = (sent: readonly Buffer[]): void => {
    const now = Date.now();
    for (const { at, touchpointID } of JSON.parse(Buffer.concat(sent).toString()) as SentItem[])
      deliveries.push({ touchpoint: touchpointID, at: Date.parse(at), ms: now - Date.parse(at) });
  };
  const server = createServer({ keepAlive: true }, (incoming, answer) => {
    requests += 1;
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    answer.once('close', () => {
      atOnce -= 1;
    });
    const { method, url: path, headers } = incoming;
    const isDelivery = method === 'POST' && path?.includes('/actions/') === true;
    const sent: Buffer[] = [];
    if (isDelivery) incoming.on('data', (bytes: Buffer) => sent.push(bytes));
    const onward = ask({ hostname, port, agent, method, path, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 502, found.rawHeaders);
      found.pipe(answer);
      if (isDelivery && found.statusCode === 200) found.once('end', () => noteDelivery(sent));
    });
    onward.once('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    through: (url) => {
      const changed = new URL(url);
      changed.port = String(own);
      return changed.href;
    },
    counted: () => ({ requests, mostAtOnce }),
    takeDeliveries: () => {
      const taken = deliveries;
      deliveries = [];
      return taken;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
};
