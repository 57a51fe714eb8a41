/**
 * A modelled device: the product's own client, sender, hub client, stream, puller and reports over stores in memory.
 * Many of them share one process.
 *
 * Invariants:
 * - No journal, no screens, no worker thread and no reader.
 * - Everything else is the product's code with its own intervals.
 * - It requests the team's facts as a kiosk does and discards them.
 */

import { createPresence } from '../../../src-main/core/delivery/hub/presence.ts';
import type { HubReport } from '../../../src-main/core/delivery/hub/report.ts';
import { createHubStream } from '../../../src-main/core/delivery/hub/stream.ts';
import { createHub } from '../../../src-main/core/delivery/outbox/hub.ts';
import { createDelivery } from '../../../src-main/core/delivery/outbox/sender.ts';
import { wireOfFact } from '../../../src-main/core/delivery/outbox/wire.ts';
import { createNews, type News, TEAM_NEWS } from '../../../src-main/core/event/sync/news.ts';
import { createPuller } from '../../../src-main/core/event/sync/puller.ts';
import { createPushed } from '../../../src-main/core/event/sync/pushed.ts';
import { type ApiClient, createClient } from '../../../src-main/core/foundations/api/client.ts';
import { createConnection } from '../../../src-main/core/foundations/api/connection.ts';
import type { WireRecord } from '../../../src-main/core/foundations/api/page.ts';
import type { Log } from '../../../src-main/core/foundations/ports.ts';
import { keepRunning } from '../../../src-main/core/foundations/time/loops.ts';
import { CHAIN_START, type Fact } from '../../../src-main/core/journal/facts/fact.ts';
import { uuidV7 } from '../../../src-main/core/journal/facts/stamp.ts';
import { realClock, realRandom } from '../../core/real-parts.ts';
import { type Asked, countedClient } from './counted-client.ts';
import type { FleetDevice, Hall } from './device.ts';
import type { MemoryMirror } from './memory-mirror.ts';
import { createMemoryOutbox, type MemoryOutbox } from './memory-outbox.ts';

export type ModelledDevice = {
  readonly outbox: MemoryOutbox;
  /** Whether it has a complete mirror. */
  readonly isWhole: () => boolean;
  /** Whether its stream keeps every list up to date. */
  readonly isInStep: () => boolean;
  readonly capture: (badge: string) => void;
  /** Runs until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
};

export type ModelledPorts = {
  readonly hall: Hall;
  readonly device: FleetDevice;
  readonly mirror: MemoryMirror;
  readonly asked: Asked;
  readonly log: Log;
  /** Called when a visitor arrived in its mirror. */
  readonly onVisitor: (visitor: WireRecord) => void;
  readonly onRound: () => void;
};

const MINUTE_MS = 60_000;

/** The report of this device, as if it had a reader and a screen. */
const reportOf = (device: FleetDevice, outbox: MemoryOutbox, told: Pick<HubReport, 'since' | 'mirrorAt'>) => {
  const { in_flight: inFlight, ...counts } = outbox.counts();
  const at = realClock.now();
  return {
    ...{
      ...told,
      device: device.touchpoint,
      version: 'bench',
      at,
      purpose: 'lead',
      lastTapAt: at - MINUTE_MS,
    },
    ...{ readers: 1, cardService: 'up', storage: 'ok', fault: null, pause: null },
    delivery: { ...counts, inFlight, atHub: outbox.atHub() },
    ...{
      battery: 0.8,
      plugged: true,
      encryption: 'encrypted',
      outOfOrder: false,
      message: false,
      command: 0,
    },
  } as const satisfies HubReport;
};

/** Requests the facts of this partner's other laptops, page by page, if there are new ones. */
const followTeam = (
  client: ApiClient,
  expoId: string,
  news: News,
  partner: string,
): ((signal: AbortSignal) => Promise<void>) => {
  let after = 0;
  return async (signal) => {
    while (!news.isUnchanged('facts', partner)) {
      const text = await client.get(`/hub/facts/${expoId}`, { after }, signal);
      const page = JSON.parse(text) as { readonly next: number; readonly more: boolean };
      after = page.next;
      if (page.more) continue;
      news.noteRead('facts', partner);
      return;
    }
  };
};

