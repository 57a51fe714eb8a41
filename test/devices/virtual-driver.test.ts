/** The nfc driver on the real pcscd: cards of every kind through the virtual reader. */
import { expect } from 'vitest';
import type { ReaderEvent } from '../../src-main/core/foundations/ports.ts';
import { createNfcDriver } from '../../src-main/devices/supervisor/supervisor.ts';
import type { VirtualCard } from '../../src-main/devices/virtual/virtual-card.ts';
import { ndefMessage, textRecord, uriRecord } from '../core/foundations/badge/ndef-bytes.ts';
import { notRunUnless } from '../not-run.ts';
import { openVirtualReader, type VirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';
import { type DriverRecord, faultsInStory, outcomes, recordDriver } from './driver-record.ts';

const cardTest = notRunUnless(virtualReader.present, virtualReader.reason);

/** Longer than one read of either tag type. */
const longMessage = ndefMessage(uriRecord(4, 'badge.example/b/ABC123'), textRecord('x'.repeat(90)));

/** A badge with its UID as the only code. */
const onlyUid = (uid: string) => ({ kind: 'badge', codes: [uid] });

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}

type Body = (reader: VirtualReader, record: DriverRecord) => Promise<void>;

/** Runs `body` with a driver that has seen both slots, and checks all events at the end. */
async function withDriver(body: Body, patient = false): Promise<void> {
  await using reader = await openVirtualReader();
  await reader.startService();
  const spawnProcess = patient ? reader.spawnPatientReaderProcess : reader.spawnReaderProcess;
  const record = recordDriver((ports) => createNfcDriver({ ...ports, spawnProcess }));
  try {
    await record.until((events) => events.filter((event) => event.kind === 'attached').length === 2);
    await body(reader, record);
  } finally {
    await record.driver.stop();
  }
  expect(faultsInStory(record.events)).toEqual([]);
}

async function present(reader: VirtualReader, record: DriverRecord, card: VirtualCard, slot = 0) {
  const before = outcomes(record.events).length;
  await reader.insert(card, slot);
  await record.until((events) => outcomes(events).length > before);
  const outcome = outcomes(record.events)[before];
  const removed = record.events.filter((event) => event.kind === 'removed').length;
  await reader.remove(slot);
  await record.until((events) => events.filter((event) => event.kind === 'removed').length > removed);
  return outcome;
}

cardTest('Each kind of card ends in its expected outcome', () =>
  withDriver(async (reader, record) => {
    const plain = await present(reader, record, { kind: 'type2', uid: '04A1B2C3D4E5F6' });
    expect(plain).toMatchObject({
      kind: 'card',
      card: { uid: '04A1B2C3D4E5F6', badge: onlyUid('04A1B2C3D4E5F6') },
    });
    for (const kind of ['type2', 'type4'] as const) {
      const written = await present(reader, record, {
        kind,
        uid: '04A1B2C3D4E5F7',
        ndef: hexOf(longMessage),
      });
      expect(written).toMatchObject({
        kind: 'card',
        card: { badge: { kind: 'badge', codes: ['04A1B2C3D4E5F7', 'ABC123', 'x'.repeat(90)] } },
      });
    }
    const application = await present(reader, record, { kind: 'type4', uid: '04112233445566' });
    expect(application).toMatchObject({ card: { badge: onlyUid('04112233445566') } });
    const phone = await present(reader, record, { kind: 'phone', uid: '08A1B2C3' });
    expect(phone).toMatchObject({ card: { uid: '08A1B2C3', badge: { kind: 'phone' } } });
    const broken = await present(reader, record, { kind: 'type2', uid: '04A1B2C3D4E5F8', ndef: 'D1FF' });
    expect(broken).toMatchObject({ kind: 'card', card: { uid: '04A1B2C3D4E5F8' } });
  }, true),
);

cardTest('A long message is read completely with every kind of support for bulk reads', () =>
  withDriver(async (reader, record) => {
    const bytes = ndefMessage(textRecord('x'.repeat(800)));
    for (const carries of ['bulk', 'loses', 'refuses'] as const) {
      const card = { kind: 'type2', uid: '04A1B2C3D4E5F6', ndef: hexOf(bytes), carries } as const;
      expect(await present(reader, record, card)).toMatchObject({
        card: { badge: { kind: 'badge', codes: ['04A1B2C3D4E5F6', 'x'.repeat(800)] } },
      });
    }
  }, true),
);

cardTest(
  'A tag whose message is read too slowly is reported by its UID at once, and ends as a card with that UID',
  () =>
    withDriver(async (reader, record) => {
      const uid = '04A1B2C3D4E5F6';
      await reader.insert({ kind: 'fading', uid });
      await record.until((events) => events.some(({ kind }) => kind === 'uid'));
      expect(record.events.at(-1)).toMatchObject({ kind: 'uid', card: { uid, badge: onlyUid(uid) } });
      await record.until((events) => outcomes(events).length === 1);
      expect(outcomes(record.events)).toMatchObject([
        { card: { uid, badge: { kind: 'badge', codes: [uid], lostNdef: 'timeout' } } },
      ]);
    }),
);

cardTest('A badge that is removed right after its UID was read ends as a card, not as unread', () =>
  withDriver(async (reader, record) => {
    await reader.insert({ kind: 'fading', uid: '04A1B2C3D4E5F6' });
    await record.until((events) => events.some(({ kind }) => kind === 'uid'));
    await reader.remove();
    await record.until((events) => events.some(({ kind }) => kind === 'removed'));
    expect(outcomes(record.events)).toMatchObject([{ kind: 'card', card: { uid: '04A1B2C3D4E5F6' } }]);
  }),
);

