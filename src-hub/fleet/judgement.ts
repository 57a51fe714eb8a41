/**
 * What needs a person, and whether everything adds up, from every device to upstream. Pure.
 *
 * Invariants: captured = waiting + at the hub + sent + confirmed + set aside, as docs/laws.md#law-2 has it for one device; what
 * mends itself (a network that is away) needs nobody.
 */

import { REPORT_EVERY_MS } from '../../src-main/core/foundations/time/times.ts';
import { HEALTH_BOUNDS } from '../../src-main/core/stand/health/health.ts';
import type { UpstreamStanding } from '../../src-platform/hub/hub-operations.ts';
import type { FleetDevice } from './reading.ts';

/** A device that misses so many reports is silent. */
export const SILENT_AFTER_MS = 4 * REPORT_EVERY_MS;

/** What can be wrong with a device, the gravest first. */
export const NEEDS = [
  ...['silent', 'storage', 'reader', 'touchpoint', 'refused', 'setAside'],
  ...['oldCopy', 'battery', 'revoked', 'outOfOrder', 'implausible'],
] as const;
export type Need = (typeof NEEDS)[number];

/** Pauses of delivery that end by themselves when the network is back. */
const PASSING = ['offline', 'addressUnknown'];

/** What of a device needs a person at `now` (epoch milliseconds). */
export function needsOf(device: FleetDevice, now: number): readonly Need[] {
  const { report, heardAt } = device;
  if (device.revoked) return waitingOf(device) > 0 ? ['revoked'] : [];
  if (!device.enrolled) return [];
  // Heard later than it is: the clock of the hub was set back, and the device has not spoken since.
  if (heardAt === null || Math.abs(now - heardAt) > SILENT_AFTER_MS) return ['silent'];
  if (report === null) return [];
  const { readers, cardService, battery } = report;
  // A device that began just now may still fetch its first copy.
  const copyOf = report.mirrorAt ?? report.since ?? now;
  const isWithoutReader = cardService === 'up' ? readers === 0 : !['off', 'starting'].includes(cardService);
  const is: Readonly<Record<Need, boolean>> = {
    silent: false,
    storage: report.storage !== 'ok',
    reader: isWithoutReader,
    touchpoint: report.fault !== null,
    refused: report.pause !== null && !PASSING.includes(report.pause),
    setAside: report.delivery.parked > 0 || device.counts.parked > 0,
    oldCopy: now - copyOf > HEALTH_BOUNDS.mirrorAge.attention,
    battery: battery !== null && report.plugged !== true && battery < HEALTH_BOUNDS.charge.attention,
    revoked: false,
    outOfOrder: report.outOfOrder,
    implausible: isImplausible(report),
  };
  return NEEDS.filter((need) => is[need]);
}

/** No device captures as many in a fair: one tap a second for eleven days. */
const MOST_CAPTURED = 1_000_000;

/** Whether the counts of a report cannot be true: too many, or parts that do not add up (docs/laws.md#law-2). */
function isImplausible({ delivery }: NonNullable<FleetDevice['report']>): boolean {
  const { captured, due, inFlight, uncertain, atHub, sent, confirmed, parked } = delivery;
  const sum = due + inFlight + uncertain + sent + confirmed + parked;
  return captured > MOST_CAPTURED || sum !== captured || atHub > sent;
}

/** Facts on a device that are nowhere else. */
export function waitingOf({ report }: FleetDevice): number {
  const { due = 0, inFlight = 0, uncertain = 0 } = report?.delivery ?? {};
  return due + inFlight + uncertain;
}

/** Facts by where they are; `captured` is the sum of all others. */
export type FactSums = {
  readonly captured: number;
  readonly waiting: number;
  readonly atHub: number;
  readonly sent: number;
  readonly confirmed: number;
  readonly setAside: number;
};

/** As the devices report it. A revoked device and a report that cannot be true count nowhere. */
export function sumOfDevices(devices: readonly FleetDevice[]): FactSums {
  const sums = { captured: 0, waiting: 0, atHub: 0, sent: 0, confirmed: 0, setAside: 0 };
  for (const device of devices) {
    if (device.revoked || device.report === null || isImplausible(device.report)) continue;
    const { captured, atHub, sent, confirmed, parked } = device.report.delivery;
    sums.captured += captured;
    sums.waiting += waitingOf(device);
    sums.atHub += atHub;
    sums.sent += sent - atHub;
    sums.confirmed += confirmed;
    sums.setAside += parked;
  }
  return sums;
}

/** As the hub has them: `captured` is what it took in, and nothing waits before it. */
export function sumOfHub(devices: readonly FleetDevice[]): FactSums {
  const sums = { captured: 0, waiting: 0, atHub: 0, sent: 0, confirmed: 0, setAside: 0 };
  for (const { counts } of devices) {
    sums.captured += counts.taken;
    sums.atHub += counts.atHub;
    sums.sent += counts.sent;
    sums.confirmed += counts.confirmed;
    sums.setAside += counts.parked;
  }
  return sums;
}

/** What the page says beside the list of devices. */
export type FleetPicture = {
  readonly hub: string;
  readonly now: number;
  readonly upstream: UpstreamStanding;
  readonly devices: readonly FleetDevice[];
};
