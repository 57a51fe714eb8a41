/**
 * A scripted device behind the real renderer. It serves `out/renderer` under the strict content policy and implements
 * the contract over a WebSocket, so that a test can put the display into any state.
 *
 * Invariants:
 * - It listens only on loopback.
 * - The contract itself validates everything it sends.
 * - It records the calls that tests check.
 * - Closing ends every connection.
 */

import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { EventPublisher, implement } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { WebSocketServer } from 'ws';
import { contract } from '../../../src-main/contract/contract.ts';
import type { DeadLetter, TurnedAway } from '../../../src-main/contract/delivery.ts';
import type { DeviceState, TouchpointChoice } from '../../../src-main/contract/device.ts';
import type { Health } from '../../../src-main/contract/health.ts';
import type { ImportState } from '../../../src-main/contract/imports.ts';
import type { PhonesState } from '../../../src-main/contract/phones.ts';
import type { StaffState } from '../../../src-main/contract/staff.ts';
import type { OfferItem, Picture, ScreenSetup, Stand } from '../../../src-main/contract/stand.ts';
import type { DemoBadge, TapEvent } from '../../../src-main/contract/tap.ts';
import { type AttractFiles, openAttractFiles } from '../../../src-main/page/attract-files.ts';
import { pageHeaders } from '../../../src-main/page/page-policy.ts';
import { healthyDevice, plainStand } from './healthy-device.ts';
import { type DestinationScript, noDestinations, scriptedDestinations } from './scripted-destinations.ts';
import { type ErasureScript, scriptedErasure, someErasure } from './scripted-erasure.ts';
import { type ExportScript, scriptedExports, someExports } from './scripted-exports.ts';
import { importedTwelve, scriptedImports } from './scripted-imports.ts';
import { createScriptedLeads, emptyLeads, leadCalls, type ScriptedLeads } from './scripted-leads.ts';
import { noRehearsal, type RehearsalScript, scriptedRehearsal } from './scripted-rehearsal.ts';
import { type SetupScript, scriptedSetup, someSetup } from './scripted-setup.ts';
import {
  createScriptedEntry,
  demoTeam,
  openEntry,
  type ScriptedEntry,
  staffCalls,
} from './scripted-staff.ts';

const headers = pageHeaders(null);

const kinds: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

export type ScriptedDevice = {
  readonly url: string;
  /** Changes the device's state and publishes it to every screen. */
  readonly setState: (change: Partial<DeviceState>) => void;
  /** Changes what the stand offers and publishes it to every screen. */
  readonly setStand: (change: Partial<Stand>) => void;
  /**
   * Publishes a tap to every screen. If no screen is connected, the next one receives it, as on the real device.
   */
  readonly tap: (event: TapEvent) => void;
  /** Recorded calls of the screens, oldest first. */
  readonly calls: readonly { readonly call: string; readonly input: unknown }[];
  /** Closes every connection. `restore` admits screens again. */
  readonly cut: () => void;
  readonly restore: () => void;
  /** Resets the device to its initial state, except `comfort` and `pictures`. */
  readonly reset: () => void;
  /** The answer to `undo`; by default it succeeds, with a tap event. */
  undoAnswer: 'done' | 'expired' | 'never';
  readonly leads: ScriptedLeads;
  badges: readonly DemoBadge[];
  touchpoints: readonly TouchpointChoice[];
  /** The PIN that is needed to choose the touchpoint, or null. */
  choicePin: string | null;
  offer: readonly OfferItem[];
  /** Pictures by name. */
  pictures: ReadonlyMap<string, Picture>;
  /** How the screen is set up, independent of the stand. It survives `reset`. */
  comfort: Partial<ScreenSetup>;
  /** Whether the device stores what a visitor adds. */
  keeps: boolean;
  emailAnswer: 'sent' | 'queued' | 'impossible';
  parked: readonly DeadLetter[];
  turnedAway: readonly TurnedAway[];
  /** The result of the next import. */
  importScript: readonly ImportState[];
  exportScript: ExportScript;
  destinationScript: DestinationScript;
  phones: PhonesState;
  /** Changes the answers of the set-up and notifies every screen. */
  readonly setSetup: (change: Partial<SetupScript>) => void;
  /** Changes the state of the rehearsal. */
  readonly setRehearsal: (change: Partial<RehearsalScript>) => void;
  /** Replaces parts of the default answer to `health.read`. */
  health: Partial<Health>;
  erasureScript: ErasureScript;
  /** Whether a user is signed in, and the team. */
  readonly entry: ScriptedEntry;
  readonly close: () => Promise<void>;
};

