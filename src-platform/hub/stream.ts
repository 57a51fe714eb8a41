/**
 * The event stream of each device (server-sent events): the changed records that the device may see, the receipts of
 * its facts, its commands, and the state of the hub. This is our own extension, which only a hub has (docs/hub.md).
 *
 *     hello ─► changes (id, previous id, records) ─► receipts, team, commands, hub ─► ...     a comment every ten seconds
 *
 * Invariants
 * - Every change after the revision in `hello` is sent once, in commit order. Each event names the previous id, so a
 *   device detects a gap. Receipts, commands and the rest have no id. A device requests them after a reconnect.
 * - A device that does not read uses bounded memory and is then cut off. A device that was revoked, or whose view
 *   changed, is also cut off.
 * - A stream takes no slot of its key.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ApiError } from '../http/errors.ts';
import type { ExpoCall, Operation } from '../http/operation.ts';
import { Piece } from '../http/piece.ts';
import type { CallingDevice } from '../keys/caller.ts';
import type { Resource } from '../resources/resource.ts';
import type { Notice, Store } from '../store/store.ts';
import { deviceOf } from './access.ts';
import type { UpstreamStanding } from './hub-operations.ts';
import { type DeviceView, viewOf } from './narrowing.ts';
import { stateOf } from './receipts.ts';
import { type Batch, createPump } from './stream-pump.ts';

export type EventStreams = {
  /** Opens the stream of a device, which has processed everything up to `lastId`. */
  readonly open: (device: CallingDevice, lastId: string | undefined) => Promise<Readable>;
  /** Number of open streams. */
  readonly count: () => number;
  /** Age in milliseconds of the oldest change in the database that a stream has not yet written to its connection. */
  readonly lagMs: () => number;
  /** Ends all streams. */
  readonly close: () => void;
};

/** The dependencies of a hub's streams. */
export type StreamPorts = {
  readonly store: Store;
  readonly expoId: string;
  readonly hubStoreId: string;
  readonly name: string;
  readonly upstream: () => UpstreamStanding;
  /** Fingerprint of the key with which the hub countersigns receipts. Absent if the hub does not countersign. */
  readonly signer?: string;
  /** Signed commands that wait for a device. */
  readonly commandsFor: (deviceId: string) => Promise<readonly string[]>;
  readonly resources: readonly Resource[];
  /** Called after a failed read of the database, which is retried. */
  readonly onFault: (error: unknown) => void;
  /** Milliseconds between two comments on a stream. */
  readonly heartbeatMs?: number;
};

/** Interval between two comments on a stream, in milliseconds. */
const HEARTBEAT_MS = 10_000;
/** How long a change, or a receipt, waits for others before it is sent, in milliseconds. */
const CHANGES_WAIT_MS = 50;
const RECEIPTS_WAIT_MS = 200;
/** The shortest interval between two notifications of new team facts. */
const TEAM_WAIT_MS = 3_000;
/**
 * A device is cut off when more than `MOST_WAITING` bytes wait for it, or if bytes wait at more than `MOST_LATE`
 * comments in a row.
 */
const MOST_WAITING = 512_000;
const MOST_LATE = 6;

type Stream = {
  readonly device: CallingDevice;
  readonly view: DeviceView;
  /** The prefix of every id. An id of another store or view is not valid here. */
  readonly series: string;
  readonly out: Readable;
  position: bigint;
  late: number;
  /** When the oldest of its pending bytes was queued. */
  waitsSince: number;
};

