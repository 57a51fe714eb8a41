/**
 * The event stream at the device: cut at every byte, with a gap, held back by a proxy, refused, and while the machine
 * sleeps. In the end the mirror equals the hub, and its cursor is never ahead of it.
 */
import { expect, it, onTestFinished } from 'vitest';
import { createHubStream } from '../../../../src-main/core/delivery/hub/stream.ts';
import { createPushed } from '../../../../src-main/core/event/sync/pushed.ts';
import type { ApiClient } from '../../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../../src-main/core/foundations/api/error-class.ts';
import { createEventParser } from '../../../../src-main/core/foundations/api/event-stream.ts';
import type { Clock } from '../../../../src-main/core/foundations/ports.ts';
import { createMemoryMirror } from '../../../bench/fleet/memory-mirror.ts';
import { isThorough } from '../../../thoroughness.ts';
import { rememberingLog, until } from '../../fixture.ts';
import { realClock, realRandom } from '../../real-parts.ts';

/** Labels with revisions 1 to 6. The third change has two records. Each event names the id before it. */
const RECORDS = [1, 2, 3, 4, 5, 6].map((revision) => ({
  ...{ id: `L${revision}`, name: `Größe ${revision} 😀`, revision },
}));
const eventText = (from: number, to: number): string =>
  `event: changes\nid: e1.${to}\ndata: e1.${from}\ndata: labels ${JSON.stringify(
    RECORDS.filter(({ revision }) => revision > from && revision <= to),
  )}\n\n`;
const helloText = (at: number, resumed: boolean): string =>
  `event: hello\nid: e1.${at}\ndata: ${JSON.stringify({ resumed, hub: { hub: true } })}\n\n:\n\n`;

/** What the hub writes for a device that has processed everything up to `from`. */
const streamText = (from: number, resumed: boolean): string => {
  const steps = [1, 2, 4, 5, 6].filter((to) => to > from);
  return (
    helloText(from, resumed) + steps.map((to, place) => eventText(steps[place - 1] ?? from, to)).join('')
  );
};

type Events = NonNullable<ApiClient['events']>;

/** A device whose stream is `events`. A round reads all labels up to `readable`. */
const startDevice = (events: Events | undefined, readable: () => number) => {
  const mirror = createMemoryMirror();
  const readAll = (): void => {
    const body = RECORDS.filter(({ revision }) => revision <= readable());
    const rows = body.map((record) => ({
      record: { ...{ id: record.id, revision: BigInt(record.revision), deleted: false }, body: record },
      ...{ json: Buffer.from(JSON.stringify(record)), codes: [] },
    }));
    const { complete, revision } = mirror.progress('labels');
    const top = body.reduce(
      (high, one) => (BigInt(one.revision) > high ? BigInt(one.revision) : high),
      revision,
    );
    if (complete) mirror.applyPage('labels', rows, top);
    else {
      const pass = { number: 1, from: top, sound: true };
      mirror.applyPassPage('labels', rows, pass);
      mirror.endPass('labels', pass, 0);
    }
  };
  const changed: string[] = [];
  const pushed = createPushed({
    ...{ mirror, partner: () => 'P1', onOther: () => undefined, onBehind: () => stream.fallBehind() },
    onPage: (_resource, records) => changed.push(...records.map(({ id }) => id)),
  });
  const stream = createHubStream({
    ...{ client: events === undefined ? {} : { events }, expoId: 'E1', pushed },
    hub: {
      ...{ isThere: () => true, takeDescription: () => undefined, askAgain: () => undefined },
      takeReceipts: () => undefined,
    },
    poll: async () => {
      await pushed.whileReading(async () => {
        await realClock.sleep(1);
        readAll();
      });
      return 'done';
    },
    ...{ onConnected: () => undefined, onTeam: () => undefined, onCommands: () => undefined },
    clock: { ...realClock, sleep: (ms, signal) => realClock.sleep(Math.min(ms, 2), signal) },
    ...{ random: realRandom, log: rememberingLog() },
  });
  return { mirror, stream, changed, stop: runUntilStopped(stream) };
};

/** A stream with nothing to push and nothing to read. */
const startStream = (events: Events, clock: Clock, onConnected = (): void => undefined) => {
  const nothing = (): void => undefined;
  const stream = createHubStream({
    ...{ client: { events }, expoId: 'E1', poll: async () => 'done' as const },
    pushed: { take: nothing, hold: nothing, release: nothing, clear: nothing },
    hub: { isThere: () => true, takeDescription: nothing, takeReceipts: nothing, askAgain: nothing },
    ...{
      onConnected,
      onTeam: nothing,
      onCommands: nothing,
      clock,
      random: realRandom,
      log: rememberingLog(),
    },
  });
  return { stream, stop: runUntilStopped(stream) };
};

/** Runs a stream until the returned function is called, or the test ends. */
const runUntilStopped = ({ run }: ReturnType<typeof createHubStream>): (() => Promise<void>) => {
  const end = new AbortController();
  const running = run(end.signal);
  const stop = async (): Promise<void> => {
    end.abort();
    await running;
  };
  onTestFinished(stop);
  return stop;
};

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

const cutFault = (): ApiError => new ApiError({ kind: 'retry', reached: 'no' }, 'the stream failed: cut');

