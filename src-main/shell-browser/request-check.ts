/**
 * Checks requests to a server of pages before authentication. Pure.
 *
 * Invariants:
 * - a request must name this server as its host, exactly once (against DNS rebinding);
 * - a request that another site caused is refused, except when a user follows a link to us;
 * - if a browser sends an origin, it must be ours.
 */

/** The parts of a request that are checked, as received. */
export type RequestHead = {
  readonly method: string;
  /** Request target. */
  readonly target: string;
  /** Names and values alternately, with repetitions. */
  readonly rawHeaders: readonly string[];
};

/** The address of a server: its scheme, and every host with port at which it answers. */
export type OwnPlace = { readonly scheme: 'http' | 'https'; readonly hosts: readonly string[] };

/** The place of the loopback server on `port`. */
export function loopbackPlace(port: number): OwnPlace {
  return { scheme: 'http', hosts: [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`] };
}

/** `foreign`: the user followed a link from another site or port, so our cookie may be missing. */
export type RequestCheck =
  | { readonly kind: 'accepted'; readonly host: string; readonly foreign: boolean }
  | { readonly kind: 'refused'; readonly status: 400 | 403 | 405 | 413 | 421 };

/** Largest request body in bytes. Our requests have none. */
const BODY_LIMIT = 64 * 1024;

/** Checks a request to the server at `place` that is not an upgrade. */
export function checkRequest(request: RequestHead, place: OwnPlace): RequestCheck {
  const host = ownHost(request, place);
  if (typeof host === 'number') return { kind: 'refused', status: host };
  const header = single(request.rawHeaders);
  if (!request.target.startsWith('/') || request.target.startsWith('//'))
    return { kind: 'refused', status: 400 };
  if (!['GET', 'HEAD', 'POST'].includes(request.method)) return { kind: 'refused', status: 405 };
  if (header('transfer-encoding') !== null || Number(header('content-length') ?? 0) > BODY_LIMIT) {
    return { kind: 'refused', status: 413 };
  }
  const origin = header('origin');
  if (origin !== null && origin !== `${place.scheme}://${host}`) return { kind: 'refused', status: 403 };
  const site = header('sec-fetch-site') ?? 'none';
  if (site === 'none' || site === 'same-origin') return { kind: 'accepted', host, foreign: false };
  const followsLink = header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document';
  if (request.method === 'GET' && followsLink) return { kind: 'accepted', host, foreign: true };
  return { kind: 'refused', status: 403 };
}

/** How a WebSocket must authenticate: our page by its cookie, a tool of this user by its bearer token. */
export type UpgradeCheck =
  | { readonly kind: 'cookie' | 'bearer' }
  | { readonly kind: 'refused'; readonly status: 400 | 403 | 404 | 421 };

/** Checks a request for a WebSocket. A browser always sends an origin, so a request without one is from a tool. */
export function checkUpgrade(request: RequestHead, place: OwnPlace): UpgradeCheck {
  const host = ownHost(request, place);
  if (typeof host === 'number') return { kind: 'refused', status: host };
  if (request.target !== '/rpc') return { kind: 'refused', status: 404 };
  const header = single(request.rawHeaders);
  const origins = valuesOf(request.rawHeaders, 'origin');
  if (origins.length === 0) return { kind: 'bearer' };
  const site = header('sec-fetch-site') ?? 'same-origin';
  if (origins.length > 1 || origins[0] !== `${place.scheme}://${host}` || site !== 'same-origin') {
    return { kind: 'refused', status: 403 };
  }
  return { kind: 'cookie' };
}

/** The host of the request, or the status that refuses it: 400 for none or several, 421 for a foreign one. */
function ownHost(request: RequestHead, { hosts }: OwnPlace): string | 400 | 421 {
  const [host, ...more] = valuesOf(request.rawHeaders, 'host');
  if (host === undefined || more.length > 0) return 400;
  return hosts.includes(host) ? host : 421;
}

/** All values of a header, in the received order. */
export function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** A header's value, or null. Several values are joined, so they equal no allowed origin or site. */
function single(rawHeaders: readonly string[]) {
  return (name: string) => {
    const values = valuesOf(rawHeaders, name);
    return values.length === 0 ? null : values.join(', ');
  };
}
