/**
 * Verdict on the device, check by check. Pure.
 *
 * Invariants:
 * - A device that cannot record or read taps, or can never deliver them, is `noGo`. A delivery that only waits for a
 *   network is not.
 * - All limits are in this module.
 */
import type { DeviceState, Pause } from '../../../contract/device.ts';
import type { Health, HealthCheck, HealthHub, KeyState, Verdict } from '../../../contract/health.ts';
import type { MachineReading } from '../../foundations/ports.ts';
import type { BackupState } from '../../journal/recovery/backup.ts';
import type { VersionChange } from '../../journal/recovery/version-note.ts';
import { PURPOSES } from '../device/purposes.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const MEGABYTE = 1_000_000;

/** Limits of values. Beyond `attention` staff should check the device. Beyond `noGo` the stand should not open. */
export const HEALTH_BOUNDS = {
  mirrorAge: { attention: HOUR, noGo: 24 * HOUR },
  clockOff: { attention: MINUTE, noGo: 5 * MINUTE },
  /** For free space and for the charge of the battery, a lower value is worse. */
  freeBytes: { attention: 2_000 * MEGABYTE, noGo: 200 * MEGABYTE },
  /**
   * Bytes of photos and voice notes. The app never removes them to save space, so this is not a reason to close the
   * stand.
   */
  attachmentBytes: { attention: 1_000 * MEGABYTE, noGo: Number.POSITIVE_INFINITY },
  charge: { attention: 0.3, noGo: 0.1 },
  /** A backup is due five minutes after the first fact without one. It is late after twice that time. */
  backupAge: { attention: 10 * MINUTE },
  busyShare: { attention: 0.3 },
} as const;

/**
 * Problems at CRMs and webhooks that staff should see. `waiting`: leads for a CRM or webhook that accepts no leads at
 * present. The others are as in `HealthCheck`.
 */
export type Concerns = {
  readonly waiting: number;
  readonly refused: number;
  readonly undecided: number;
  readonly broken: number;
};

export type HealthReading = {
  readonly now: number;
  readonly state: DeviceState;
  /** Host and port of the platform, or of the hub. */
  readonly host: string;
  readonly machine: MachineReading;
  readonly attachmentBytes: number;
  readonly elsewhere: Concerns;
  readonly backup: BackupState;
  readonly key: KeyState;
  /** How many facts of the previous version this version found. Null without a previous version. */
  readonly versionChange: VersionChange | null;
  /** When the latest fact was recorded, and the latest of this device itself. Null without any. */
  readonly lastFactAt: number | null;
  readonly lastOwnFactAt: number | null;
};

/** Pauses that end by themselves when the network returns. */
export const PASSES_BY_ITSELF: Readonly<Record<Pause, boolean>> = {
  offline: true,
  addressUnknown: true,
  noEvent: false,
  keyRefused: false,
  keyMissing: false,
  forbidden: false,
  noWritePermission: false,
  addressNotAllowed: false,
  wrongClock: false,
  takesNoScans: false,
  refusesAll: false,
  tls: false,
  wrongHub: false,
  notAPlatform: false,
};

const CARD_SERVICE: Readonly<Record<DeviceState['cardService'], Verdict>> = {
  up: 'good',
  /** Switched off on purpose. Scanners and cameras still work. */
  off: 'attention',
  starting: 'attention',
  absent: 'noGo',
  silent: 'noGo',
  failing: 'noGo',
};

/** The health of a device as it was read. */
export function judgeHealth(reading: HealthReading): Health {
  const checks = [
    judgeReader(reading),
    judgeTouchpoint(reading),
    judgeStorage(reading),
    judgeBackup(reading),
    judgeMirror(reading),
    judgeDelivery(reading),
    judgeKey(reading),
    judgeClock(reading),
    judgePower(reading),
    judgeVersion(reading),
    judgeInteractions(reading),
  ];
  return { verdict: worstOf(checks), at: reading.now, version: reading.state.version, checks };
}

/** The verdict of the worst check. */
export function worstOf(checks: readonly HealthCheck[]): Verdict {
  const has = (verdict: Verdict): boolean => checks.some((check) => check.verdict === verdict);
  if (has('noGo')) return 'noGo';
  return has('attention') ? 'attention' : 'good';
}

function judgeReader({ state }: HealthReading): HealthCheck {
  const readers = state.readers.length;
  const service = state.cardService;
  const lostNdef = state.lostNdef ?? 0;
  const isGone = service === 'up' && readers === 0;
  const intervals = state.readers.flatMap(({ name, interval }) =>
    interval === undefined ? [] : [{ reader: name, foundMs: interval.foundMs, everyMs: interval.everyMs }],
  );
  const verdict = isGone ? 'noGo' : CARD_SERVICE[service];
  return { name: 'reader', verdict, service, readers, lostNdef, intervals };
}

function judgeTouchpoint({ state }: HealthReading): HealthCheck {
  const fault = state.assignmentFault?.kind ?? null;
  return { name: 'touchpoint', verdict: fault === null ? 'good' : 'noGo', fault };
}

