/** Observes one reader with a card port that the test controls: every way in which a card can fail. */
import { expect, test } from 'vitest';
import { hexOf } from '../../../src-main/devices/card/apdu.ts';
import type { CardPort } from '../../../src-main/devices/card/card-port.ts';
import type { FromReader } from '../../../src-main/devices/reader/messages.ts';
import { createReaderWatch } from '../../../src-main/devices/reader/reader-watch.ts';
import { type Carries, createType2Card } from '../../../src-main/devices/virtual/card-model.ts';
import { ndefMessage, textRecord } from '../../core/foundations/badge/ndef-bytes.ts';
import { createHandClock } from '../hand-clock.ts';

const type2Atr = Buffer.from('3B8F8001804F0CA0000003060300030000000068', 'hex');
const uidAnswer = Uint8Array.of(0x04, 1, 2, 3, 4, 5, 6, 0x90, 0x00);
function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

function pcscError(code: string) {
  return Promise.reject(Object.assign(new Error('Async task error'), { code }));
}

/** A watch of a reader whose card behaves as `does` defines. All other calls succeed. */
function watching(does: Partial<CardPort>, reader = 'Test Reader') {
  let atr = hexOf(type2Atr);
  const clock = createHandClock();
  const told: FromReader[] = [];
  const calls: string[] = [];
  let stuck = 0;
  const port: CardPort = {
    connect: () => Promise.resolve(atr),
    transmit: (command) => Promise.resolve(command[1] === 0xca ? uidAnswer : Uint8Array.of(0x6a, 0x82)),
    disconnect: () => Promise.resolve(),
    control: () => Promise.resolve(new Uint8Array()),
    ...does,
  };
  const card: CardPort = {
    connect: () => {
      calls.push('connect');
      return port.connect();
    },
    transmit: (command) => {
      calls.push(Buffer.from(command).toString('hex'));
      return port.transmit(command);
    },
    disconnect: (how) => {
      calls.push(how);
      return port.disconnect(how);
    },
    control: (command) => {
      calls.push(`control ${Buffer.from(command).toString('hex')}`);
      return port.control(command);
    },
  };
  const watch = createReaderWatch({
    reader,
    card,
    clock,
    send: (message) => void told.push(message),
    stuck: () => {
      stuck += 1;
    },
    known: { present: false, counter: 0 },
  });
  return {
    ...watch,
    clock,
    told,
    calls,
    stuck: () => stuck,
    insert: (counter = 1, itsAtr: Uint8Array = type2Atr) => {
      atr = hexOf(itsAtr);
      watch.status((counter << 16) | 0x22);
    },
    remove: (counter = 2) => watch.status((counter << 16) | 0x12),
    outcomes: () => told.filter(({ kind }) => kind === 'card' || kind === 'unread'),
  };
}

test('A card is connected, reported with its UID, and then with its message', async () => {
  const reader = watching({});
  reader.insert();
  await reader.clock.pass(0);
  expect(reader.told).toMatchObject([
    { kind: 'inserted', insertion: 1, counter: 1 },
    { kind: 'uid', insertion: 1, uid: '04010203040506', atr: hexOf(type2Atr) },
    { kind: 'card', insertion: 1, card: { uid: '04010203040506', ndef: { state: 'none' } } },
  ]);
  reader.remove();
  await reader.clock.pass(0);
  expect(reader.told.at(-1)).toEqual({ kind: 'removed', reader: 'Test Reader', insertion: 1, counter: 2 });
  expect(reader.calls.at(-1)).toBe('leave');
});

test('A connection that keeps failing is reported with its reason', async () => {
  for (const [code, reason] of [
    ['NoSmartCard', 'pulled'],
    ['UnresponsiveCard', 'mute'],
    ['NotTransacted', 'mute'],
  ] as const) {
    const reader = watching({ connect: () => pcscError(code) });
    reader.insert();
    await reader.clock.pass(1000);
    expect(reader.outcomes()).toMatchObject([{ kind: 'unread', reason }]);
  }
});

test('A card that another program holds is retried and then reported as busy', async () => {
  const reader = watching({ connect: () => pcscError('SharingViolation') });
  reader.insert();
  await reader.clock.pass(1000);
  expect(reader.outcomes()).toMatchObject([{ kind: 'unread', reason: 'busy' }]);
  expect(reader.calls.filter((call) => call === 'connect')).toHaveLength(4);
});

