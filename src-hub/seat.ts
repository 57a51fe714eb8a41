/**
 * The connection to the platform for every process of a hub: its own bridge while it holds the lease, otherwise the
 * state that the holder publishes in the database.
 *
 *     holder ─► setting `standing`, notice ─► the others          others ─► notice `poll`, `email` ─► holder
 *
 * Invariants
 * - Only the holder talks to the platform.
 * - The holder publishes a change within about a second. Before the first published state the platform counts as
 *   unreachable. The last published state stays until another process takes the lease.
 */
import { randomUUID } from 'node:crypto';
import type { Clock, Log, PollNow } from '../src-main/core/foundations/ports.ts';
import type { UpstreamStanding } from '../src-platform/hub/hub-operations.ts';
import type { AskForEmail } from '../src-platform/hub/operations.ts';
import { readHubSetting, writeHubSetting } from '../src-platform/store/hub-setting.ts';
import type { Notice, Store } from '../src-platform/store/store.ts';
import type { Bridge } from './bridge.ts';
import { SNAPSHOT_RESOURCES } from './mirror/resources.ts';
import type { HubSettings } from './settings.ts';

/** The part of the bridge that a process needs to serve devices. */
type Upstream = Pick<
  Bridge,
  'standing' | 'requests' | 'isWhole' | 'isServed' | 'askForEmail' | 'platformTime' | 'poll'
>;

export type Seat = Upstream & {
  /** Called with the lease: works through `bridge` and informs the other processes until `signal` aborts. */
  readonly take: (bridge: Bridge, signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
};

type SeatPorts = {
  readonly store: Store;
  readonly wholeLists: HubSettings['wholeLists'];
  readonly clock: Clock;
  readonly log: Log;
};

/** The published state. `offset` is the platform's time minus this machine's, in milliseconds. */
type Told = UpstreamStanding & { readonly offset: number | null };

const STANDING = 'standing';
/** How often the holder checks for a change to publish. */
const TELL_EVERY_MS = 500;
/** How long a request for an e-mail waits for the holder. */
const EMAIL_MS = 20_000;
/** The outcomes that a holder may publish. */
const OUTCOMES = ['sent', 'notSent', 'refused', 'away'] as const;

/** The seat of one process. At the start there is neither a bridge nor a published state. */
export function createSeat({ store, wholeLists, clock, log }: SeatPorts): Seat {
  let bridge: Bridge | null = null;
  let told: Told = { state: 'offline', since: null, offset: null };
  const waiting = new Map<string, (outcome: (typeof OUTCOMES)[number]) => void>();
  const onFault = (error: unknown): void => {
    log.warn('processes of the hub could not notify each other', { error: String(error) });
  };
  const tell = (topic: 'poll' | 'email' | 'emailed' | 'standing', about: string): Promise<void> =>
    store.transaction(async (_db, notify) => notify(topic, about));

  const learn = async (): Promise<void> => {
    const text = await readHubSetting(store.db, STANDING);
    if (text !== null) told = JSON.parse(text) as Told;
    await wholeLists.refresh();
  };
  /** Handles an e-mail that a device requests at another process. */
  const sendEmail = async ({ askForEmail }: Bridge, about: string): Promise<void> => {
    const { id, visitor, force } = JSON.parse(about) as { id: string; visitor: string; force: boolean };
    const outcome = await askForEmail(visitor, force);
    await tell('emailed', `${id} ${outcome}`);
  };
  const handle = ({ topic, about }: Notice): void => {
    const isTold = topic === 'standing' || topic === 'missed';
    if (bridge === null && isTold) learn().catch(onFault);
    if (topic === 'emailed') {
      const [id = '', outcome] = about.split(' ');
      waiting.get(id)?.(OUTCOMES.find((one) => one === outcome) ?? 'away');
    }
    if (bridge === null) return;
    if (topic === 'poll') void bridge.poll(undefined, about);
    if (topic === 'email') sendEmail(bridge, about).catch(onFault);
  };
  const unsubscribe = store.onNotice(handle);

  const askHolder: AskForEmail = async (visitor, force) => {
    const id = randomUUID();
    const late = new AbortController();
    const answer = new Promise<(typeof OUTCOMES)[number]>((resolve) => waiting.set(id, resolve));
    try {
      await tell('email', JSON.stringify({ id, visitor, force }));
      const none = clock.sleep(EMAIL_MS, late.signal).then(() => 'away' as const);
      return await Promise.race([answer, none]);
    } finally {
      late.abort();
      waiting.delete(id);
    }
  };
  const isServedBefore = (list: string): boolean => {
    if (!wholeLists.has(list)) learn().catch(onFault);
    return wholeLists.has(list);
  };

  /** Publishes a change for the other processes. */
  const tellOthers = async (holder: Bridge, signal: AbortSignal): Promise<void> => {
    let last = '';
    let lastOffset: number | null = null;
    while (!signal.aborted) {
      const { state, since } = holder.standing();
      const time = holder.platformTime();
      const offset = time === null ? null : Math.round(time - clock.now());
      const isOther =
        Math.abs((offset ?? 0) - (lastOffset ?? 0)) > 1_000 || (offset === null) !== (lastOffset === null);
      const lists = SNAPSHOT_RESOURCES.filter(({ path }) => holder.isServed(path)).length;
      if (`${state} ${lists}` !== last || isOther) {
        last = `${state} ${lists}`;
        lastOffset = offset;
        await writeHubSetting(store, STANDING, JSON.stringify({ state, since, offset } satisfies Told));
        await tell('standing', '');
      }
      await clock.sleep(TELL_EVERY_MS, signal);
    }
  };

  return {
    standing: () => bridge?.standing() ?? { state: told.state, since: told.since },
    requests: () => bridge?.requests() ?? 0,
    isWhole: () => bridge?.isWhole() ?? SNAPSHOT_RESOURCES.every(({ path }) => isServedBefore(path)),
    isServed: (list) => bridge?.isServed(list) ?? isServedBefore(list),
    askForEmail: (visitor, force) => (bridge?.askForEmail ?? askHolder)(visitor, force),
    platformTime: () => {
      if (bridge !== null) return bridge.platformTime();
      return told.offset === null ? null : clock.now() + told.offset;
    },
    poll: ((signal, list) => {
      if (bridge !== null) return bridge.poll(signal, list);
      return tell('poll', list ?? '').then(
        () => 'done',
        () => 'failed',
      );
    }) satisfies PollNow,
    take: async (holder, signal) => {
      bridge = holder;
      try {
        while (!signal.aborted) {
          await tellOthers(holder, signal).catch(onFault);
          await clock.sleep(TELL_EVERY_MS, signal);
        }
      } finally {
        bridge = null;
        await learn().catch(onFault);
      }
    },
    close: unsubscribe,
  };
}
