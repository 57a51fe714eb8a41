/**
 * The fleet page on the hub's server, under `/fleet`: sign-in, page, commands. It is our own extension (docs/hub.md).
 *
 * Invariants
 * - Without a session only the sign-in page and static files are served.
 * - A POST from a page of another origin is refused. A command needs the session cookie, which such a page cannot send.
 * - The page loads and runs nothing from another origin.
 */
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Command } from '../../src-main/provision/signed-command.ts';
import { LONGEST_MESSAGE } from '../../src-main/provision/signed-command.ts';
import type { Html } from '../../src-platform/http/html.ts';
import { hubFile } from '../packed-file.ts';
import { readTypeface } from '../page/typeface.ts';
import type { Commander } from './commander.ts';
import type { Entry } from './entry.ts';
import { type FleetPicture, NEEDS } from './judgement.ts';
import { type Done, entryPage, fleetPage } from './page.ts';
import { FLEET_LANGUAGES, type FleetLanguage, type FleetWords, wordsOf } from './texts.ts';
import { type FleetView, found } from './view.ts';

/** The last command of a session. The page shows it until the next one, and may offer to undo it. */
type LastDone = { readonly done: Done; readonly devices: readonly string[]; readonly command: Command };

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Maximum number of devices in one form. */
const MOST = 2_000;

const COOKIE_SECONDS = 12 * 60 * 60;

/** Adds the page to the server of the hub with the name `hub`, before it listens. `timezone`: the event's time zone. */
export function addFleet(
  app: FastifyInstance,
  {
    hub,
    entry,
    commander,
    picture,
    timezone,
  }: {
    readonly hub: string;
    readonly entry: Entry;
    readonly commander: Commander;
    readonly picture: () => Promise<FleetPicture>;
    readonly timezone: () => string;
  },
): void {
  const lastDone = new Map<string, LastDone>();
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 200_000 },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers(HEADERS);
      if (request.method === 'POST' && !isOwn(request)) await reply.code(403).send();
    });
    addFiles(scope);
    addEntry(scope, hub, entry, timezone);
    addPage(scope, hub, entry, picture, timezone, lastDone);
    addCommands(scope, entry, commander, picture, timezone, lastDone);
  });
}

function addFiles(scope: FastifyInstance): void {
  const css = 'text/css; charset=utf-8';
  const files = [
    ['tokens.css', css, '../src-renderer/theme/tokens.css'],
    ['ground.css', css, '../src-renderer/theme/ground.css'],
    ['rail.css', css, '../src-renderer/staff/parts/rail.css'],
    ['sum.css', css, '../src-renderer/staff/parts/sum.css'],
    ['fleet.css', css, 'fleet/fleet.css'],
    ['fleet.js', 'text/javascript; charset=utf-8', 'fleet/fleet.js'],
  ] as const;
  const served = files.map(([name, type, source]) => [name, type, readFileSync(hubFile(source))] as const);
  for (const [name, type, bytes] of [...served, ['figtree.woff2', 'font/woff2', readTypeface()] as const]) {
    scope.get(`/fleet/${name}`, (_request, reply) => reply.type(type).send(bytes));
  }
}

function addEntry(scope: FastifyInstance, hub: string, entry: Entry, timezone: () => string): void {
  scope.post('/fleet/enter', async (request, reply) => {
    const words = wordsOf(languageOf(request), timezone());
    const answer = await entry.signIn(formOf(request).get('key') ?? '');
    if (answer.kind === 'in')
      return reply.header('set-cookie', cookie(request, 'fleet', answer.token)).redirect('/fleet', 303);
    return show(reply.code(401), entryPage(hub, words, words[answer.kind]));
  });
  scope.post('/fleet/leave', async (request, reply) => {
    entry.leave(cookieOf(request, 'fleet'));
    return reply.header('set-cookie', `${cookie(request, 'fleet', '')}; Max-Age=0`).redirect('/fleet', 303);
  });
  scope.get('/fleet/language/:tag', async (request, reply) => {
    const { tag } = request.params as { readonly tag: string };
    return reply
      .header('set-cookie', cookie(request, 'fleet-language', tag === 'de' ? 'de' : 'en'))
      .redirect('/fleet', 303);
  });
}

function addPage(
  scope: FastifyInstance,
  hub: string,
  entry: Entry,
  picture: () => Promise<FleetPicture>,
  timezone: () => string,
  lastDone: ReadonlyMap<string, LastDone>,
): void {
  scope.get('/fleet', async (request, reply) => {
    const words = wordsOf(languageOf(request), timezone());
    const token = cookieOf(request, 'fleet');
    if (token === null || !(await entry.isIn(token))) return show(reply, entryPage(hub, words, null));
    const view = viewOf(new URLSearchParams(request.url.split('?')[1] ?? ''));
    const done = lastDone.get(token)?.done ?? null;
    return show(reply, fleetPage(await picture(), view, words, done));
  });
}