test('After 63 00 the card is reset and read again', async () => {
  let asked = 0;
  const reader = watching({
    transmit: (command) => {
      if (command[1] !== 0xca) return Promise.resolve(Uint8Array.of(0x6a, 0x82));
      asked += 1;
      return Promise.resolve(asked === 1 ? Uint8Array.of(0x63, 0x00) : uidAnswer);
    },
  });
  reader.insert();
  await reader.clock.pass(1000);
  expect(reader.calls.slice(0, 5)).toEqual(['connect', 'ffca000000', 'reset', 'connect', 'ffca000000']);
  expect(reader.outcomes()).toMatchObject([{ kind: 'card' }]);
});

test('A command that hangs is reported as mute after three seconds and as stuck after five', async () => {
  const reader = watching({ transmit: never });
  reader.insert();
  await reader.clock.pass(2999);
  expect(reader.outcomes()).toEqual([]);
  await reader.clock.pass(1);
  expect(reader.outcomes()).toMatchObject([{ kind: 'unread', reason: 'mute' }]);
  await reader.clock.pass(1999);
  expect(reader.stuck()).toBe(0);
  await reader.clock.pass(1);
  expect(reader.stuck()).toBe(1);
});

test('A slow message is reported as a timeout 800 ms after the UID, and its late result is discarded', async () => {
  let answer: (bytes: Uint8Array) => void = () => undefined;
  const reader = watching({
    transmit: (command) =>
      command[1] === 0xca
        ? Promise.resolve(uidAnswer)
        : new Promise((resolve) => {
            answer = resolve;
          }),
  });
  reader.insert();
  await reader.clock.pass(799);
  expect(reader.outcomes()).toEqual([]);
  await reader.clock.pass(1);
  expect(reader.outcomes()).toMatchObject([{ kind: 'card', card: { ndef: { state: 'timeout' } } }]);
  answer(Uint8Array.of(0x6a, 0x82));
  await reader.clock.pass(5000);
  expect(reader.outcomes()).toHaveLength(1);
  expect(reader.stuck()).toBe(0);
});

test('A card that leaves during the read is reported as removed too early, before its removal is reported', async () => {
  const reader = watching({ transmit: never });
  reader.insert();
  await reader.clock.pass(100);
  reader.remove();
  await reader.clock.pass(249);
  expect(reader.outcomes()).toEqual([]);
  await reader.clock.pass(1);
  expect(reader.told.map(({ kind }) => kind)).toEqual(['inserted', 'unread', 'removed']);
  expect(reader.outcomes()).toMatchObject([{ reason: 'pulled' }]);
});

test('The UID is reported before the message is read; a card that is removed in the meantime still counts as read', async () => {
  const reader = watching({
    transmit: (command) => (command[1] === 0xca ? Promise.resolve(uidAnswer) : never()),
  });
  reader.insert();
  await reader.clock.pass(0);
  expect(reader.told.map(({ kind }) => kind)).toEqual(['inserted', 'uid']);
  reader.remove();
  await reader.clock.pass(250);
  expect(reader.told.map(({ kind }) => kind)).toEqual(['inserted', 'uid', 'card', 'removed']);
  expect(reader.outcomes()).toMatchObject([
    { card: { uid: '04010203040506', ndef: { state: 'failed', reason: 'pulled' } } },
  ]);
});

test('A card that is swapped after its UID was reported ends at once with that UID', async () => {
  const reader = watching({
    transmit: (command) => (command[1] === 0xca ? Promise.resolve(uidAnswer) : never()),
  });
  reader.insert(1);
  await reader.clock.pass(0);
  reader.insert(3);
  expect(reader.told.map(({ kind }) => kind)).toEqual(['inserted', 'uid', 'card', 'removed', 'inserted']);
});

/** A watch of a reader with this kind of support for bulk reads, and a tag with a long message. */
function watchingTag(carries: Carries, name = 'Test Reader') {
  const message = ndefMessage(textRecord('x'.repeat(100)));
  const tag = createType2Card('04010203040506', message, 144, carries);
  const reader = watching(
    {
      transmit: (command) => Promise.resolve(tag.answer(command) ?? new Uint8Array()),
      disconnect: () => {
        tag.reset();
        return Promise.resolve();
      },
    },
    name,
  );
  let counter = 0;
  return {
    ...reader,
    /** Puts the tag on the reader and removes it. Returns the commands that it received. */
    tap: async () => {
      const before = reader.calls.length;
      counter += 2;
      reader.insert(counter - 1);
      await reader.clock.pass(0);
      reader.remove(counter);
      await reader.clock.pass(0);
      expect(reader.outcomes().at(-1)).toMatchObject({ card: { ndef: { state: 'read', bytes: message } } });
      return reader.calls.slice(before).filter((call) => !call.startsWith('control'));
    },
  };
}

test('A long message is read in bulk where the reader supports it', async () => {
  const reader = watchingTag('bulk');
  const calls = ['connect', 'ffca000000', 'ffb0000310', 'ffb0000764', 'leave'];
  expect(await reader.tap()).toEqual(calls);
  expect(await reader.tap()).toEqual(calls);
});