const noPhones: PhonesState = { open: null, fault: null, phones: [] };

/** Opens a scripted device; `root` is the built renderer, `attract` serves further files. */
export async function openScriptedDevice(
  root: string,
  initial: Partial<DeviceState> = {},
  attract: AttractFiles = openAttractFiles(null),
): Promise<ScriptedDevice> {
  let device: DeviceState = { ...healthyDevice, ...initial };
  let stand: Stand = plainStand;
  let setupScript = someSetup;
  let rehearsalScript = noRehearsal;
  let open = true;
  const calls: { call: string; input: unknown }[] = [];
  const events = new EventPublisher<{
    device: DeviceState;
    stand: Stand;
    tap: TapEvent;
    staff: StaffState;
    setup: null;
    rehearsal: null;
  }>({
    maxBufferedEvents: 10_000,
  });
  const os = implement(contract);
  /** Number of screens that receive taps. `unheard` holds the outcomes produced while there was none. */
  let listening = 0;
  const unheard: TapEvent[] = [];
  const tapsFor = async function* (signal: AbortSignal | undefined) {
    const taps = events.subscribe('tap', signal ? { signal } : {});
    listening += 1;
    try {
      yield* unheard.splice(0);
      yield* taps;
    } finally {
      listening -= 1;
    }
  };
  const entry = createScriptedEntry(events);
  const leads = createScriptedLeads();
  const keep = (call: string, input: unknown) => {
    calls.push({ call, input });
    return { kept: scripted.keeps };
  };
  const router = os.router({
    device: {
      watch: os.device.watch.handler(async function* ({ signal }) {
        const changes = events.subscribe('device', signal ? { signal } : {});
        yield device;
        yield* changes;
      }),
      touchpoints: os.device.touchpoints.handler(() => [...scripted.touchpoints]),
      choose: os.device.choose.handler(({ input }) => {
        calls.push({ call: 'device.choose', input });
        if (scripted.choicePin === null || input.pin === scripted.choicePin) return { done: true };
        return {
          done: false,
          pin: input.pin === undefined ? { kind: 'needed' } : { kind: 'wrong', waitMs: 0 },
        };
      }),
    },
    hub: {
      putAway: os.hub.putAway.handler(() => {
        calls.push({ call: 'hub.putAway', input: null });
        return { done: true };
      }),
    },
    taps: {
      watch: os.taps.watch.handler(({ signal }) => tapsFor(signal)),
      enter: os.taps.enter.handler(({ input }) => {
        calls.push({ call: 'taps.enter', input });
        return { taken: input.text !== 'NOTACODE' };
      }),
      undo: os.taps.undo.handler(async ({ input }) => {
        calls.push({ call: 'taps.undo', input });
        if (scripted.undoAnswer === 'never') await new Promise(() => undefined);
        if (scripted.undoAnswer === 'done')
          events.publish('tap', { kind: 'undone', at: Date.now(), factId: input.factId });
        return { done: scripted.undoAnswer === 'done' };
      }),
    },
    stand: {
      watch: os.stand.watch.handler(async function* ({ signal }) {
        const changes = events.subscribe('stand', signal ? { signal } : {});
        yield stand;
        yield* changes;
      }),
    },
    offer: {
      list: os.offer.list.handler(({ input }) => {
        calls.push({ call: 'offer.list', input });
        const wanted = input.search.toLocaleLowerCase();
        const found = scripted.offer.filter((item) =>
          `${item.name} ${item.summary} ${item.description}`.toLocaleLowerCase().includes(wanted),
        );
        return { items: found.slice(input.offset, input.offset + input.limit), total: found.length };
      }),
      picture: os.offer.picture.handler(({ input }) => scripted.pictures.get(input.id) ?? null),
    },
    session: {
      consent: os.session.consent.handler(({ input }) => keep('session.consent', input)),
      answer: os.session.answer.handler(({ input }) => keep('session.answer', input)),
      skip: os.session.skip.handler(({ input }) => keep('session.skip', input)),
      collect: os.session.collect.handler(({ input }) => keep('session.collect', input)),
      email: os.session.email.handler(({ input }) => {
        calls.push({ call: 'session.email', input });
        return { state: scripted.emailAnswer };
      }),
      end: os.session.end.handler(({ input }) => {
        calls.push({ call: 'session.end', input });
        return { ended: true };
      }),
    },
    staff: staffCalls(entry, events, (call, input) => void calls.push({ call, input })),
    leads: leadCalls(leads, (call, input) => void calls.push({ call, input })),
    health: {
      read: os.health.read.handler(() => ({
        ...{ verdict: 'good', at: Date.now(), version: device.version },
        checks: [{ name: 'backup', verdict: 'good', newestAt: Date.now() - 240_000, facts: 126, missing: 2 }],
        ...scripted.health,
      })),
    },
    imports: scriptedImports(
      () => scripted.importScript,
      (call, input) => void calls.push({ call, input }),
    ),
    setup: scriptedSetup(
      () => setupScript,
      (call, input) => void calls.push({ call, input }),
      (signal) => events.subscribe('setup', signal ? { signal } : {}),
    ),
    rehearsal: scriptedRehearsal(
      () => rehearsalScript,
      (call, input) => void calls.push({ call, input }),
      (signal) => events.subscribe('rehearsal', signal ? { signal } : {}),
    ),
    exports: scriptedExports(
      () => scripted.exportScript,
      (call, input) => void calls.push({ call, input }),
    ),
    destinations: scriptedDestinations(
      () => scripted.destinationScript,
      (call, input) => void calls.push({ call, input }),
    ),
    erasure: scriptedErasure(
      () => scripted.erasureScript,
      (call, input) => void calls.push({ call, input }),
    ),
    phones: {
      read: os.phones.read.handler(() => scripted.phones),
      turn: os.phones.turn.handler(() => scripted.phones),
      pair: os.phones.pair.handler(() => {
        const addresses = scripted.phones.open?.addresses;
        return addresses
          ? { links: addresses.map((address) => `https://${address}/?pair=${'a'.repeat(43)}`) }
          : null;
      }),
      revoke: os.phones.revoke.handler(() => scripted.phones),
    },
    delivery: {
      deadLetters: os.delivery.deadLetters.handler(() => [...scripted.parked]),
      turnedAway: os.delivery.turnedAway.handler(() => ({
        entries: [...scripted.turnedAway],
        total: scripted.turnedAway.length,
      })),
      removal: os.delivery.removal.handler(() => ({ records: 312, leads: 4 })),
      retry: os.delivery.retry.handler(({ input }) => {
        calls.push({ call: 'delivery.retry', input });
        return { retried: input.factId ? 1 : scripted.parked.length };
      }),
    },
    mirror: {
      reconcile: os.mirror.reconcile.handler(() => ({ begun: true })),
      approveRemoval: os.mirror.approveRemoval.handler(({ input }) => {
        calls.push({ call: 'mirror.approveRemoval', input });
        return { approved: true };
      }),
    },
    demo: {
      badges: os.demo.badges.handler(() => [...scripted.badges]),
      tap: os.demo.tap.handler(({ input }) => {
        calls.push({ call: 'demo.tap', input });
        return { taken: true };
      }),
      become: os.demo.become.handler(({ input }) => {
        calls.push({ call: 'demo.become', input });
        return { done: true };
      }),
    },
  });

  const server = createServer((request, response) => {
    const media = attract.answer(request.url ?? '/', request.headers.range ?? null);
    if (media) {
      response.writeHead(media.status, { ...headers, ...media.headers });
      return void pipeline(media.body?.() ?? Readable.from([]), response, () => undefined);
    }
    void serve(root, request.url ?? '/').then(({ status, kind, body }) => {
      response.writeHead(status, { ...headers, 'Content-Type': kind });
      response.end(body);
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  const handler = new RPCHandler(router);
  server.on('upgrade', (request, socket, head) => {
    if (!open || request.url !== '/rpc') return void socket.destroy();
    sockets.handleUpgrade(
      request,
      socket,
      head,
      (connected) => void handler.upgrade(connected, { context: {} }),
    );
  });

  const scripted: ScriptedDevice = {
    url: await listen(server),
    setState: (change) => {
      device = { ...device, ...change };
      events.publish('device', device);
    },
    setStand: (change) => {
      stand = { ...stand, ...change };
      stand = { ...stand, screen: { ...stand.screen, ...scripted.comfort } };
      events.publish('stand', stand);
    },
    tap: (event) => {
      if (listening > 0) events.publish('tap', event);
      else unheard.push(event);
    },
    calls,
    cut: () => {
      open = false;
      for (const socket of sockets.clients) socket.terminate();
    },
    restore: () => {
      open = true;
    },
    reset: () => {
      open = true;
      device = { ...healthyDevice, ...initial };
      events.publish('device', device);
      stand = { ...plainStand, screen: { ...plainStand.screen, ...scripted.comfort } };
      events.publish('stand', stand);
      calls.length = 0;
      unheard.length = 0;
      scripted.undoAnswer = 'done';
      scripted.exportScript = someExports();
      scripted.destinationScript = noDestinations();
      scripted.phones = noPhones;
      scripted.setSetup(someSetup);
      scripted.erasureScript = someErasure();
      Object.assign(leads, emptyLeads);
      scripted.badges = [];
      scripted.touchpoints = [];
      scripted.choicePin = null;
      scripted.offer = [];
      // The pictures are kept: the page may still show the offer, and would remember a missing picture.
      scripted.keeps = true;
      scripted.emailAnswer = 'sent';
      scripted.parked = [];
      scripted.turnedAway = [];
      scripted.importScript = importedTwelve;
      scripted.health = {};
      rehearsalScript = noRehearsal;
      entry.set(openEntry);
      entry.team = demoTeam;
    },
    undoAnswer: 'done',
    exportScript: someExports(),
    destinationScript: noDestinations(),
    phones: noPhones,
    setSetup: (change) => {
      setupScript = { ...setupScript, ...change };
      events.publish('setup', null);
    },
    setRehearsal: (change) => {
      rehearsalScript = { ...rehearsalScript, ...change };
      events.publish('rehearsal', null);
    },
    health: {},
    erasureScript: someErasure(),
    leads,
    badges: [],
    touchpoints: [],
    choicePin: null,
    offer: [],
    pictures: new Map(),
    comfort: {},
    keeps: true,
    emailAnswer: 'sent',
    parked: [],
    turnedAway: [],
    importScript: importedTwelve,
    entry,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return scripted;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function serve(
  root: string,
  url: string,
): Promise<{ status: number; kind: string; body: Buffer | string }> {
  const path = normalize(new URL(url, 'http://device').pathname);
  const file = path === '/' ? '/index.html' : path;
  try {
    return {
      status: 200,
      kind: kinds[extname(file)] ?? 'application/octet-stream',
      body: await readFile(join(root, file)),
    };
  } catch {
    return { status: 404, kind: 'text/plain', body: 'not here' };
  }
}
