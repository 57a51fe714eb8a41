/**
 * The catalogue of faults on the real pcscd: odd cards, quick cards, a service that is killed and stopped. Each
 * insertion that the daemon counted has one outcome. The full numbers run at night (`test/thoroughness.ts`).
 */
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { createNfcDriver } from '../../../src-main/devices/supervisor/supervisor.ts';
import { firstSlotPort } from '../../../src-main/devices/virtual/virtual-slot.ts';
import { notRunUnless } from '../../not-run.ts';
import { isThorough, repetitions, runSeed } from '../../thoroughness.ts';
import {
  openVirtualReader,
  slotName,
  type VirtualReader,
  virtualReader,
} from '../../virtual-reader/virtual-reader.ts';
import { type DriverRecord, faultsInStory, outcomes, recordDriver } from '../driver-record.ts';
import { chance } from './odd-card.ts';

const cardTest = notRunUnless(virtualReader.present, virtualReader.reason);
const oneHour = 3_600_000;

async function withDriver(
  body: (reader: VirtualReader, record: DriverRecord) => Promise<void>,
): Promise<void> {
  await using reader = await openVirtualReader();
  await reader.startService();
  const record = recordDriver((ports) =>
    createNfcDriver({ clock: ports.clock, log: ports.log, spawnProcess: reader.spawnReaderProcess }),
  );
  try {
    await record.until((events) => events.filter(({ kind }) => kind === 'attached').length === 2);
    await body(reader, record);
  } finally {
    await record.driver.stop();
  }
  expect(faultsInStory(record.events)).toEqual([]);
}

/** Whether the daemon has noticed that both slots are empty: it counts an insertion and a removal for each card. */
async function isEmptyToTheDaemon(reader: VirtualReader): Promise<boolean> {
  for (let look = 0; look < 20; look += 1) {
    const counts = Object.values(await reader.counted());
    if (counts.every((count) => count % 2 === 0)) return true;
  }
  return false;
}

/**
 * The virtual reader itself may stop polling a slot. Then the daemon reports a removed card as present, and no
 * driver can detect that. The cards are then laid again on a new reader.
 */
async function layAndCount(cards: readonly number[], shortest: number, longest: number): Promise<void> {
  for (let readers = 1; !(await layOnFreshReader(cards, shortest, longest)); readers += 1) {
    expect(readers, 'readers that stopped polling').toBeLessThan(2);
  }
}

/**
 * Puts half of the odd cards on each slot, followed by a good one. Compares the outcomes with the daemon's count.
 * Returns false if the virtual reader stopped.
 */
async function layOnFreshReader(
  cards: readonly number[],
  shortest: number,
  longest: number,
): Promise<boolean> {
  let isRunning = true;
  await withDriver(async (reader, record) => {
    const child = fileURLToPath(new URL('./odd-cards-child.ts', import.meta.url));
    const half = Math.ceil(cards.length / 2);
    await Promise.all(
      [0, 1].map((slot) => {
        const numbers = [firstSlotPort + slot, runSeed(), shortest, longest, slot * half, half];
        return reader.run(process.execPath, [child, ...numbers.map(String)], oneHour);
      }),
    );
    isRunning = await isEmptyToTheDaemon(reader);
    if (!isRunning) return;
    for (const slot of [0, 1]) {
      const uid = `04A1B2C3D4${slot}F0F`;
      await reader.insert({ kind: 'type2', uid }, slot);
      await record.until((events) => events.some((event) => event.kind === 'card' && event.card.uid === uid));
      await reader.remove(slot);
      await record.until(
        (events) =>
          events.findLast((event) => 'reader' in event && event.reader === slotName(slot))?.kind ===
          'removed',
      );
    }
    const counted = await reader.counted();
    for (const name of [slotName(0), slotName(1)]) {
      const told = outcomes(record.events).filter((event) => event.reader === name);
      expect(told.length, name).toBe((counted[name] ?? 0) / 2);
    }
    expect(outcomes(record.events).length).toBeGreaterThan(cards.length / 4);
    // No card may end the reader process.
    expect(record.events.filter(({ kind }) => kind === 'attached')).toHaveLength(2);
  });
  return isRunning;
}

cardTest(
  'after 430 odd cards, each card that the daemon counted has one outcome, and the next good card is read',
  () => layAndCount(repetitions(430), 300, 900),
  oneHour,
);

/**
 * After some odd cards the virtual reader stops polling, which would cost an ordinary run a minute and a false alarm.
 */
const nightlyTest = virtualReader.present
  ? notRunUnless(
      isThorough(),
      'only the nightly run does this: the virtual reader itself stops at some cards',
      'night',
    )
  : cardTest;

nightlyTest(
  'after 400 quick odd cards, each card that the daemon counted has one outcome, and the next good card is read',
  () => layAndCount(repetitions(400), 50, 800),
  oneHour,
);

cardTest(
  'After 30 kills and 10 stops of the card service, with and without a card on the reader, each card has one outcome',
  () =>
    withDriver(async (reader, record) => {
      const rounds = repetitions(40);
      for (const [index, round] of rounds.entries()) {
        const random = chance(runSeed() * 1009 + round);
        const lies = random() < 0.5;
        const before = outcomes(record.events).length;
        if (lies)
          await reader.insert(random() < 0.3 ? { kind: 'mute' } : { kind: 'type2', uid: '04A1B2C3D4E501' });
        if (lies && random() < 0.5)
          await record.until(
            (events) => events.at(-1)?.kind === 'inserted' || outcomes(events).length > before,
          );
        if (round % 4 === 3) await reader.stopService();
        else await reader.killService();
        await record.until(
          (events) => events.filter(({ kind }) => kind === 'detached').length === 2 * (index + 1),
        );
        await reader.remove();
        await reader.startService();
        await record.until(
          (events) => events.filter(({ kind }) => kind === 'attached').length === 4 + 2 * index,
        );
        const uid = `04A1B2C3D4E6${(round + 16).toString(16).toUpperCase()}`;
        await reader.insert({ kind: 'type2', uid });
        await record.until((events) =>
          events.some((event) => event.kind === 'card' && event.card.uid === uid),
        );
        await reader.remove();
        await record.until((events) => events.at(-1)?.kind === 'removed');
      }
      // One process handled all of them: there was no restart and no failure.
      expect(record.log.filter(({ what }) => what.startsWith('The reader process is started again'))).toEqual(
        [],
      );
    }),
  oneHour,
);