test('A reader that passes commands through sends the tag its native command', async () => {
  const reader = watchingTag('through', 'ACS ACR122U PICC Interface 00 00');
  expect(await reader.tap()).toEqual([
    ...['connect', 'ffca000000', 'ffb0000310', 'ff00000005d4423a071f', 'leave'],
  ]);
});

test('A reader that refuses bulk reads gets one such command and never another', async () => {
  for (const name of ['Test Reader', 'ACS ACR122U']) {
    const reader = watchingTag('refuses', name);
    const [first, second] = [await reader.tap(), await reader.tap()];
    expect(first).toHaveLength(second.length + 1);
    expect(second.filter((call) => call.startsWith('ffb000')).every((call) => call.endsWith('10'))).toBe(
      true,
    );
    expect(await reader.tap()).toEqual(second);
  }
});

test('A card that stops answering after a bulk read is reset and read, and no later card is read in bulk', async () => {
  const reader = watchingTag('loses');
  const first = await reader.tap();
  expect(first.slice(0, 6)).toEqual([
    ...['connect', 'ffca000000', 'ffb0000310', 'ffb0000764', 'reset', 'connect'],
  ]);
  const second = await reader.tap();
  expect(second).not.toContain('reset');
  expect(second).not.toContain('ffb0000764');
});

test('A card that is removed during a bulk read proves nothing about the reader', async () => {
  let isLeaving = true;
  const tag = createType2Card('04010203040506', ndefMessage(textRecord('x'.repeat(100))));
  const reader = watching({
    transmit: (command) => {
      const isBulk = command[1] === 0xb0 && (command[4] ?? 0) > 16;
      if (isLeaving && isBulk) return Promise.resolve(Uint8Array.of(0x63, 0x00));
      return Promise.resolve(tag.answer(command) ?? new Uint8Array());
    },
    connect: () =>
      isLeaving && reader.calls.includes('reset')
        ? pcscError('NoSmartCard')
        : Promise.resolve(hexOf(type2Atr)),
  });
  reader.insert(1);
  await reader.clock.pass(10);
  reader.remove(2);
  await reader.clock.pass(1000);
  expect(reader.outcomes()).toMatchObject([{ card: { ndef: { state: 'failed' } } }]);
  isLeaving = false;
  reader.insert(3);
  await reader.clock.pass(0);
  expect(reader.outcomes()).toMatchObject([{}, { card: { ndef: { state: 'read' } } }]);
  expect(reader.calls.at(-1)).toBe('ffb0000764');
});

test('A swapped card ends at once, and the second card is read', async () => {
  const connected = Promise.withResolvers<string>();
  const connections = [connected.promise];
  const reader = watching({ connect: () => connections.shift() ?? Promise.resolve(hexOf(type2Atr)) });
  reader.insert(1);
  await reader.clock.pass(0);
  reader.insert(3);
  expect(reader.told.map(({ kind }) => kind)).toEqual(['inserted', 'unread', 'removed', 'inserted']);
  connected.resolve(hexOf(type2Atr));
  await reader.clock.pass(500);
  expect(reader.outcomes()).toMatchObject([
    { kind: 'unread', insertion: 1 },
    { kind: 'card', insertion: 2 },
  ]);
});

test('A phone is reported by its UID and not read further', async () => {
  const reader = watching({ transmit: () => Promise.resolve(Uint8Array.of(0x08, 1, 2, 3, 0x90, 0x00)) });
  reader.insert();
  await reader.clock.pass(0);
  expect(reader.outcomes()).toMatchObject([{ card: { uid: '08010203', ndef: { state: 'none' } } }]);
  expect(reader.calls).toEqual(['connect', 'ffca000000']);
});

test('A card with a random UID that is not a phone is read, because its message may contain the badge id', async () => {
  const desfireAtr = Buffer.from('3B8180018080', 'hex');
  const answerTo = (command: Uint8Array) =>
    command[1] === 0xca ? Uint8Array.of(0x08, 1, 2, 3, 0x90, 0x00) : Uint8Array.of(0x6a, 0x82);
  const reader = watching({ transmit: (command) => Promise.resolve(answerTo(command)) });
  reader.insert(1, desfireAtr);
  await reader.clock.pass(0);
  expect(reader.calls).toEqual(['connect', 'ffca000000', '00a4040007d276000085010100']);
  expect(reader.outcomes()).toMatchObject([
    { card: { uid: '08010203', atr: '3B8180018080', ndef: { state: 'none' } } },
  ]);
});