cardTest('A mute card ends as mute, and the next card is read', () =>
  withDriver(async (reader, record) => {
    expect(await present(reader, record, { kind: 'mute' })).toMatchObject({ kind: 'unread', reason: 'mute' });
    expect(await present(reader, record, { kind: 'type2', uid: '04A1B2C3D4E5F6' })).toMatchObject({
      kind: 'card',
    });
  }),
);

cardTest(
  'A mute card that stays on one reader does not block the other one, and is reported as unread only once',
  () =>
    withDriver(async (reader, record) => {
      await reader.insert({ kind: 'mute' });
      await record.until((events) => outcomes(events).length === 1);
      await reader.insert({ kind: 'type2', uid: '04A1B2C3D4E5F6' }, 1);
      await record.until((events) => events.some(({ kind }) => kind === 'card'));
      await reader.remove(1);
      const attachments = (events: readonly ReaderEvent[]) =>
        events.filter(({ kind }) => kind === 'attached').length;
      await record.until((events) => attachments(events) === 4);
      await reader.untilCounted(2, 1);
      await reader.insert({ kind: 'type2', uid: '04A1B2C3D4E5F7' }, 1);
      await record.until((events) => events.filter(({ kind }) => kind === 'card').length === 2);
      expect(outcomes(record.events).filter(({ kind }) => kind === 'unread')).toHaveLength(1);
    }),
);

cardTest('A card on one reader does not wait for a mute card on the other', () =>
  withDriver(async (reader, record) => {
    await reader.insert({ kind: 'mute' });
    await record.until((events) => events.some(({ kind }) => kind === 'inserted'));
    await reader.insert({ kind: 'type2', uid: '04A1B2C3D4E5F6' }, 1);
    await record.until((events) => events.some(({ kind }) => kind === 'card'));
    // The card that does not answer has no outcome yet.
    expect(outcomes(record.events)).toHaveLength(1);
    await reader.remove();
    await record.until((events) => outcomes(events).length === 2);
  }, true),
);

cardTest('A card that answers garbage ends in exactly one outcome each time', () =>
  withDriver(async (reader, record) => {
    for (let i = 0; i < 5; i += 1) await present(reader, record, { kind: 'garbage' });
    expect(outcomes(record.events)).toHaveLength(5);
  }),
);

cardTest('A card that is removed too early is reported as unread once, and the next card is read', () =>
  withDriver(async (reader, record) => {
    // The card answers nothing, so it is certainly removed before it could be read.
    await reader.insert({ kind: 'mute' });
    await record.until((events) => events.some(({ kind }) => kind === 'inserted'));
    await reader.remove();
    await record.until((events) => events.some(({ kind }) => kind === 'removed'));
    expect(outcomes(record.events)).toMatchObject([{ kind: 'unread', reason: 'pulled' }]);
    expect(await present(reader, record, { kind: 'type2', uid: '04A1B2C3D4E5F6' })).toMatchObject({
      kind: 'card',
    });
  }),
);

cardTest('Two readers are distinguished and read at the same time', () =>
  withDriver(async (reader, record) => {
    await Promise.all([
      reader.insert({ kind: 'type2', uid: '04A1B2C3D4E5F0' }, 0),
      reader.insert({ kind: 'type4', uid: '04A1B2C3D4E5F1' }, 1),
    ]);
    await record.until((events) => outcomes(events).length === 2);
    const uidByReader = new Map(
      record.events.flatMap((event) => (event.kind === 'card' ? [[event.reader, event.card.uid]] : [])),
    );
    expect(uidByReader.get('Virtual PCD 00 00')).toBe('04A1B2C3D4E5F0');
    expect(uidByReader.get('Virtual PCD 00 01')).toBe('04A1B2C3D4E5F1');
  }),
);

cardTest('A card swapped while the reader process is frozen is not lost', () =>
  withDriver(async (reader, record) => {
    await reader.insert({ kind: 'type2', uid: '04A1B2C3D4E5F0' });
    await record.until((events) => outcomes(events).length === 1);
    reader.signalReaderProcess('SIGSTOP');
    await reader.swap({ kind: 'type2', uid: '04A1B2C3D4E5F1' });
    await reader.untilCounted(3);
    reader.signalReaderProcess('SIGCONT');
    await record.until((events) => outcomes(events).length === 2);
    expect(outcomes(record.events).at(-1)).toMatchObject({ kind: 'card', card: { uid: '04A1B2C3D4E5F1' } });
  }, true),
);

cardTest(
  'Cards that came and left while the process was frozen are reported as not read at the next poll',
  () =>
    withDriver(async (reader, record) => {
      reader.signalReaderProcess('SIGSTOP');
      for (const count of [1, 2]) {
        await reader.insert({ kind: 'type2', uid: '04A1B2C3D4E5F1' });
        await reader.untilCounted(count * 2 - 1);
        await reader.remove();
        await reader.untilCounted(count * 2);
      }
      reader.signalReaderProcess('SIGCONT');
      await reader.insert({ kind: 'type2', uid: '04A1B2C3D4E5F2' });
      await record.until((events) => outcomes(events).length === 3);
      expect(outcomes(record.events)).toMatchObject([
        { kind: 'unread', reason: 'missed' },
        { kind: 'unread', reason: 'missed' },
        { kind: 'card', card: { uid: '04A1B2C3D4E5F2' } },
      ]);
    }, true),
);