/** The streams of one hub, until `close`. */
export function createStreams(ports: StreamPorts): EventStreams {
  const {
    store,
    expoId,
    hubStoreId,
    name,
    upstream,
    signer,
    commandsFor,
    onFault: report,
    heartbeatMs = HEARTBEAT_MS,
  } = ports;
  let isClosed = false;
  // A read that was in progress at the close finds the store closed, too. That is no fault.
  const onFault = (error: unknown): void => {
    if (!isClosed) report(error);
  };
  const streams = new Set<Stream>();
  const lists = new Map<string, string>(ports.resources.map(({ kind, folder }) => [kind, folder]));
  // Devices do not keep actions, so these are left out. The event itself is a single record.
  lists.delete('action');
  lists.set('expo', 'event');

  const write = (stream: Stream, bytes: Buffer): void => {
    if (stream.out.destroyed) return;
    if (stream.out.readableLength === 0) stream.waitsSince = performance.now();
    stream.out.push(bytes);
    if (stream.out.readableLength > MOST_WAITING) stream.out.destroy();
  };
  const writeAll = (bytes: Buffer, to: Iterable<Stream> = streams): void => {
    for (const stream of to) write(stream, bytes);
  };
  const seriesOf = (view: DeviceView): string => {
    const digest = createHash('sha256').update(JSON.stringify(view)).digest('base64url');
    return `${hubStoreId}-${digest.slice(0, 8)}`;
  };

  /** Writes a batch to every stream; those with the same view and position share the bytes. */
  const distribute = (batch: Batch, to: Iterable<Stream> = streams): void => {
    const made = new Map<string, Buffer | null>();
    for (const stream of to) {
      const key = `${stream.position} ${stream.series}`;
      let bytes = made.get(key);
      if (bytes === undefined) {
        const lines = batch.linesFor(
          stream.view,
          stream.position > batch.from ? stream.position : batch.from,
        );
        const { series, position } = stream;
        const head = `event: changes\nid: ${series}.${batch.to}\ndata: ${series}.${position}\n`;
        bytes = lines.length === 0 ? null : Buffer.concat([Buffer.from(head), lines, Buffer.from('\n')]);
        made.set(key, bytes);
      }
      if (bytes === null) continue;
      write(stream, bytes);
      stream.position = batch.to;
    }
    if (batch.changesViews) for (const stream of streams) dropIfOtherView(stream).catch(onFault);
  };
  /** Reads the view of a stream again, because the touchpoint of a device decides its view. */
  const dropIfOtherView = async ({ device, series, out }: Stream): Promise<void> => {
    if (seriesOf(await viewOf(store.db, device)) !== series) out.destroy();
  };
  const pump = createPump(store, expoId, lists, (batch) => distribute(batch));

  /** Cuts off devices that were revoked or whose view changed. They reconnect with the new view, or are refused. */
  const dropChanged = async (): Promise<void> => {
    if (streams.size === 0) return;
    const rows = await store.db
      .selectFrom('device')
      .select(['id', 'touchpoint_id', 'partner_id', 'all_details', 'revoked'])
      .where('expo_id', '=', expoId)
      .execute();
    const known = new Map(rows.map((row) => [row.id, row]));
    for (const { device, out } of streams) {
      const row = known.get(device.id);
      const isSame =
        row?.touchpoint_id === device.touchpointId &&
        row.partner_id === device.partnerId &&
        (Number(row.all_details) === 1) === device.seesAllDetails;
      if (!isSame || row.revoked !== null) out.destroy();
    }
  };

  const named = new Set<bigint>();
  const sendReceipts = async (): Promise<void> => {
    const seqs = [...named];
    named.clear();
    if (seqs.length === 0 || streams.size === 0) return;
    const rows = await store.db
      .selectFrom('relay_fact')
      .select(['id', 'state', 'reason', 'device_id', 'other_device_id'])
      .where('seq', 'in', seqs)
      .execute();
    for (const stream of streams) {
      const { id } = stream.device;
      const receipts = rows
        .filter((row) => row.device_id === id || row.other_device_id === id)
        .map((row) => ({
          id: row.id,
          state: stateOf(row.state),
          ...(row.reason === null ? {} : { reason: row.reason }),
        }));
      if (receipts.length > 0) write(stream, eventOf('receipts', { receipts }));
    }
  };
  const teams = new Set<string>();
  const tellTeams = async (): Promise<void> => {
    const partners = new Set(teams);
    teams.clear();
    writeAll(
      eventOf('team', {}),
      [...streams].filter(({ device }) => device.partnerId !== null && partners.has(device.partnerId)),
    );
  };
  let changedAt: number | null = null;
  const sendChanges = async (): Promise<void> => {
    await pump.run();
    changedAt = null;
  };
  const pumpSoon = createDelayed(sendChanges, CHANGES_WAIT_MS, onFault);
  const receiptsSoon = createDelayed(sendReceipts, RECEIPTS_WAIT_MS, onFault);
  const teamsSoon = createDelayed(tellTeams, TEAM_WAIT_MS, onFault);
  const standing = (): object => ({ hub: true, name, epoch: hubStoreId, upstream: upstream(), signer });

  const sendCommands = async (id: string): Promise<void> => {
    const waiting = [...streams].filter(({ device }) => device.id === id);
    if (waiting.length === 0) return;
    writeAll(eventOf('commands', { commands: await commandsFor(id) }), waiting);
  };
  const handle = ({ topic, about }: Notice): void => {
    switch (topic) {
      case 'records':
        changedAt ??= performance.now();
        pumpSoon.soon();
        break;
      case 'receipts':
        if (about === '') writeAll(eventOf('ask', {}));
        for (const seq of about.split(',')) if (seq !== '') named.add(BigInt(seq));
        receiptsSoon.soon();
        break;
      case 'team':
        teams.add(about);
        teamsSoon.soon();
        break;
      case 'commands':
        sendCommands(about).catch(onFault);
        break;
      case 'standing':
        writeAll(eventOf('hub', standing()));
        break;
      case 'missed':
        pumpSoon.soon();
        writeAll(eventOf('ask', {}));
        break;
      default:
    }
  };
  const unsubscribe = store.onNotice(handle);

  const comment = Buffer.from(':\n\n');
  const beat = setInterval(() => {
    for (const stream of streams) {
      stream.late = stream.out.readableLength > 0 ? stream.late + 1 : 0;
      if (stream.late > MOST_LATE) stream.out.destroy();
      else write(stream, comment);
    }
    // A notice may be lost together with its connection.
    pumpSoon.soon();
    dropChanged().catch(onFault);
  }, heartbeatMs);
  beat.unref();

  return {
    open: async (device, lastId) => {
      const view = await viewOf(store.db, device);
      const series = seriesOf(view);
      await pump.run();
      const out = new Readable({ read: () => undefined, highWaterMark: 16_384 });
      const [before, revision] = /^(.*)\.(\d{1,19})$/.exec(lastId ?? '')?.slice(1) ?? [];
      const missed = before === series && revision !== undefined ? pump.since(BigInt(revision)) : null;
      const position = missed === null ? pump.head() : BigInt(revision ?? 0);
      const stream: Stream = { device, view, series, out, position, late: 0, waitsSince: 0 };
      streams.add(stream);
      out.once('close', () => streams.delete(stream));
      write(
        stream,
        eventOf(
          'hello',
          { resumed: missed !== null, everyMs: heartbeatMs, hub: standing() },
          `${series}.${position}`,
        ),
      );
      for (const batch of missed ?? []) distribute(batch, [stream]);
      // The touchpoint may have changed since the view was read.
      dropIfOtherView(stream).catch(onFault);
      return out;
    },
    count: () => streams.size,
    lagMs: () => {
      const now = performance.now();
      const waits = [...streams].filter(({ out }) => out.readableLength > 0);
      return Math.max(0, now - (changedAt ?? now), ...waits.map(({ waitsSince }) => now - waitsSince));
    },
    close: () => {
      isClosed = true;
      unsubscribe();
      clearInterval(beat);
      for (const delayed of [pumpSoon, receiptsSoon, teamsSoon]) delayed.stop();
      for (const { out } of streams) out.push(null);
    },
  };
}

/** The operation that opens a stream. */
export function streamOperation(streams: EventStreams): Operation {
  return {
    method: 'GET',
    path: '/hub/stream/{expoId}',
    tag: 'hub',
    summary: 'Changes, receipts and commands of the calling device, as server-sent events',
    documented: false,
    right: 'read',
    slotless: true,
    answer: null,
    onExpo: true,
    handle: async (call: ExpoCall) => {
      if (call.head) throw new ApiError(405, 'A stream is read with GET');
      const headers = {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      };
      return new Piece(200, headers, await streams.open(deviceOf(call), call.lastEventId));
    },
  };
}

function eventOf(name: string, data: object, id?: string): Buffer {
  return Buffer.from(
    `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`,
  );
}

/** Runs `work` once, `waitMs` after the first of several calls. */
function createDelayed(
  work: () => Promise<void>,
  waitMs: number,
  onFault: (error: unknown) => void,
): { readonly soon: () => void; readonly stop: () => void } {
  let timer: NodeJS.Timeout | null = null;
  return {
    soon: () => {
      timer ??= setTimeout(() => {
        timer = null;
        work().catch(onFault);
      }, waitMs);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
