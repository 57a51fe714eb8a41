/**
 * Which requests to the loopback server are looked at at all. Pure.
 *
 * Invariants: a request is only answered under a name of this very server (no DNS rebinding), written once; what
 * another site causes is refused, except that a person may follow a link to us; where a browser says who asks, that
 * must be us.
 */

/** The parts of a request that decide, as they came over the wire. */
export type Knock = {
  readonly method: string;
  /** Request target. */
  readonly target: string;
  /** Names and values in turn, with repetitions. */
  readonly rawHeaders: readonly string[];
};

/** `foreign`: a person followed a link from another site, so the browser kept our cookie back. */
export type Verdict =
  | { readonly kind: 'open'; readonly host: string; readonly foreign: boolean }
  | { readonly kind: 'refused'; readonly status: 400 | 403 | 405 | 413 | 421 };

/** Largest request body in bytes; no request of ours has one. */
const BODY_LIMIT = 64 * 1024;

/** Looks at a plain request to the server on `port`. */
export function judgeRequest(knock: Knock, port: number): Verdict {
  const host = ownHost(knock, port);
  if (typeof host === 'number') return { kind: 'refused', status: host };
  const header = single(knock.rawHeaders);
  if (!knock.target.startsWith('/') || knock.target.startsWith('//')) return { kind: 'refused', status: 400 };
  if (!['GET', 'HEAD', 'POST'].includes(knock.method)) return { kind: 'refused', status: 405 };
  if (header('transfer-encoding') !== null || Number(header('content-length') ?? 0) > BODY_LIMIT) {
    return { kind: 'refused', status: 413 };
  }
  const origin = header('origin');
  if (origin !== null && origin !== `http://${host}`) return { kind: 'refused', status: 403 };
  const site = header('sec-fetch-site') ?? 'none';
  if (site === 'none' || site === 'same-origin') return { kind: 'open', host, foreign: false };
  const followsLink = header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document';
  if (knock.method === 'GET' && followsLink) return { kind: 'open', host, foreign: true };
  return { kind: 'refused', status: 403 };
}

/** How a WebSocket must prove itself: a page of ours by its cookie, a tool of this user by its bearer token. */
export type SocketVerdict =
  | { readonly kind: 'cookie' | 'bearer' }
  | { readonly kind: 'refused'; readonly status: 400 | 403 | 404 | 421 };

/** Looks at a request for a WebSocket. A browser always names an origin; what names none is no browser. */
export function judgeUpgrade(knock: Knock, port: number): SocketVerdict {
  const host = ownHost(knock, port);
  if (typeof host === 'number') return { kind: 'refused', status: host };
  if (knock.target !== '/rpc') return { kind: 'refused', status: 404 };
  const header = single(knock.rawHeaders);
  const origins = valuesOf(knock.rawHeaders, 'origin');
  if (origins.length === 0) return { kind: 'bearer' };
  const site = header('sec-fetch-site') ?? 'same-origin';
  if (origins.length > 1 || origins[0] !== `http://${host}` || site !== 'same-origin') {
    return { kind: 'refused', status: 403 };
  }
  return { kind: 'cookie' };
}

/** The name we were asked under, or the status that refuses it: 400 for none or several, 421 for another's. */
function ownHost(knock: Knock, port: number): string | 400 | 421 {
  const [host, ...more] = valuesOf(knock.rawHeaders, 'host');
  if (host === undefined || more.length > 0) return 400;
  return [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].includes(host) ? host : 421;
}

/** All values of a header, in order. */
export function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** A header's value; several are told apart from any allowed one by joining them. */
function single(rawHeaders: readonly string[]) {
  return (name: string) => {
    const values = valuesOf(rawHeaders, name);
    return values.length === 0 ? null : values.join(', ');
  };
}
