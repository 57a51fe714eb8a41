/**
 * The event stream of the hub (`GET /hub/stream`, docs/hub.md): changed records, receipts and commands without a
 * request.
 *
 *     connect ─► hello ─► a round reads what was missed ─► in step: pushed records move the cursors
 *        ▲                     (skipped if the hub still has everything since the last id)        │
 *        └──── wait (full jitter, or until the hub answers a request) ◄──── ended, silent, a gap in the ids, a machine that slept ◄───┘
 *
 * Invariants:
 * - The stream only saves requests. It is in step while it keeps every list up to date. Before that, the device polls
 *   as it would without a stream.
 * - Pushed records are written only while no record can have been missed. After a gap the device reads the list.
 * - It has its own connection and uses none of the key's request slots (docs/laws.md#law-5).
 * - The device closes a stream on which nothing arrives for 25 seconds: it is dead, or a proxy buffers it.
 */
import { z } from 'zod';
import type { Pushed, PushedList } from '../../event/sync/pushed.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import type { ServerEvent } from '../../foundations/api/event-stream.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { pathOf } from '../../foundations/api/path.ts';
import type { Clock, Log, PollNow, Random } from '../../foundations/ports.ts';
import { backoffMs } from '../../foundations/time/backoff.ts';
import { createWakeableSleep } from '../../foundations/time/loops.ts';
import { RETRY, STREAM_NONE_MS, STREAM_RETRY, STREAM_SILENCE_MS } from '../../foundations/time/times.ts';
import { whyOf } from '../../foundations/trace.ts';
import type { Hub } from '../outbox/hub.ts';
import { commandsSchema } from './presence.ts';

export type HubStream = {
  /** Runs until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Whether the stream delivers receipts and commands now. */
  readonly isLive: () => boolean;
  /** Whether the stream keeps every list up to date now. */
  readonly isInStep: () => boolean;
  /** Reconnects, for example after the machine slept. */
  readonly restart: () => void;
  /** Ends the wait for the next connection, because the hub answers again. */
  readonly reconnect: () => void;
  /** Pushed records could not be written: a round must read every list. */
  readonly fallBehind: () => void;
};

