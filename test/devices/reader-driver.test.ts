/**
 * The port's suite on every driver there is. For metal, name the UID of the badge at hand and follow the prompts:
 * `TOUCHPOINT_READER_BADGE=04A1B2C3D4E5F6 npm test -- test/devices/reader-driver.test.ts`
 */
import { writeSync } from 'node:fs';
import type { ReaderProcess } from '../../src-main/devices/supervisor/reader-run.ts';
import { createNfcDriver } from '../../src-main/devices/supervisor/supervisor.ts';
import { sourceTree } from '../../src-main/launch/source-tree.ts';
import { notRunUnless } from '../not-run.ts';
import { openVirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';
import { recordDriver } from './driver-record.ts';
import { type DriverBench, readerDriverSuite } from './reader-driver-suite.ts';

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
    uid,
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
  const recorded = record(sourceTree().host.spawnReader);
  return {
    record: recorded,
    uid: badgeAtHand,
    hand: {
      lay: () => ask('Lay the badge on the reader and leave it there'),
      take: () => ask('Take the badge away'),
    },
    patience: 30_000,
    [Symbol.asyncDispose]: () => recorded.driver.stop(),
  };
}

readerDriverSuite(
  'Badge reader of metal',
  notRunUnless(
    badgeAtHand !== '',
    'no badge reader is at hand (TOUCHPOINT_READER_BADGE is not set)',
    'reader',
  ),
  openMetal,
);
