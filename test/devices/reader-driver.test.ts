/**
 * Runs the suite of the reader port with every available driver. To test a physical reader, set the UID of your badge
 * and follow the prompts: `TOUCHPOINT_READER_BADGE=04A1B2C3D4E5F6 npm test -- test/devices/reader-driver.test.ts`
 */
import { writeSync } from 'node:fs';
import { test } from 'vitest';
import { createSerialScanner } from '../../src-main/devices/serial/serial-scanner.ts';
import type { ReaderProcess } from '../../src-main/devices/supervisor/reader-run.ts';
import { createNfcDriver } from '../../src-main/devices/supervisor/supervisor.ts';
import { sourceTree } from '../../src-main/launch/tree.ts';
import { notRunUnless } from '../not-run.ts';
import { openVirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';
import { recordDriver } from './driver-record.ts';
import { openFileReader } from './file-driver.ts';
import { type DriverBench, readerDriverSuite } from './reader-driver-suite.ts';
import { openSerialPort, serialPorts } from './serial/port-at-hand.ts';

function record(spawnProcess: () => ReaderProcess) {
  return recordDriver((ports) => createNfcDriver({ ...ports, spawnProcess }));
}

async function openVirtual(): Promise<DriverBench> {
  const reader = await openVirtualReader();
  await reader.startService();
  const uid = '04A1B2C3D4E5F6';
  const recorded = record(reader.spawnReaderProcess);
  return {
    record: recorded,
    read: { card: { uid } },
    service: true,
    hand: { lay: () => reader.insert({ kind: 'type2', uid }), take: () => reader.remove() },
    patience: 15_000,
    [Symbol.asyncDispose]: async () => {
      await recorded.driver.stop();
      await reader[Symbol.asyncDispose]();
    },
  };
}

readerDriverSuite('Virtual reader', notRunUnless(virtualReader.present, virtualReader.reason), openVirtual);

const badgeAtHand = process.env.TOUCHPOINT_READER_BADGE ?? '';

function ask(what: string): Promise<void> {
  writeSync(2, `\n>>> ${what}\n`);
  return Promise.resolve();
}

async function openMetal(): Promise<DriverBench> {
  const recorded = record(sourceTree().spawnReader);
  return {
    record: recorded,
    read: { card: { uid: badgeAtHand } },
    service: true,
    hand: {
      lay: () => ask('Lay the badge on the reader and leave it there'),
      take: () => ask('Take the badge away'),
    },
    patience: 30_000,
    [Symbol.asyncDispose]: () => recorded.driver.stop(),
  };
}

readerDriverSuite(
  'Physical badge reader',
  notRunUnless(
    badgeAtHand !== '',
    'no badge reader is at hand (TOUCHPOINT_READER_BADGE is not set)',
    'reader',
  ),
  openMetal,
);

async function openScanner(): Promise<DriverBench> {
  const port = await openSerialPort();
  const recorded = recordDriver((ports) => createSerialScanner({ ...ports, path: port.path, baud: 9600 }));
  return {
    record: recorded,
    read: { text: 'ABC-123' },
    service: false,
    hand: { lay: () => port.type('ABC-123\r\n'), take: async () => undefined },
    patience: 15_000,
    [Symbol.asyncDispose]: async () => {
      await recorded.driver.stop();
      await port[Symbol.asyncDispose]();
    },
  };
}

readerDriverSuite(
  'Scanner on a serial port',
  notRunUnless(serialPorts.present, serialPorts.reason),
  openScanner,
);

async function openFile(): Promise<DriverBench> {
  const file = await openFileReader();
  const recorded = recordDriver((ports) => file.driver(ports.clock));
  return {
    record: recorded,
    read: { card: { uid: '04A1B2C3D4E5F6' } },
    service: false,
    hand: { lay: () => file.say('card 04A1B2C3D4E5F6'), take: () => file.say('take') },
    patience: 15_000,
    [Symbol.asyncDispose]: async () => {
      await recorded.driver.stop();
      await file[Symbol.asyncDispose]();
    },
  };
}

readerDriverSuite('Reader driven by a file', test, openFile);
