/**
 * The nfc driver on the real pcscd: cards of every kind through the virtual reader.
 */
import { expect } from 'vitest';
import { createNfcDriver } from '../../src-main/devices/nfc/supervisor.ts';
import type { VirtualCard } from '../../src-main/devices/virtual/virtual-card.ts';
import { notRunUnless } from '../not-run.ts';
import { openVirtualReader, type VirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';
import { type DriverRecord, faultsInStory, outcomes, recordDriver } from './driver-record.ts';

const cardTest = notRunUnless(virtualReader.present, virtualReader.reason);

/** `https://x.example/b/ABC123` as a URI record. */
const uriMessage = `D101${'15'}5504${Buffer.from('x.example/b/ABC12345').toString('hex')}`;

const watch = (reader: VirtualReader): DriverRecord =>
  recordDriver((ports) => createNfcDriver({ ...ports, spawnProcess: reader.spawnReaderProcess }));

/** Runs `body` beside a driver that has seen both slots, and checks the whole story at the end. */
const withDriver = async (
  body: (reader: VirtualReader, record: DriverRecord) => Promise<void>,
): Promise<void> => {
  await using reader = await openVirtualReader();
  await reader.startService();
  const record = watch(reader);
  try {
    await record.until((events) => events.filter((event) => event.kind === 'attached').length === 2);
    await body(reader, record);
  } finally {
    await record.driver.stop();
  }
  expect(faultsInStory(record.events)).toEqual([]);
};

const present = async (reader: VirtualReader, record: DriverRecord, card: VirtualCard, slot = 0) => {
  const before = outcomes(record.events).length;
  await reader.insert(card, slot);
  await record.until((events) => outcomes(events).length > before);
  const outcome = outcomes(record.events)[before];
  await reader.remove(slot);
  const removed = record.events.filter((event) => event.kind === 'removed').length;
  await record.until((events) => events.filter((event) => event.kind === 'removed').length > removed);
  return outcome;
};

cardTest('Cards of every kind end in the outcome they deserve', () =>
  withDriver(async (reader, record) => {
    expect(await present(reader, record, { kind: 'type2', uid: '04A1B2C3D4E5F6' })).toMatchObject({
      kind: 'card',
      card: { uid: '04A1B2C3D4E5F6', ndef: { state: 'none' } },
    });
    expect(
      await present(reader, record, { kind: 'type2', uid: '04A1B2C3D4E5F6', ndef: uriMessage }),
    ).toMatchObject({
      card: { ndef: { state: 'read', bytes: new Uint8Array(Buffer.from(uriMessage, 'hex')) } },
    });
  }),
);
