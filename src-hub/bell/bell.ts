/**
 * The bell of a box: tells devices over NATS that something is to be fetched, so that they need not ask so often.
 *
 *     store changed, command, facts taken in ► noted ► rung, the rarer the more listen ► devices fetch over HTTP
 *     reports ► keys of devices ► users of nats-server
 *
 * Invariants: it says where to look and never what is there; whoever misses a ring fetches later, so nothing here is kept and
 * nothing waits for it; a revoked device is shut out within seconds.
 */

import { type BellKey, makeBellKey } from '../../src-main/core/bell/link.ts';
import { ANY_LIST, type BellAddress } from '../../src-main/core/bell/ring.ts';
import type { Clock, Log, Random } from '../../src-main/core/ports.ts';
import { keepRunning } from '../../src-main/core/time/keep-running.ts';
import type { CallingDevice } from '../../src-platform/keys/caller.ts';
import type { Change, Store } from '../../src-platform/store/store.ts';
import { HUB_RESOURCES, servedAs } from '../copy/resources.ts';
import { createListeners } from './listeners.ts';
import { createNatsServer } from './nats-server.ts';
import { createRinger } from './ringer.ts';
import { commandSubject, configOf, type Listening, ownSubjects, subjectsFor, teamSubject } from './users.ts';

export type HubBellPorts = {
  readonly store: Store;
  readonly expo: string;
  /** As devices are told it. */
  readonly url: string;
  readonly listening: Listening;
  /** Folder of the box. */
  readonly folder: string;
  /** Names this run of the box. */
  readonly run: string;
  /** Path of nats-server; null: there is none. */
  readonly find: () => string | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly say: (sentence: string) => void;
};

export type HubBell = {
  /** A device told the key it listens with (null: it does not); answers where, null while nothing rings. */
  readonly heardOf: (device: CallingDevice, key: string | null) => BellAddress | null;
  /** A command waits for these devices. */
  readonly commanded: (devices: readonly string[]) => void;
  /** The devices of this partner have something to ask for. */
  readonly teamChanged: (partner: string | null) => void;
  /** Whether it can ring now. */
  readonly isRinging: () => boolean;
  /** Runs nats-server and rings until `signal` aborts. */
  readonly serve: (signal: AbortSignal) => Promise<void>;
};

/** The bell of one box, not begun yet. */
export function createHubBell(ports: HubBellPorts): HubBell {
  const { store, expo, url, listening, log } = ports;
  const server = createNatsServer(ports);
  const listeners = createListeners(ports);
  const ringer = createRinger({ ...ports, urlHere: urlHere(listening), listeners: listeners.count });

  /** Keeps the configuration of the server as the devices are. */
  const keepUsers = (own: BellKey, signal: AbortSignal): Promise<void> => {
    let before = '';
    return listeners.follow((all) => {
      const text = configOf(listening, own.publicKey, ownSubjects(expo), all);
      if (text !== before) server.configure(text);
      before = text;
    }, signal);
  };

  return {
    heardOf: (device, key) => {
      if (key === null) return null;
      listeners.add(device, key);
      const { id, partnerId: partner } = device;
      return ringer.isRinging() ? { url, ...subjectsFor(expo, { id, partner }) } : null;
    },
    commanded: (devices) => {
      for (const device of devices) ringer.note(commandSubject(expo, device), 'command');
    },
    teamChanged: (partner) => {
      const subject = partner === null ? null : teamSubject(expo, partner);
      if (subject !== null) ringer.note(subject, 'team');
    },
    isRinging: ringer.isRinging,
    serve: async (signal) => {
      const own = await makeBellKey();
      const stopListening = store.onChange((changes) => {
        for (const list of listsOf(changes, expo)) ringer.noteList(list);
      });
      server.configure(configOf(listening, own.publicKey, ownSubjects(expo), []));
      const onFault = (error: unknown): void =>
        log.error('a loop of the bell was ended by a fault; it is begun again', { error: String(error) });
      const loops = [
        server.run,
        (until: AbortSignal) => keepUsers(own, until),
        (until: AbortSignal) => ringer.serve(own, until),
      ];
      await Promise.all(loops.map((loop) => keepRunning(ports, loop, onFault, signal)));
      stopListening();
    },
  };
}

const LISTS: ReadonlyMap<string, string> = new Map([
  ...HUB_RESOURCES.map(({ name }) => [servedAs(name).kind, name] as const),
  ['expo', ANY_LIST],
]);

/**
 * The lists that a device has to read again. Actions are none, it asks for receipts; nor are connections: each tap at any stand
 * makes one, and all devices of the fair would look for their own; they come with the round.
 */
function listsOf(changes: readonly Change[], expo: string): ReadonlySet<string> {
  const ours = changes.filter(({ expoId }) => expoId === expo);
  const lists = new Set(ours.flatMap(({ kind }) => LISTS.get(kind) ?? []));
  for (const list of ['actions', 'connections']) lists.delete(list);
  return lists;
}

/** Where the box itself reaches its server. */
function urlHere({ host, port }: Listening): string {
  const here = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `nats://${here.includes(':') ? `[${here}]` : here}:${port}`;
}