type StreamPorts = {
  readonly client: Pick<ApiClient, 'events'>;
  readonly expoId: string;
  readonly hub: Pick<Hub, 'isThere' | 'takeReceipts' | 'takeDescription' | 'askAgain'>;
  readonly pushed: Pick<Pushed, 'take' | 'hold' | 'release' | 'clear'>;
  readonly poll: PollNow;
  /** The stream connected. Receipts may have been missed before it. */
  readonly onConnected: () => void;
  /** The team's laptops submitted facts. */
  readonly onTeam: () => void;
  readonly onCommands: (texts: readonly string[]) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

const helloSchema = z.object({ resumed: z.boolean(), hub: z.unknown() });

/** A stream that lasted this long ends a series of failures. */
const LIVED_MS = 60_000;

/** The stream of one device. */
export function createHubStream(ports: StreamPorts): HubStream {
  const { client, expoId, hub, pushed, poll, clock, random, log } = ports;
  const waker = createWakeableSleep(clock);
  let current: Connection | null = null;
  /** Id of the event up to which the mirror holds every change, or null. */
  let lastId: string | null = null;

  /** Requests a round that reads the missing records, then writes the records pushed meanwhile. */
  const catchUp = async (connection: Connection): Promise<void> => {
    if (connection.isCatchingUp) return;
    connection.isCatchingUp = true;
    const { signal } = connection.ended;
    while (!signal.aborted && !connection.isInStep) {
      connection.isDoubted = false;
      const outcome = await poll(signal);
      if (signal.aborted) break;
      if (outcome === 'done' && !connection.isDoubted) {
        connection.isInStep = true;
        lastId = connection.id;
        pushed.release();
      } else await clock.sleep(backoffMs(RETRY, 2, random.fraction()), signal);
    }
    connection.isCatchingUp = false;
  };
  const fallBehind = (connection: Connection): void => {
    connection.isInStep = false;
    connection.isDoubted = true;
    lastId = null;
    pushed.hold();
    catchUp(connection).catch((error: unknown) =>
      log.error('the device could not catch up with the stream', { error: whyOf(error) }),
    );
  };

  const handlers: Readonly<Record<string, (connection: Connection, event: ServerEvent) => void>> = {
    hello: (connection, { id, data }) => {
      const hello = helloSchema.safeParse(parseOrUndefined(data));
      if (!hello.success) return;
      connection.isLive = true;
      connection.id = id;
      hub.takeDescription(JSON.stringify(hello.data.hub));
      hub.askAgain();
      ports.onConnected();
      if (hello.data.resumed && lastId === id) {
        connection.isInStep = true;
        pushed.release();
      } else {
        pushed.clear();
        fallBehind(connection);
      }
    },
    changes: (connection, { id, data }) => {
      const [before = '', ...lines] = data.split('\n');
      const isGap = before !== connection.id;
      connection.id = id;
      if (isGap) {
        pushed.clear();
        fallBehind(connection);
        return;
      }
      pushed.take(lines.map(listOf));
      if (connection.isInStep) lastId = id;
    },
    receipts: (_connection, { data }) => hub.takeReceipts(data),
    ask: () => hub.askAgain(),
    hub: (_connection, { data }) => hub.takeDescription(data),
    team: () => ports.onTeam(),
    commands: (_connection, { data }) => {
      const parsed = commandsSchema.safeParse(parseOrUndefined(data));
      if (parsed.success) ports.onCommands(parsed.data.commands);
    },
  };

  /** Reads one stream to its end. Returns why it ended, or null after a normal end. */
  const follow = async (events: NonNullable<ApiClient['events']>, signal: AbortSignal): Promise<unknown> => {
    const connection: Connection = {
      ended: new AbortController(),
      id: '',
      isLive: false,
      isInStep: false,
      isCatchingUp: false,
      isDoubted: false,
    };
    current = connection;
    const end = (): void => endOf(connection);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    let aliveAt = clock.monotonic();
    const watch = async (): Promise<void> => {
      while (!connection.ended.signal.aborted) {
        await clock.sleep(STREAM_SILENCE_MS / 5, connection.ended.signal);
        if (clock.monotonic() - aliveAt > STREAM_SILENCE_MS) end();
      }
    };
    const watching = watch();
    try {
      await events(
        pathOf`/hub/stream/${expoId}`,
        {
          lastEventId: lastId,
          onEvent: (event) => handlers[event.name]?.(connection, event),
          onAlive: () => {
            aliveAt = clock.monotonic();
          },
        },
        connection.ended.signal,
      );
      return null;
    } catch (error) {
      if (!(error instanceof ApiError) && !connection.ended.signal.aborted) throw error;
      return error;
    } finally {
      pushed.hold();
      current = null;
      end();
      signal.removeEventListener('abort', end);
      await watching;
    }
  };

  return {
    isLive: () => current?.isLive === true,
    isInStep: () => current?.isInStep === true,
    restart: () => {
      if (current !== null) endOf(current);
      waker.wake();
    },
    reconnect: () => {
      if (current === null) waker.wake();
    },
    fallBehind: () => {
      if (current !== null) fallBehind(current);
    },
    run: async (signal) => {
      let failures = 0;
      while (!signal.aborted) {
        const { events } = client;
        if (events === undefined || !hub.isThere()) {
          await waker.sleep(events === undefined ? STREAM_NONE_MS : STREAM_RETRY.baseMs, signal);
          continue;
        }
        const began = clock.monotonic();
        const why = await follow(events, signal);
        if (signal.aborted) return;
        failures = clock.monotonic() - began > LIVED_MS ? 1 : failures + 1;
        const isWithout = why instanceof ApiError && why.errorClass.kind === 'reject';
        if (failures === 1)
          log.info('the event stream ended; this device polls', {
            why: why instanceof Error ? why.message : null,
          });
        const wait = isWithout
          ? STREAM_NONE_MS * (0.5 + random.fraction())
          : backoffMs(STREAM_RETRY, failures, random.fraction());
        await waker.sleep(wait, signal);
      }
    },
  };
}

/** One connection. */
type Connection = {
  readonly ended: AbortController;
  /** Id of the last event that arrived. */
  id: string;
  isLive: boolean;
  isInStep: boolean;
  isCatchingUp: boolean;
  /** The stream has fallen behind since the running round began, so the result of the round does not suffice. */
  isDoubted: boolean;
};

function endOf(connection: Connection): void {
  connection.isLive = false;
  connection.isInStep = false;
  connection.ended.abort();
}

function listOf(line: string): PushedList {
  const space = line.indexOf(' ');
  return { list: line.slice(0, space), text: line.slice(space + 1) };
}
