/**
 * Free disk space and battery charge of the machine.
 *
 * Invariants:
 * - never throws; an unknown value is null;
 * - batteries are read on Linux only (https://docs.kernel.org/power/power_supply_class.html). On other systems pages can
 *   ask the browser.
 */
import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineReading } from '../core/foundations/ports.ts';

const POWER_SUPPLIES = '/sys/class/power_supply';

/** Reads free space and battery, and adds the known `encryption`. `folder`: the data folder, whose disk is measured. */
export function readMachine(
  folder: string,
  encryption: MachineReading['encryption'] = 'unknown',
  powerSupplies = POWER_SUPPLIES,
): MachineReading {
  return { freeBytes: freeBytes(folder), encryption, power: power(powerSupplies) };
}

/** Free bytes for an ordinary user. */
function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

function power(folder: string): MachineReading['power'] {
  const supplies = entriesOf(folder).map((name) => ({
    type: lineOf(join(folder, name, 'type')),
    scope: lineOf(join(folder, name, 'scope')),
    capacity: Number(lineOf(join(folder, name, 'capacity')) ?? Number.NaN),
    status: lineOf(join(folder, name, 'status')),
    online: lineOf(join(folder, name, 'online')),
  }));
  // A mouse also has a battery: its scope is `Device`.
  const battery = supplies.find(({ type, scope }) => type === 'Battery' && scope !== 'Device');
  if (battery === undefined || Number.isNaN(battery.capacity)) return null;
  const plugged =
    supplies.some(({ type, online }) => type !== 'Battery' && online === '1') ||
    battery.status === 'Charging' ||
    battery.status === 'Full';
  return { charge: Math.min(1, Math.max(0, battery.capacity / 100)), plugged };
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function lineOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