/** State of the storage, and its free space. */
export function judgeStorage({
  state,
  machine: { freeBytes, encryption },
  attachmentBytes = 0,
}: Pick<HealthReading, 'machine'> & {
  readonly attachmentBytes?: number;
  readonly state: Pick<DeviceState, 'storage'>;
}): HealthCheck {
  // Encryption is a hint without a verdict. Staff cannot encrypt a disk at the stand, and a warning that
  // never changes would hide the others.
  const room = below(freeBytes, HEALTH_BOUNDS.freeBytes);
  const held = beyond(attachmentBytes, HEALTH_BOUNDS.attachmentBytes);
  const verdict = state.storage === 'ok' ? (room === 'good' ? held : room) : 'noGo';
  return { name: 'storage', verdict, fault: state.storage, freeBytes, attachmentBytes, encryption };
}

function judgeBackup({ now, state, backup, lastFactAt }: HealthReading): HealthCheck {
  const { captured } = state.delivery;
  const isCovered = backup.facts >= captured;
  const isLate = lastFactAt === null || now - lastFactAt > HEALTH_BOUNDS.backupAge.attention;
  const verdict = isCovered || !isLate ? 'good' : 'attention';
  const missing = Math.max(0, captured - backup.facts);
  return { name: 'backup', verdict, newestAt: backup.newestAt, facts: backup.facts, missing };
}

function judgeMirror({ now, state }: HealthReading): HealthCheck {
  const { complete, lastPassAt, resources } = state.mirror;
  // A hub serves the attendance only to check-in devices.
  const isMissed = (name: string): boolean =>
    name !== 'participants' || state.hub == null || PURPOSES[state.purpose].checksIn;
  const refused = resources
    .filter((resource) => resource.refused === true && isMissed(resource.name))
    .map((resource) => ({ name: resource.name, lost: resource.complete }));
  const age = lastPassAt === null ? null : Math.max(0, now - lastPassAt);
  const aged = age === null || !complete ? 'noGo' : beyond(age, HEALTH_BOUNDS.mirrorAge);
  // The set-up reports a right that the key never had. A right that the key lost later is a fault.
  const verdict = aged === 'good' && refused.some(({ lost }) => lost) ? 'attention' : aged;
  return { name: 'mirror', verdict, complete, lastPassAt, refused };
}

function judgeDelivery({ state, host, elsewhere }: HealthReading): HealthCheck {
  const { pause, due, inFlight, uncertain, parked } = state.delivery;
  const { busyShare } = state;
  const isStuck = pause !== null && !PASSES_BY_ITSELF[pause];
  const isBusy = busyShare > HEALTH_BOUNDS.busyShare.attention;
  const { waiting: elsewhereWaiting, ...crm } = elsewhere;
  const isOpenElsewhere = Object.values(elsewhere).some((count) => count > 0);
  const asksForALook = pause !== null || parked > 0 || isOpenElsewhere || isBusy;
  const verdict = isStuck ? 'noGo' : asksForALook ? 'attention' : 'good';
  const waiting = due + inFlight + uncertain;
  return {
    ...{ name: 'delivery', verdict, pause, waiting, parked, busyShare, hub: hubOf(state, host) },
    elsewhere: elsewhereWaiting,
    crm,
  };
}

function hubOf({ hub, network, mirror }: DeviceState, host: string): HealthHub | null {
  if (hub === null || hub === undefined) return null;
  const { name, upstream, since } = hub;
  return network === 'offline'
    ? { name, host, state: 'silent', since: mirror.lastPassAt }
    : { name, host, state: upstream, since };
}

/**
 * A key in a file is not a fault, because most machines of a stand have no keychain. With an unreadable key nothing
 * is delivered.
 */
function judgeKey({ key }: HealthReading): HealthCheck {
  return { name: 'key', verdict: key.missing === null ? 'good' : 'noGo', ...key };
}

function judgeClock({ state }: HealthReading): HealthCheck {
  const { offsetMs, suspect, platformDoubted } = state.clock;
  const off = offsetMs === null ? 'good' : beyond(Math.abs(offsetMs), HEALTH_BOUNDS.clockOff);
  const own = platformDoubted ? 'attention' : off;
  return { name: 'clock', verdict: suspect ? 'noGo' : own, offsetMs, platformDoubted };
}

function judgePower({ machine: { power } }: HealthReading): HealthCheck {
  const { charge = null, plugged = null } = power ?? {};
  const verdict = plugged === true ? 'good' : below(charge, HEALTH_BOUNDS.charge);
  return { name: 'power', verdict, charge, plugged };
}

function judgeVersion({ state, versionChange }: HealthReading): HealthCheck {
  if (versionChange === null) return { name: 'version', verdict: 'good', change: null };
  // Facts that were recovered or erased later are counted as found.
  const found = Math.max(versionChange.found, Math.min(versionChange.left, state.delivery.captured));
  const verdict = found < versionChange.left ? 'noGo' : 'good';
  return { name: 'version', verdict, change: { ...versionChange, found } };
}

function judgeInteractions({ state, lastOwnFactAt }: HealthReading): HealthCheck {
  return { name: 'interactions', verdict: 'good', captured: state.delivery.captured, lastAt: lastOwnFactAt };
}

function beyond(value: number, bound: { readonly attention: number; readonly noGo: number }): Verdict {
  if (value > bound.noGo) return 'noGo';
  return value > bound.attention ? 'attention' : 'good';
}

function below(value: number | null, bound: { readonly attention: number; readonly noGo: number }): Verdict {
  if (value === null) return 'good';
  if (value < bound.noGo) return 'noGo';
  return value < bound.attention ? 'attention' : 'good';
}
