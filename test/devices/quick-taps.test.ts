/** Quick visitors on the real pcscd: every insertion that the daemon detected has its outcome. */
import { expect } from 'vitest';
import { createNfcDriver } from '../../src-main/devices/supervisor/supervisor.ts';
import { notRunUnless } from '../not-run.ts';
import { openVirtualReader, slotName, virtualReader } from '../virtual-reader/virtual-reader.ts';
import { faultsInStory, outcomes, recordDriver } from './driver-record.ts';

const cardTest = notRunUnless(virtualReader.present, virtualReader.reason);

/** How long a card stays on the reader, in milliseconds. The virtual reader polls every 400. */
const holds = [50, 120, 200, 300, 380, 420, 480, 550, 650, 800];
const rounds = 3;

cardTest(
  'Every quick tap on two readers that the daemon counted has exactly one outcome',
  async () => {
    await using reader = await openVirtualReader();
    await reader.startService();
    const record = recordDriver((ports) =>
      createNfcDriver({ ...ports, spawnProcess: reader.spawnReaderProcess }),
    );
    await record.until((events) => events.filter(({ kind }) => kind === 'attached').length === 2);
    const tapAll = async (slot: number): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        for (const [i, hold] of holds.entries()) {
          await reader.tap({ kind: 'type2', uid: `04A1B2C3D4${slot}${round}0${i}` }, hold, slot);
          await new Promise((resolve) => setTimeout(resolve, (i * 97) % 500));
        }
      }
      // One more insertion that lasts long, so that both counts are stable when they are compared.
      await reader.tap({ kind: 'type2', uid: `04A1B2C3D4${slot}F0F` }, 1500, slot);
    };
    await Promise.all([tapAll(0), tapAll(1)]);
    for (const [i, name] of [slotName(0), slotName(1)].entries()) {
      const uid = `04A1B2C3D4${i}F0F`;
      await record.until((events) => events.some((event) => event.kind === 'card' && event.card.uid === uid));
      await record.until(
        (events) =>
          events.findLast((event) => 'reader' in event && event.reader === name)?.kind === 'removed',
      );
    }
    const counted = await reader.counted();
    await record.driver.stop();
    expect(faultsInStory(record.events)).toEqual([]);
    for (const name of [slotName(0), slotName(1)]) {
      const told = outcomes(record.events).filter((event) => event.reader === name);
      expect(told.length).toBe((counted[name] ?? 0) / 2);
    }
  },
  300_000,
);
