/** Raw HTTP, without the normalisation that `fetch` applies to addresses and headers. */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';

export type RawAnswer = { readonly status: number; readonly text: string; readonly type: string };

export type RawClient = {
  readonly send: (
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: string | Uint8Array | null,
  ) => Promise<RawAnswer>;
  readonly close: () => void;
};

/** A client that keeps its connections. `path` is sent exactly as given. */
export const createRawClient = (origin: string): RawClient => {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const { hostname, port } = new URL(origin);
  return {
    send: (method, path, headers = {}, body) =>
      new Promise((resolve, reject) => {
        const outgoing = request({ agent, hostname, port, method, path, headers }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(parts).toString('utf8'),
              type: response.headers['content-type'] ?? '',
            }),
          );
        });
        outgoing.on('error', reject);
        outgoing.end(body ?? undefined);
      }),
    close: () => agent.destroy(),
  };
};

/** Writes bytes to a socket and returns everything received until the other side closes. */
export const talk = (origin: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (part) => {
      text += part.toString('utf8');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });

/** The header that carries a key. */
export const basic = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
