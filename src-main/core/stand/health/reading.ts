/**
 * What screens and commands are told of device and stand, also while the disk answers with faults.
 *
 * Invariant: asking never throws; what could not be read is what was last known, with the fault beside it.
 */
import type { DeviceState } from '../../../contract/device.ts';
import type { Health, KeyState } from '../../../contract/health.ts';
import type { Stand } from '../../../contract/stand.ts';
import type { Log, MachineReading } from '../../foundations/ports.ts';
import { createBackupReader } from '../../journal/recovery/backup.ts';
import type { VersionChange } from '../../journal/recovery/version-note.ts';
import { readDeviceState, type StateSources } from './device-state.ts';
import { judgeHealth } from './health.ts';
import { createSafeReader } from './safe-reader.ts';

export type ReadingPorts = {
  readonly sources: StateSources;
  readonly stand: () => Stand;
  /** Host and port of the platform, or of the hub before it, as it is asked now. */
  readonly host: () => string;
  /** What the machine tells of itself. */
  readonly machine: () => MachineReading;
  /** Where the key to the platform is. */
  readonly key: () => KeyState;
  readonly versionChange: VersionChange | null;
  /** The data folder. */
  readonly folder: string;
  readonly log: Log;
};

export type Reading = {
  readonly state: () => DeviceState;
  readonly stand: () => Stand;
  readonly health: () => Health;
};

/** Reads state, stand and health when asked. @throws what the first reading throws */
export function createReading({
  sources,
  stand,
  host,
  machine,
  key,
  versionChange,
  folder,
  log,
}: ReadingPorts): Reading {
  const readState = createSafeReader('the state of the device', () => readDeviceState(sources), log);
  const readStand = createSafeReader('the stand', stand, log);
  const backup = createBackupReader(folder);
  const readLastFactAt = createSafeReader('the latest fact', sources.journal.lastFactAt, log);
  const readLastOwnFactAt = createSafeReader(
    'the latest fact of its own',
    sources.journal.lastOwnFactAt,
    log,
  );
  const state = (): DeviceState => {
    const { value, fault } = readState();
    return fault === null ? value : { ...value, storage: fault };
  };
  const health = (): Health =>
    judgeHealth({
      ...{ now: sources.clock.now(), host: host(), state: state(), machine: machine(), backup: backup() },
      key: key(),
      versionChange,
      lastFactAt: readLastFactAt().value,
      lastOwnFactAt: readLastOwnFactAt().value,
    });
  return { state, stand: () => readStand().value, health };
}
