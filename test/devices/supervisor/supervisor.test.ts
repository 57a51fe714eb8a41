/** The supervisor with reader processes that the test simulates: heartbeat, back-off, garbage, open insertions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReaderEvent } from '../../../src-main/core/foundations/ports.ts';
import { parseFromReader, toWire } from '../../../src-main/devices/reader/messages.ts';
import { createNfcDriver } from '../../../src-main/devices/supervisor/supervisor.ts';
import { faultsInStory, outcomes } from '../driver-record.ts';
import { createHandClock } from '../hand-clock.ts';

const card = { uid: '04A1B2C3D4E5F6', atr: '3B8180018080', ndef: { state: 'none' } };

/** A driver with simulated processes. `say` sends a message as the newest process. */
function supervised() {
  const clock = createHandClock();
  const events: ReaderEvent[] = [];
  const logged: string[] = [];
  const lives: {
    readonly received: unknown[];
    hear: (message: unknown) => void;
    exit: (how: string) => void;
    killed: boolean;
  }[] = [];
  const log = (what: string) => void logged.push(what);
  const driver = createNfcDriver({
    clock,
    log: { error: log, warn: log, info: log },
    spawnProcess: () => {
      const life = {
        received: [] as unknown[],
        hear: (_: unknown) => {},
        exit: (_: string) => {},
        killed: false,
      };
      lives.push(life);
      return {
        send: (message) => void life.received.push(message),
        onMessage: (hear) => {
          life.hear = hear;
        },
        onExit: (hear) => {
          life.exit = hear;
        },
        kill: () => {
          life.killed = true;
        },
      };
    },
  });
  driver.start((event) => void events.push(event));
  return {
    driver,
    clock,
    events,
    logged,
    lives,
    say: (...messages: readonly object[]) => {
      for (const message of messages) lives.at(-1)?.hear(message);
    },
    die: () => lives.at(-1)?.exit('signal SIGSEGV'),
    /** Advances time with heartbeats. */
    live: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 500) {
        lives.at(-1)?.hear({ kind: 'heartbeat' });
        await clock.pass(500);
      }
    },
  };
}

const up = { kind: 'service', state: 'up' };
const attached = { kind: 'attached', reader: 'R' };
function inserted(insertion: number, counter: number) {
  return { kind: 'inserted', reader: 'R', insertion, counter };
}

test('If the process dies during an insertion, the insertion ends as unread, and only the next process reads the card again', async () => {
  const it = supervised();
  it.say(up, attached, inserted(1, 5));
  it.die();
  await it.clock.pass(300);
  expect(it.events.map(({ kind }) => kind)).toEqual([
    'service',
    'service',
    'attached',
    'inserted',
    'unread',
    'removed',
    'detached',
  ]);
  expect(it.lives).toHaveLength(2);
  expect(it.lives[1]?.received[0]).toEqual({
    kind: 'start',
    statuses: [{ reader: 'R', present: false, counter: 4 }],
  });
  it.say(up, attached, inserted(1, 5));
  it.die();
  await it.clock.pass(1000);
  expect(it.lives[2]?.received[0]).toEqual({
    kind: 'start',
    statuses: [{ reader: 'R', present: true, counter: 5 }],
  });
  expect(outcomes(it.events).map((event) => event.insertion)).toEqual([1, 2]);
  await it.driver.stop();
  expect(faultsInStory(it.events)).toEqual([]);
});

test('The polling interval is reported after the reader is attached, even if the process reported it earlier', async () => {
  const it = supervised();
  it.say(up, { kind: 'polling', reader: 'R', foundMs: 1000, everyMs: 250 }, attached);
  it.say({ kind: 'polling', reader: 'R', foundMs: 250, everyMs: 250 });
  expect(it.events.filter(({ kind }) => kind === 'attached' || kind === 'interval')).toEqual([
    { kind: 'attached', reader: 'R' },
    { kind: 'interval', reader: 'R', foundMs: 1000, everyMs: 250 },
    { kind: 'interval', reader: 'R', foundMs: 250, everyMs: 250 },
  ]);
  await it.driver.stop();
  expect(faultsInStory(it.events)).toEqual([]);
});

test('If the process dies after it reported a UID, the insertion ends with that card, and the card is not read again', async () => {
  const it = supervised();
  const { uid, atr } = card;
  it.say(up, attached, inserted(1, 5), { kind: 'uid', reader: 'R', insertion: 1, uid, atr });
  expect(it.events.at(-1)).toEqual({
    kind: 'uid',
    reader: 'R',
    insertion: 1,
    card: { uid, badge: { kind: 'badge', codes: [uid] } },
  });
  it.die();
  await it.clock.pass(300);
  expect(outcomes(it.events)).toEqual([
    {
      ...{ kind: 'card', reader: 'R', insertion: 1 },
      card: { uid, badge: { kind: 'badge', codes: [uid], lostNdef: 'failed' } },
    },
  ]);
  expect(it.lives[1]?.received[0]).toEqual({
    kind: 'start',
    statuses: [{ reader: 'R', present: true, counter: 5 }],
  });
  await it.driver.stop();
  expect(faultsInStory(it.events)).toEqual([]);
});

test('A reader that was empty when its process died is treated as empty by the next process', async () => {
  const it = supervised();
  it.say(up, attached, { kind: 'empty', reader: 'R', counter: 8 });
  it.die();
  await it.clock.pass(300);
  expect(it.lives[1]?.received[0]).toEqual({
    kind: 'start',
    statuses: [{ reader: 'R', present: false, counter: 8 }],
  });
  await it.driver.stop();
});