function addCommands(
  scope: FastifyInstance,
  entry: Entry,
  commander: Commander,
  picture: () => Promise<FleetPicture>,
  timezone: () => string,
  lastDone: Map<string, LastDone>,
): void {
  const tell = async (token: string, devices: readonly string[], command: Command, words: FleetWords) => {
    const sentence = sentenceOf(devices.length, command, words);
    if (devices.length > 0) await commander.send(devices, command);
    const canUndo = devices.length > 0 && command.kind === 'outOfOrder';
    lastDone.set(token, { done: { sentence, canUndo }, devices, command });
  };
  /** The session token; null if nobody is signed in. */
  const admitted = async (request: FastifyRequest): Promise<string | null> => {
    const token = cookieOf(request, 'fleet');
    return token !== null && (await entry.isIn(token)) ? token : null;
  };
  scope.post('/fleet/commands', async (request, reply) => {
    const token = await admitted(request);
    if (token === null) return reply.redirect('/fleet', 303);
    const form = formOf(request);
    const words = wordsOf(languageOf(request), timezone());
    const back = viewOf(new URLSearchParams((form.get('back') ?? '').split('?')[1] ?? ''));
    const now = await picture();
    const command = commandOf(form);
    const chosen = form.get('all') === 'yes' ? new Set(found(now, back).map(({ id }) => id)) : chosenIn(form);
    const living = now.devices.filter(({ id, revoked }) => chosen.has(id) && !revoked).map(({ id }) => id);
    if (command === null) {
      const done = { sentence: words.told.noText, canUndo: false };
      lastDone.set(token, { done, devices: [], command: { kind: 'reload' } });
    } else await tell(token, living.slice(0, MOST), command, words);
    return reply.redirect(ownAddress(form.get('back')), 303);
  });
  scope.post('/fleet/undo', async (request, reply) => {
    const token = await admitted(request);
    if (token === null) return reply.redirect('/fleet', 303);
    const last = lastDone.get(token);
    if (last?.done.canUndo === true && last.command.kind === 'outOfOrder') {
      const words = wordsOf(languageOf(request), timezone());
      await tell(token, last.devices, { kind: 'outOfOrder', on: !last.command.on }, words);
    }
    return reply.redirect(ownAddress(formOf(request).get('back')), 303);
  });
}

/** The device of a row's button, or the selected ones. */
function chosenIn(form: URLSearchParams): ReadonlySet<string> {
  const one = form.get('off') ?? form.get('on');
  return new Set(one === null ? form.getAll('device') : [one]);
}

/** The command of a form; null for a message without text. */
function commandOf(form: URLSearchParams): Command | null {
  if (form.has('off')) return { kind: 'outOfOrder', on: true };
  if (form.has('on')) return { kind: 'outOfOrder', on: false };
  switch (form.get('do')) {
    case 'off':
      return { kind: 'outOfOrder', on: true };
    case 'on':
      return { kind: 'outOfOrder', on: false };
    case 'reload':
      return { kind: 'reload' };
    default: {
      const text = (form.get('text') ?? '').trim().slice(0, LONGEST_MESSAGE);
      return text === '' ? null : { kind: 'message', text };
    }
  }
}

function sentenceOf(count: number, command: Command, { told, number }: FleetWords): string {
  if (count === 0) return told.nobody;
  const devices = number(count);
  if (command.kind === 'outOfOrder') return command.on ? told.outOfOrder(devices) : told.inOrder(devices);
  return told[command.kind](devices);
}

function viewOf(query: URLSearchParams): FleetView {
  return {
    find: (query.get('find') ?? '').slice(0, 100),
    need: NEEDS.find((need) => need === query.get('need')) ?? null,
    page: Math.max(1, Math.min(MOST, Math.trunc(Number(query.get('page'))) || 1)),
  };
}

function show(reply: FastifyReply, page: Html): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page.text);
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/** An address of this page, even if the form contains a different one. */
function ownAddress(address: string | null): string {
  return /^\/fleet(\?[\w=&%+.-]*)?$/.test(address ?? '') ? `${address}` : '/fleet';
}

function isOwn({ headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

function cookie({ protocol }: FastifyRequest, name: string, value: string): string {
  const secure = protocol === 'https' ? ' Secure;' : '';
  return `${name}=${value}; Path=/fleet; HttpOnly;${secure} SameSite=Strict; Max-Age=${COOKIE_SECONDS}`;
}

function cookieOf({ headers }: FastifyRequest, name: string): string | null {
  const pairs = (headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
  return pairs.find(([given]) => given === name)?.[1] ?? null;
}

function languageOf(request: FastifyRequest): FleetLanguage {
  const chosen = FLEET_LANGUAGES.find((language) => language === cookieOf(request, 'fleet-language'));
  return chosen ?? (/^de\b/i.test(request.headers['accept-language'] ?? '') ? 'de' : 'en');
}