test('When a reader is unplugged, its open insertion ends', async () => {
  const reader = watching({ transmit: never });
  reader.insert();
  await reader.clock.pass(0);
  reader.gone();
  expect(reader.told.map(({ kind }) => kind)).toEqual(['inserted', 'unread', 'removed']);
});

test('A reader with light and buzzer is silenced when it is attached and shows the outcome of the tap; others get no command', async () => {
  const acs = watching({}, 'ACS ACR122U PICC Interface 00 00');
  acs.insert();
  await acs.clock.pass(0);
  acs.feedback('captured');
  await acs.clock.pass(0);
  expect(acs.calls[0]).toBe('control ff00520000');
  expect(acs.calls.at(-1)).toMatch(/^ff0040/);
  const other = watching({});
  other.insert();
  await other.clock.pass(0);
  const before = other.calls.length;
  other.feedback('refused');
  await other.clock.pass(0);
  expect(other.calls).toHaveLength(before);
});

test('A failed light command does not affect the reading', async () => {
  const reader = watching(
    {
      control: () => pcscError('NotTransacted'),
      transmit: (c) => (c[1] === 0xca ? Promise.resolve(uidAnswer) : pcscError('1f')),
    },
    'ACS ACR122U',
  );
  reader.insert();
  await reader.clock.pass(0);
  reader.feedback('captured');
  await reader.clock.pass(0);
  expect(reader.told.map(({ kind }) => kind)).toEqual(['inserted', 'uid', 'card']);
});

test('A long polling interval of a reader is set to the shortest once, and its other settings are kept', async () => {
  let setting = 0xaf;
  const control: CardPort['control'] = (command) => {
    setting = command[5] ?? setting;
    return Promise.resolve(Uint8Array.of(0xe1, 0, 0, 0, 1, setting));
  };
  const reader = watching({ control }, 'ACS ACR1252 Dual Reader PICC 0');
  await reader.clock.pass(0);
  expect(reader.calls).toEqual(['control e000002300', 'control e0000023018f', 'control e000002300']);
  expect(reader.told).toMatchObject([{ kind: 'polling', foundMs: 1000, everyMs: 250 }]);
  const again = watching({ control }, 'ACS ACR1252 Dual Reader PICC 0');
  await again.clock.pass(0);
  expect(again.calls).toEqual(['control e000002300']);
  expect(again.told).toMatchObject([{ foundMs: 250, everyMs: 250 }]);
});

test.each([
  ['ACS ACR122U PICC Interface 00 00', true],
  ['ACS ACR122 0', true],
  ['ACS ACR1222L 00 00', false],
  ['ACS ACR1252 Dual Reader PICC 0', false],
])('The beep of %s is switched off: %s', async (name, isSwitched) => {
  const reader = watching({}, name);
  await reader.clock.pass(0);
  expect(reader.calls.includes('control ff00520000')).toBe(isSwitched);
});

test('The interval of an ACR122U is a bit in its operating parameter', async () => {
  let parameter = 0xdf;
  const control: CardPort['control'] = (command) => {
    if (command[2] === 0x51) parameter = command[3] ?? parameter;
    return Promise.resolve(Uint8Array.of(0x90, command[2] === 0x52 ? 0x00 : parameter));
  };
  const reader = watching({ control }, 'ACS ACR122U PICC Interface 00 00');
  await reader.clock.pass(0);
  const beep = 'control ff00520000';
  expect(reader.calls).toEqual([beep, 'control ff00500000', 'control ff0051ff00', 'control ff00500000']);
  expect(reader.told).toMatchObject([{ kind: 'polling', foundMs: 500, everyMs: 250 }]);
  const again = watching({ control }, 'ACS ACR122U PICC Interface 00 00');
  await again.clock.pass(0);
  expect(again.calls).toEqual([beep, 'control ff00500000']);
});

test('A reader that keeps its interval although it accepted the command is reported with that interval', async () => {
  const control: CardPort['control'] = () => Promise.resolve(Uint8Array.of(0xe1, 0, 0, 0, 1, 0xaf));
  const reader = watching({ control }, 'ACS ACR1252 Dual Reader PICC 0');
  await reader.clock.pass(0);
  expect(reader.told).toMatchObject([{ kind: 'polling', foundMs: 1000, everyMs: 1000 }]);
});

test('A reader never gets the commands of another model, and a command without a response changes nothing', async () => {
  const other = watching({}, 'OMNIKEY 5022');
  await other.clock.pass(0);
  expect(other.calls).toEqual([]);
  const silent = watching({ control: () => pcscError('NotTransacted') }, 'ACS ACR1281 1S Dual Reader 00 01');
  silent.insert();
  await silent.clock.pass(0);
  expect(silent.calls[0]).toBe('control e000002300');
  expect(silent.outcomes()).toMatchObject([{ kind: 'card' }]);
});
