/**
 * A proxy between the hub and the platform that counts all requests and the maximum in parallel.
 *
 * Invariants: a request lasts from its head to the last byte of its answer, or until it breaks; the proxy
 * changes nothing and keeps connections open.
 */
import { once } from 'node:events';
import { Agent, request as ask, createServer } from 'node:http';

export type Counted = { readonly requests: number; readonly mostAtOnce: number };

export type CountingProxy = {
  /** `url` through this proxy. */
  readonly through: (url: string) => string;
  readonly counted: () => Counted;
  readonly stop: () => Promise<void>;
};

/** Starts a proxy for the server of `target`. */
export const startCountingProxy = async (target: string): Promise<CountingProxy> => {
  const { hostname, port } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  let requests = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  const server = createServer({ keepAlive: true }, (incoming, answer) => {
    requests += 1;
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    answer.once('close', () => {
      atOnce -= 1;
    });
    const { method, url: path, headers } = incoming;
    const onward = ask({ hostname, port, agent, method, path, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 502, found.rawHeaders);
      found.pipe(answer);
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
    stop: async () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
};