/** A tap in its wire form. */
const tapOf = ({ touchpoint, partner }: FleetDevice, seq: number, badge: string): Fact => {
  const at = realClock.now();
  return {
    ...{ id: uuidV7(at, realRandom.bytes(10)), kind: 'tap', at, mono: 0, boot: 'bench', clockOffset: 0, seq },
    ...{ touchpoint, partner, reader: 'bench', source: 'nfc', staff: null },
    ...{ payloadSha256: '', previousHash: CHAIN_START, hash: '' },
    payload: { badge },
  };
};

/** One device that has not been started. */
export const createModelledDevice = (ports: ModelledPorts): ModelledDevice => {
  const { hall, device, mirror, asked, log } = ports;
  const { expoId } = hall;
  const { baseUrl, others, key } = device;
  const access = { baseUrl, others, key, password: '', expoId, pin: hall.pin };
  const client = countedClient(createClient(access, realClock), asked);
  const ownClient = countedClient(createClient(access, realClock), asked);
  const outbox = createMemoryOutbox();
  const since = realClock.now();
  let roundAt: number | null = null;
  const parts = { clock: realClock, random: realRandom, log };
  const connection = createConnection(() => {
    if (connection.state() === 'online') stream.reconnect();
  });
  const common = { ...parts, client, expoId, connection };
  const onChange = (): void => presence.changed();
  const hub = createHub({
    ...{ client, expoId, clock: realClock, onChange, isStreaming: () => stream.isLive() },
    journal: { settings: outbox.settings, outbox },
  });
  const owner = { touchpoint: device.touchpoint, partner: device.partner };
  const sender = createDelivery({ ...common, store: outbox, owner: () => owner, hub, onChange });
  const news = createNews(client, expoId, hub, () => stream.isInStep());
  const team = device.partner === null ? null : followTeam(client, expoId, news, device.partner);
  const partner = () => device.partner;
  const onPage: Parameters<typeof createPushed>[0]['onPage'] = (resource, changed) => {
    if (resource === 'visitors') for (const visitor of changed) ports.onVisitor(visitor);
  };
  const onBehind = (): void => stream.fallBehind();
  const pushed = createPushed({ mirror, partner, onPage, onOther: news.noteChanged, onBehind });
  const puller = createPuller({
    ...{ ...common, mirror, news, pushed, partner, onPage },
    onRemoved: () => undefined,
    onCompared: () => undefined,
    backgroundJobs: async (signal) => {
      if (!hub.wasAsked()) await hub.ask(signal);
      await team?.(signal);
    },
    onRound: () => {
      roundAt = realClock.now();
      ports.onRound();
    },
  });
  const stream = createHubStream({
    ...{ ...parts, client, expoId, hub, pushed, poll: puller.poll },
    onConnected: sender.wake,
    onTeam: () => news.noteChanged(TEAM_NEWS),
    onCommands: () => undefined,
  });
  const presence = createPresence({
    ...{ ...parts, client: ownClient },
    isAtHub: async () => true,
    read: () => reportOf(device, outbox, { since, mirrorAt: roundAt }),
    onAnswer: () => undefined,
  });
  return {
    outbox,
    isWhole: () => roundAt !== null,
    isInStep: stream.isInStep,
    capture: (badge) => {
      const fact = tapOf(device, outbox.counts().captured + 1, badge);
      outbox.add(fact.id, wireOfFact(fact, owner, null));
      sender.wake();
      onChange();
    },
    run: async (signal) => {
      const onFault = (error: unknown): void => log.error('a loop was ended', { error: String(error) });
      const loops = [puller.run, sender.run, presence.run, stream.run];
      await Promise.all(loops.map((loop) => keepRunning(parts, loop, onFault, signal)));
      await Promise.all([client.close(), ownClient.close()]);
    },
  };
};
