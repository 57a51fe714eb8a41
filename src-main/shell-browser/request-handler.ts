/**
 * Authentication on the loopback server, and its responses.
 *
 * Invariants:
 * - a client without an unused link, our cookie or the token in this user's `app.json` learns only that it needs a
 *   link;
 * - a GET changes only the sessions: it may use up a launch link, and it renews a cookie.
 */
import type { AttractAnswer, AttractFiles } from '../page/attract-files.ts';
import type { PageFiles } from '../page/page-files.ts';
import { pageHeaders } from '../page/page-policy.ts';
import { checkRequest, checkUpgrade, loopbackPlace, type RequestHead, valuesOf } from './request-check.ts';
import { askAgainPage, type HttpResponse, html, linkNeededPage, refusal } from './responses.ts';
import { COOKIE_SECONDS, isEqual, type Sessions } from './sessions.ts';

export type RequestHandler = {
  /** The response to a request on `port`. */
  readonly respond: (request: RequestHead, port: number) => HttpResponse;
  /** Whether the request carries a valid cookie or the token. */
  readonly isAuthenticated: (request: RequestHead, port: number) => boolean;
  /** The status that refuses a WebSocket, or null when it may open. */
  readonly refuseSocket: (request: RequestHead, port: number) => number | null;
};

/** Creates the handler. */
export function createRequestHandler({
  files,
  attract,
  token,
  sessions,
  link,
}: {
  readonly files: PageFiles;
  readonly attract: AttractFiles;
  /** Bearer token for tools of this user. */
  readonly token: string;
  readonly sessions: Sessions;
  /** Makes a new launch link for a port. */
  readonly link: (port: number) => string;
}): RequestHandler {
  const authenticate = (request: RequestHead, port: number) =>
    sessions.authenticate(cookiesOf(request, cookieName(port)));
  const hasToken = (request: RequestHead) =>
    valuesOf(request.rawHeaders, 'authorization').some((value) => isEqual(value, `Bearer ${token}`));

  const respondToTool = (request: RequestHead, port: number, path: string): HttpResponse => {
    if (path !== '/link') return refusal(405);
    if (!hasToken(request)) return refusal(401);
    const body = JSON.stringify({ address: link(port) });
    return { ...refusal(200), type: 'application/json; charset=utf-8', body };
  };

  /** A browser that prefetches a link does not use it up. */
  const respondToLaunch = (launch: string, request: RequestHead, port: number): HttpResponse => {
    if (request.method !== 'GET' || valuesOf(request.rawHeaders, 'sec-purpose').length > 0)
      return refusal(503);
    const cookie = sessions.exchange(launch);
    if (cookie === null && authenticate(request, port) === null) return html(403, linkNeededPage);
    const away = refusal(303);
    const set = cookie === null ? {} : { 'Set-Cookie': setCookie(port, cookie) };
    return { ...away, headers: { ...away.headers, ...set, Location: '/' } };
  };

  return {
    respond: (request, port) => {
      const check = checkRequest(request, loopbackPlace(port));
      if (check.kind === 'refused') return refusal(check.status);
      const [path = '', query = ''] = request.target.split('?', 2);
      if (request.method === 'POST') return respondToTool(request, port, path);
      const launch = path === '/' ? new URLSearchParams(query).get('launch') : null;
      if (launch !== null) return respondToLaunch(launch, request, port);
      if (check.foreign) return html(200, askAgainPage);
      const cookie = authenticate(request, port);
      if (cookie === null) return html(403, linkNeededPage);
      const media = attract.answer(path, valuesOf(request.rawHeaders, 'range')[0] ?? null);
      if (media !== null) return mediaResponse(media, check.host);
      const file = files.find(path);
      if (file === null) return refusal(404);
      const renewed = path === '/' ? { 'Set-Cookie': setCookie(port, cookie) } : {};
      const headers = { ...pageHeaders(check.host), ...renewed };
      return { status: 200, headers, type: file.type, body: file.bytes };
    },
    isAuthenticated: (request, port) => authenticate(request, port) !== null || hasToken(request),
    refuseSocket: (request, port) => {
      const check = checkUpgrade(request, loopbackPlace(port));
      if (check.kind === 'refused') return check.status;
      const isAuthenticated =
        check.kind === 'cookie' ? authenticate(request, port) !== null : hasToken(request);
      return isAuthenticated ? null : 401;
    },
  };
}

function mediaResponse({ status, headers, body }: AttractAnswer, host: string): HttpResponse {
  const { 'Content-Type': type, ...others } = headers;
  return { status, headers: { ...pageHeaders(host), ...others }, type, body: body ?? '' };
}

/** The name contains the port, because all ports of a machine share cookies. */
function cookieName(port: number): string {
  return `touchpoint-${port}`;
}

function setCookie(port: number, value: string): string {
  return `${cookieName(port)}=${value}; Max-Age=${COOKIE_SECONDS}; Path=/; HttpOnly; SameSite=Strict`;
}

/** All values of the cookie `name`: a page on another port may have set a cookie of the same name. */
export function cookiesOf(request: RequestHead, name: string): readonly string[] {
  return valuesOf(request.rawHeaders, 'cookie')
    .flatMap((header) => header.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
