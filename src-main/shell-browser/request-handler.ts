/**
 * Who gets what from the loopback server.
 *
 * Invariants: whoever has neither an unused link, nor our cookie, nor the token in this user's `app.json` learns
 * nothing but that a link is needed; no GET changes anything except that a link is used up.
 */
import type { AttractAnswer, AttractFiles } from '../page/attract-files.ts';
import type { PageFiles } from '../page/page-files.ts';
import { pageHeaders } from '../page/page-policy.ts';
import { judgeRequest, judgeUpgrade, type Knock, valuesOf } from './request-check.ts';
import { type Answer, askAgainPage, linkNeededPage, refusal } from './responses.ts';
import { COOKIE_SECONDS, type Sessions, same } from './sessions.ts';

type Ports = {
  readonly files: PageFiles;
  readonly attract: AttractFiles;
  /** Bearer token for tools of this user. */
  readonly token: string;
};

export type Doorkeeper = {
  /** The answer to a plain request that came in on `port`. */
  readonly answer: (knock: Knock, port: number) => Answer;
  /** The status that refuses a WebSocket, or null where it may be opened. */
  readonly refuseSocket: (knock: Knock, port: number) => number | null;
};

/** `link` makes a new launch link for a port. */
export function createDoorkeeper(
  { files, attract, token }: Ports,
  sessions: Sessions,
  link: (port: number) => string,
): Doorkeeper {
  const cookies = (knock: Knock, port: number) => cookiesOf(knock, cookieName(port));
  const bears = (knock: Knock) =>
    valuesOf(knock.rawHeaders, 'authorization').some((value) => same(value, `Bearer ${token}`));

  const toolAnswer = (knock: Knock, port: number, path: string): Answer => {
    if (path !== '/link') return refusal(405);
    if (!bears(knock)) return refusal(401);
    const body = JSON.stringify({ address: link(port) });
    return { ...refusal(200), type: 'application/json; charset=utf-8', body };
  };

  /** A link is used up only by a browser that is really going there, not by one that looks ahead. */
  const launchAnswer = (launch: string, knock: Knock, port: number): Answer => {
    if (knock.method !== 'GET' || valuesOf(knock.rawHeaders, 'sec-purpose').length > 0) return refusal(503);
    const cookie = sessions.exchange(launch);
    if (cookie === null && sessions.admitted(cookies(knock, port)) === null) return html(403, linkNeededPage);
    const away = refusal(303);
    const set = cookie === null ? {} : { 'Set-Cookie': setCookie(port, cookie) };
    return { ...away, headers: { ...away.headers, ...set, Location: '/' } };
  };

  return {
    answer: (knock, port) => {
      const verdict = judgeRequest(knock, port);
      if (verdict.kind === 'refused') return refusal(verdict.status);
      const [path = '', query = ''] = knock.target.split('?', 2);
      if (knock.method === 'POST') return toolAnswer(knock, port, path);
      const launch = path === '/' ? new URLSearchParams(query).get('launch') : null;
      if (launch !== null) return launchAnswer(launch, knock, port);
      if (verdict.foreign) return html(200, askAgainPage);
      const cookie = sessions.admitted(cookies(knock, port));
      if (cookie === null) return html(403, linkNeededPage);
      const media = attract.answer(path, valuesOf(knock.rawHeaders, 'range')[0] ?? null);
      if (media !== null) return mediaAnswer(media, verdict.host);
      const file = files.find(path);
      if (file === null) return refusal(404);
      const renewed = path === '/' ? { 'Set-Cookie': setCookie(port, cookie) } : {};
      return {
        status: 200,
        headers: { ...pageHeaders(verdict.host), ...renewed },
        type: file.type,
        body: file.bytes,
      };
    },
    refuseSocket: (knock, port) => {
      const verdict = judgeUpgrade(knock, port);
      if (verdict.kind === 'refused') return verdict.status;
      const proved =
        verdict.kind === 'cookie' ? sessions.admitted(cookies(knock, port)) !== null : bears(knock);
      return proved ? null : 401;
    },
  };
}

function mediaAnswer({ status, headers, body }: AttractAnswer, host: string): Answer {
  const { 'Content-Type': type, ...others } = headers;
  return { status, headers: { ...pageHeaders(host), ...others }, type, body: body ?? '' };
}

function html(status: number, body: string): Answer {
  return {
    ...refusal(status),
    type: 'text/html; charset=utf-8',
    body,
  };
}

/** Cookies are shared between the ports of a machine, hence the port in the name. */
function cookieName(port: number) {
  return `touchpoint-${port}`;
}

function setCookie(port: number, value: string): string {
  return `${cookieName(port)}=${value}; Max-Age=${COOKIE_SECONDS}; Path=/; HttpOnly; SameSite=Strict`;
}

/** All values under this name; another port's page may have planted one of the same name beside ours. */
function cookiesOf(knock: Knock, name: string): readonly string[] {
  return valuesOf(knock.rawHeaders, 'cookie')
    .flatMap((header) => header.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
