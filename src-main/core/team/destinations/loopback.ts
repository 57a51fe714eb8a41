/**
 * Receives the redirect of an authorisation in the user's browser (RFC 8252, section 7.3).
 *
 * Invariants:
 * - It listens on 127.0.0.1 only, while an authorisation is open, at most five minutes.
 * - A redirect with another `state` is refused and ends nothing.
 * - The page that it shows contains nothing from the request.
 */
import { createServer } from 'node:http';

const LONGEST_MS = 300_000;

/** Registered as the redirect of the connected app: `http://localhost:47115/callback`. */
export const REDIRECT_PORT = 47_115;

/**
 * Receives one code. Null if the user refused, the time limit passed or `signal` aborted. Calls `onReady` with the
 * address to redirect to. Rejects if the port cannot be opened.
 */
export function awaitRedirect(
  port: number,
  isState: (state: string) => boolean,
  onReady: (redirect: string) => void,
  signal?: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const state = url.searchParams.get('state') ?? '';
      const fits = url.pathname === '/callback' && isState(state);
      response.writeHead(fits ? 200 : 404, {
        'content-type': 'text/plain; charset=utf-8',
        connection: 'close',
      });
      response.end(fits ? 'You can close this page and return to Touchpoint.' : 'Not found');
      if (fits) end(url.searchParams.get('code'));
    });
    const end = (code: string | null): void => {
      limit.removeEventListener('abort', onAbort);
      server.close();
      resolve(code);
    };
    const onAbort = (): void => end(null);
    const limit = AbortSignal.any([
      AbortSignal.timeout(LONGEST_MS),
      ...(signal === undefined ? [] : [signal]),
    ]);
    limit.addEventListener('abort', onAbort, { once: true });
    server.on('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      onReady(
        `http://localhost:${typeof address === 'object' && address !== null ? address.port : port}/callback`,
      );
    });
  });
}
