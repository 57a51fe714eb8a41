/**
 * Decides what needs a person, and whether the counts of devices, hub and platform add up. Pure.
 *
 * Invariants
 * - Captured = waiting + at the hub + sent + confirmed + parked, as docs/laws.md#law-2 says for one device.
 * - A delivery pause that ends by itself (`PASSING`) needs no person.
 */

import { REPORT_EVERY_MS } from '../../src-main/core/foundations/time/times.ts';
import { HEALTH_BOUNDS } from '../../src-main/core/stand/health/health.ts';
import type { UpstreamStanding } from '../../src-platform/hub/hub-operations.ts';
import type { FleetDevice } from './reading.ts';

/** A device without a report for this long is silent. */
export const SILENT_AFTER_MS = 4 * REPORT_EVERY_MS;

/** The possible faults of a device, the most severe first. */
export const NEEDS = [
  'silent',
  'storage',
  'reader',
  'touchpoint',
  'refused',
  'setAside',
  'oldMirror',
  'battery',
  'revoked',
  'outOfOrder',
  'implausible',
  'openDisk',
] as const;
export type Need = (typeof NEEDS)[number];

const GRAVE: readonly Need[] = ['silent', 'storage', 'reader', 'touchpoint', 'refused'];

/** `stop`: visitors are not served, or their data is at risk. */
export function toneOf(need: Need): 'stop' | 'wait' {
  return GRAVE.includes(need) ? 'stop' : 'wait';
}

/** Delivery pauses that end by themselves when the network returns. */
const PASSING = ['offline', 'addressUnknown'];

/** The faults of a device that need a person at `now` (epoch milliseconds). */
export function needsOf(device: FleetDevice, now: number): readonly Need[] {
  const { report, reportedAt } = device;
  if (device.revoked) return waitingOf(device) > 0 ? ['revoked'] : [];
  if (!device.enrolled) return [];
  // A report from the future: the hub's clock was set back, and there has been no report since.
  if (reportedAt === null || Math.abs(now - reportedAt) > SILENT_AFTER_MS) return ['silent'];
  if (report === null) return [];
  const { readers, cardService, battery } = report;
  // A device that started only recently may still fetch its first mirror.
  const mirroredAt = report.mirrorAt ?? report.since ?? now;
  const isWithoutReader = cardService === 'up' ? readers === 0 : !['off', 'starting'].includes(cardService);
  const is: Readonly<Record<Need, boolean>> = {
    silent: false,
    storage: report.storage !== 'ok',
    reader: isWithoutReader,
    touchpoint: report.fault !== null,
    refused: report.pause !== null && !PASSING.includes(report.pause),
    setAside: report.delivery.parked > 0 || device.counts.parked > 0,
    oldMirror: now - mirroredAt > HEALTH_BOUNDS.mirrorAge.attention,
    battery: battery !== null && report.plugged !== true && battery < HEALTH_BOUNDS.charge.attention,
    openDisk: report.encryption === 'open',
    revoked: false,
    outOfOrder: report.outOfOrder,
    implausible: isImplausible(report),
  };
  return NEEDS.filter((need) => is[need]);
}

/** More than a device can capture at a fair: one tap a second for eleven days. */
const MOST_CAPTURED = 1_000_000;

/** Whether the counts of a report are impossible: too high, or parts that do not add up (docs/laws.md#law-2). */
function isImplausible({ delivery }: NonNullable<FleetDevice['report']>): boolean {
  const { captured, due, inFlight, uncertain, atHub, sent, confirmed, parked } = delivery;
  const sum = due + inFlight + uncertain + sent + confirmed + parked;
  return captured > MOST_CAPTURED || sum !== captured || atHub > sent;
}

/** How many facts the device reports as not delivered yet. */
export function waitingOf({ report }: FleetDevice): number {
  const { due = 0, inFlight = 0, uncertain = 0 } = report?.delivery ?? {};
  return due + inFlight + uncertain;
}

/** Facts by where they are; `captured` is the sum of all other counts. */
export type FactSums = {
  readonly captured: number;
  readonly waiting: number;
  readonly atHub: number;
  readonly sent: number;
  readonly confirmed: number;
  readonly setAside: number;
};

/** The sums that the devices report. Revoked devices and impossible reports are left out. */
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

/** The sums of the hub. `captured`: the facts that it accepted. No fact is `waiting`. */
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

/** The content of the page. */
export type FleetPicture = {
  readonly hub: string;
  readonly now: number;
  readonly upstream: UpstreamStanding;
  /** Fingerprint of the key with which the hub countersigns receipts. */
  readonly receiptFingerprint: string;
  readonly devices: readonly FleetDevice[];
};