test('The next process does not read a reported card again, unless the card service was lost', async () => {
  const it = supervised();
  it.say(up, attached, inserted(1, 5), { kind: 'card', reader: 'R', insertion: 1, card });
  it.die();
  await it.clock.pass(300);
  expect(it.lives[1]?.received[0]).toMatchObject({ statuses: [{ reader: 'R', present: true, counter: 5 }] });
  it.say({ kind: 'detached', reader: 'R' }, { kind: 'service', state: 'absent' });
  it.die();
  await it.clock.pass(1000);
  expect(it.lives[2]?.received[0]).toEqual({ kind: 'start', statuses: [] });
  await it.driver.stop();
});

test('Without a heartbeat for five seconds the process is killed and replaced', async () => {
  const it = supervised();
  it.say(up, attached);
  await it.live(3000);
  await it.clock.pass(4000);
  expect(it.lives[0]?.killed).toBe(false);
  await it.clock.pass(2000);
  expect(it.lives[0]?.killed).toBe(true);
  expect(it.lives).toHaveLength(2);
  await it.driver.stop();
});

test('Without a reader for a minute the process is replaced; with one it keeps running', async () => {
  const it = supervised();
  it.say(up, attached);
  await it.live(70_000);
  expect(it.lives).toHaveLength(1);
  it.say({ kind: 'detached', reader: 'R' });
  await it.live(59_000);
  expect(it.lives).toHaveLength(1);
  await it.live(3000);
  expect(it.lives).toHaveLength(2);
  await it.driver.stop();
});

test('Without a card service the process keeps waiting for it', async () => {
  const it = supervised();
  it.say({ kind: 'service', state: 'absent' });
  await it.live(120_000);
  expect(it.lives).toHaveLength(1);
  expect(it.events).toEqual([
    { kind: 'service', state: 'starting' },
    { kind: 'service', state: 'absent' },
  ]);
  await it.driver.stop();
});

test('A process that dies repeatedly is restarted after growing delays, and the service is reported as failing', async () => {
  const it = supervised();
  for (let i = 0; i < 20; i += 1) {
    it.die();
    await it.clock.pass(500);
  }
  expect(it.events).toContainEqual({ kind: 'service', state: 'failing' });
  expect(it.lives.length).toBeLessThan(11);
  await it.driver.stop();
});

test('Outcomes of another insertion or of none, and second outcomes, are discarded', async () => {
  const it = supervised();
  const told = (insertion: number) => ({ kind: 'card', reader: 'R', insertion, card });
  it.say(up, attached, told(1), inserted(1, 1), told(2), told(1), told(1), {
    kind: 'unread',
    reader: 'R',
    insertion: 1,
    reason: 'mute',
  });
  expect(outcomes(it.events)).toHaveLength(1);
  await it.driver.stop();
  expect(faultsInStory(it.events)).toEqual([]);
});

test('Garbage from the process is logged and changes nothing', async () => {
  const it = supervised();
  const garbage = [
    null,
    7,
    'x',
    {},
    { kind: 'nonsense' },
    { kind: 'card', reader: 'R', insertion: 1, card: { uid: 'x' } },
    { kind: 'attached' },
  ];
  for (const thing of garbage) it.lives[0]?.hear(thing);
  expect(it.events).toHaveLength(1);
  expect(it.logged).toHaveLength(garbage.length);
  await it.driver.stop();
});

test('A slow main thread does not count as a dead reader process', async () => {
  const it = supervised();
  it.say(up, attached);
  await it.live(2000);
  // The thread was blocked for eight seconds and could not receive messages.
  it.clock.jump(8000);
  await it.clock.pass(500);
  expect(it.lives[0]?.killed).toBe(false);
  await it.live(2000);
  expect(it.lives).toHaveLength(1);
  await it.driver.stop();
});

test('Any output of a process is a valid message or is discarded, and the events stay consistent', () => {
  const word = fc.oneof(
    fc.record({ kind: fc.constantFrom('attached', 'detached'), reader: fc.constantFrom('R', 'S') }),
    fc.record({
      kind: fc.constantFrom('inserted', 'removed'),
      reader: fc.constantFrom('R', 'S'),
      insertion: fc.nat(3),
      counter: fc.nat(9),
    }),
    fc.record({
      kind: fc.constant('unread'),
      reader: fc.constantFrom('R', 'S'),
      insertion: fc.nat(3),
      reason: fc.constantFrom('mute', 'pulled', 'x'),
    }),
    fc.record({
      kind: fc.constant('card'),
      reader: fc.constantFrom('R', 'S'),
      insertion: fc.nat(3),
      card: fc.constantFrom(card, {}),
    }),
    fc.record({
      kind: fc.constant('uid'),
      reader: fc.constantFrom('R', 'S'),
      insertion: fc.nat(3),
      uid: fc.constantFrom(card.uid, 'x'),
      atr: fc.constant(card.atr),
    }),
    fc.record({
      kind: fc.constant('missed'),
      reader: fc.constantFrom('R', 'S'),
      count: fc.nat(3),
      counter: fc.nat(9),
    }),
    fc.anything(),
  );
  return fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 30 }), async (words) => {
      const it = supervised();
      for (const said of words) it.lives[0]?.hear(said);
      await it.driver.stop();
      expect(faultsInStory(it.events)).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

test('A card with its message survives the transfer between the processes', () => {
  const message = {
    kind: 'card',
    reader: 'R',
    insertion: 1,
    card: { ...card, ndef: { state: 'read', bytes: Uint8Array.of(0xd1, 0, 255) } },
  } as const;
  expect(parseFromReader(JSON.parse(JSON.stringify(toWire(message as never))))).toEqual(message);
});
