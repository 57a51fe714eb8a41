/**
 * A kiosk that a box's file sets up, from the file on: signature, enrolment, what the data folder keeps, the station over it.
 *
 * Invariant: gone when the test ends.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Kiosk } from '../../../src-main/core/kiosk.ts';
import { createFilePlace } from '../../../src-main/device-key/key-place.ts';
import { provisionFolder } from '../../../src-main/device-setup/provisioned-start.ts';
import { createStation } from '../../../src-main/launch/station.ts';
import { ownFolder, rememberingLog } from '../../core/fixture.ts';
import { realClock, realRandom } from '../../core/real-parts.ts';
import { handReader, hurriedClock } from '../box-kiosk.ts';

export type ProvisionedKiosk = {
  readonly kiosk: Kiosk;
  readonly folder: string;
  readonly tap: (uid: string) => void;
};

/** Gives `text` to a device as the file that sets it up; answers what the start says. @throws StartRefusal */
export const provision = (folder: string, text: string): Promise<string | null> => {
  const file = join(ownFolder(), 'device.json');
  writeFileSync(file, text);
  return provisionFolder({ folder, clock: realClock, random: realRandom }, { file, device: null });
};

/** The kiosk of a folder that was set up. */
export const startProvisioned = (folder: string): ProvisionedKiosk => {
  const { driver, tap } = handReader();
  const log = { ...rememberingLog(), hide: () => undefined, flush: () => undefined };
  const station = createStation({
    ...{ clock: hurriedClock, random: realRandom, log, folder, version: '1', keyPlace: createFilePlace() },
    ...{ given: null, password: '', usualStand: null, cardService: 'on', demoBadges: [], demoStaff: null },
    drivers: () => [driver],
    ...{ webhook: null, exportWriter: undefined, places: () => [] },
    machine: () => ({ freeBytes: null, power: null }),
  });
  onTestFinished(station.stop);
  station.start();
  const kiosk = station.kiosk();
  if (kiosk === null) throw new Error('There is no kiosk');
  return { kiosk, folder, tap };
};
