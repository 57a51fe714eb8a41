/**
 * Reads the state of device and stand for screens, commands and the updater, even while the disk fails.
 *
 * Invariants:
 * - After the first reading, a fault of the database gives the last known value. The state also names the fault.
 * - The start and the end of a fault are logged once each.
 */
import type { DeviceState, Storage } from '../../../contract/device.ts';
import type { Health, KeyState } from '../../../contract/health.ts';
import type { Stand } from '../../../contract/stand.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import { knownEvent } from '../../event/sync/event.ts';
import type { Log, MachineReading } from '../../foundations/ports.ts';
import { storageFault } from '../../foundations/store/database.ts';
import { whyOf } from '../../foundations/trace.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import { createBackupReader } from '../../journal/recovery/backup.ts';
import type { VersionChange } from '../../journal/recovery/version-note.ts';
import { readDeviceState, type StateSources } from './device-state.ts';
import { type Concerns, judgeHealth } from './health.ts';

type ReadingPorts = {
  readonly sources: StateSources;
  readonly stand: () => Stand;
  /** Host and port of the platform or of the hub, as used now. */
  readonly host: () => string;
  /** Reports the state of the machine. */
  readonly machine: () => MachineReading;
  /** Source of the platform key. */
  readonly key: () => KeyState;
  readonly versionChange: VersionChange | null;
  /** Bytes of the photos and voice notes. */
  readonly attachmentBytes: () => number;
  /** Problems at CRMs and webhooks that staff should see. */
  readonly elsewhere: () => Concerns;
  /** The data folder. */
  readonly folder: string;
  readonly log: Log;
};

type Reading = {
  readonly state: () => DeviceState;
  readonly stand: () => Stand;
  readonly health: () => Health;
};

/** Reads state, stand and health on request. @throws the error of the first reading */
export function createReading({
  sources,
  stand,
  host,
  machine,
  attachmentBytes,
  key,
  versionChange,
  elsewhere,
  folder,
  log,
}: ReadingPorts): Reading {
  const readState = createSafeReader('the state of the device', () => readDeviceState(sources), log);
  const readStand = createSafeReader('the stand', stand, log);
  const backup = createBackupReader(folder);
  const readLastFactAt = createSafeReader('the latest fact', sources.journal.lastFactAt, log);
  const readLastOwnFactAt = createSafeReader(
    'the latest fact of this device',
    sources.journal.lastOwnFactAt,
    log,
  );
  const readAttachmentBytes = createSafeReader('the photos and voice notes', attachmentBytes, log);
  const readElsewhere = createSafeReader('the concerns at destinations', elsewhere, log);
  const state = (): DeviceState => {
    const { value, fault } = readState();
    return fault === null ? value : { ...value, storage: fault };
  };
  const health = (): Health =>
    judgeHealth({
      now: sources.clock.now(),
      host: host(),
      state: state(),
      machine: machine(),
      attachmentBytes: readAttachmentBytes().value,
      elsewhere: readElsewhere().value,
      backup: backup(),
      key: key(),
      versionChange,
      lastFactAt: readLastFactAt().value,
      lastOwnFactAt: readLastOwnFactAt().value,
    });
  return { state, stand: () => readStand().value, health };
}

/** Returns the current value, or the last known value and the fault. */
type SafeReading<Value> = { readonly value: Value; readonly fault: Exclude<Storage, 'ok'> | null };

/**
 * Reads the value now and at each call. If a later read fails, the last value is returned. `what` is its name in the
 * log.
 * @throws the error of the first `read`
 */
function createSafeReader<Value>(what: string, read: () => Value, log: Log): () => SafeReading<Value> {
  let value = read();
  let isFaulty = false;
  return () => {
    try {
      value = read();
      if (isFaulty) log.info(`${what} can be read again`);
      isFaulty = false;
      return { value, fault: null };
    } catch (error) {
      if (!isFaulty) log.error(`${what} cannot be read`, { error: whyOf(error) });
      isFaulty = true;
      return { value, fault: storageFault(error) ?? 'failing' };
    }
  };
}

/** Times in Unix milliseconds. `waiting`: facts that are due, in flight or uncertain. */
export type UpdateMoment = {
  readonly fair: { readonly start: number; readonly end: number } | 'unknown';
  readonly lastFactAt: number | null;
  readonly waiting: number;
};

/** The state of the stand for an updater. */
export function readUpdateMoment(journal: Journal, mirror: Mirror): UpdateMoment {
  const { start = null, end = null } = knownEvent(mirror) ?? {};
  const { due, in_flight, uncertain } = journal.outbox.counts();
  return {
    fair: start === null || end === null ? 'unknown' : { start, end },
    lastFactAt: journal.lastFactAt(),
    waiting: due + in_flight + uncertain,
  };
}