it('writes each pushed record once, wherever the stream is cut, and moves the cursor to the last one', async () => {
  const whole = Buffer.from(streamText(0, false));
  // An ordinary run cuts at some bytes of each part of an event, a nightly run at all bytes.
  const step = isThorough() ? 1 : 11;
  for (let cut = 0; cut <= whole.length; cut += step) {
    let connections = 0;
    const events: Events = async (_path, { lastEventId, onEvent, onAlive }, signal) => {
      connections += 1;
      const parse = createEventParser(100_000, onEvent);
      const take = (bytes: Uint8Array): void => {
        onAlive();
        parse(bytes);
      };
      if (connections === 1) {
        take(whole.subarray(0, Math.floor(cut / 2)));
        await realClock.sleep(cut % 3);
        take(whole.subarray(Math.floor(cut / 2), cut));
        await realClock.sleep(cut % 2);
        throw cutFault();
      }
      const last = lastEventId === null ? null : Number(lastEventId.split('.')[1]);
      // The hub still has everything that was not processed before the cut. Otherwise a round would read it.
      take(Buffer.from(streamText(last ?? 0, last !== null)));
      await untilAborted(signal);
    };
    const device = startDevice(events, () => 0);
    const cursor = () => device.mirror.progress('labels').revision;
    await until(`everything after a cut at ${cut}`, () => cursor() === 6n && device.changed.length >= 6);
    expect(new Set(device.changed).size).toBe(6);
    expect(device.changed).toHaveLength(6);
    await device.stop();
  }
}, 120_000);

it('reads by revision after a gap, and never moves its cursor past the gap', async () => {
  let top = 2;
  const cursors: bigint[] = [];
  const events: Events = async (_path, { onEvent }, signal) => {
    const take = createEventParser(100_000, onEvent);
    await realClock.sleep(1);
    take(Buffer.from(helloText(0, false) + eventText(0, 2)));
    await until('the device is in step', () => device.stream.isInStep());
    // The event from 2 to 4 is missing.
    take(Buffer.from(eventText(4, 5)));
    cursors.push(device.mirror.progress('labels').revision);
    expect(device.stream.isInStep()).toBe(false);
    top = 5;
    await until('the device is in step again', () => device.stream.isInStep());
    take(Buffer.from(eventText(5, 6)));
    await untilAborted(signal);
  };
  const device = startDevice(events, () => top);
  await until('the mirror has the latest label', () => device.mirror.progress('labels').revision === 6n);
  expect(cursors).toEqual([2n]);
  // The rounds read the others.
  expect(device.changed).toEqual(['L6']);
});

it('closes a stream on which nothing arrives, and reconnects', async () => {
  let mono = 0;
  let opened = 0;
  const events: Events = async (_path, _listener, signal) => {
    opened += 1;
    await untilAborted(signal);
    throw cutFault();
  };
  const { stream, stop } = startStream(events, {
    ...realClock,
    monotonic: () => mono,
    sleep: async (ms, signal) => {
      mono += ms;
      await realClock.sleep(1, signal);
    },
  });
  await until('the device reconnected', () => opened > 2);
  expect(stream.isInStep()).toBe(false);
  expect(stream.isLive()).toBe(false);
  await stop();
});

it('reconnects at once after the machine slept', async () => {
  let opened = 0;
  const events: Events = async (_path, { onEvent }, signal) => {
    opened += 1;
    createEventParser(100_000, onEvent)(Buffer.from(helloText(0, false)));
    await untilAborted(signal);
    throw cutFault();
  };
  const device = startDevice(events, () => 0);
  await until('the device is in step', () => device.stream.isInStep());
  device.stream.restart();
  expect(device.stream.isInStep()).toBe(false);
  expect(device.stream.isLive()).toBe(false);
  await until('the device is in step again', () => device.stream.isInStep() && opened === 2);
});

it('reconnects as soon as the hub answers again, and reports it, so that missed receipts are requested', async () => {
  let opened = 0;
  let connected = 0;
  const events: Events = async (_path, { onEvent }, signal) => {
    opened += 1;
    if (opened === 1) throw cutFault();
    createEventParser(100_000, onEvent)(Buffer.from(helloText(0, false)));
    await untilAborted(signal);
  };
  // No wait ends by itself.
  const clock: Clock = {
    ...realClock,
    sleep: (_ms, signal = new AbortController().signal) => untilAborted(signal),
  };
  const { stream, stop } = startStream(events, clock, () => {
    connected += 1;
  });
  await until('the stream was cut', () => opened === 1 && !stream.isLive());
  stream.reconnect();
  await until('the stream is open again', () => stream.isLive());
  expect([opened, connected]).toEqual([2, 1]);
  // An open stream stays.
  stream.reconnect();
  await stop();
  expect(opened).toBe(2);
});

it('waits for minutes before it asks a hub without streams again', async () => {
  let opened = 0;
  const waits: number[] = [];
  const events: Events = async () => {
    opened += 1;
    throw new ApiError(
      { kind: 'reject', status: 404, reason: 'no such operation' },
      'the stream answered 404',
    );
  };
  const { stop } = startStream(events, {
    ...realClock,
    sleep: async (ms, signal) => {
      waits.push(ms);
      await realClock.sleep(1, signal);
    },
  });
  await until('the hub refused the stream', () => opened > 1);
  await stop();
  expect(Math.max(...waits)).toBeGreaterThan(4 * 60_000);
});
