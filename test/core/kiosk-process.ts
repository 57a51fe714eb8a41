/**
 * Controls the device of `kiosk-child.ts` for tests: tap, receive, kill, restart.
 *
 * Invariant: the device ends with the test.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { TapEvent } from '../../src-main/contract/tap.ts';
import { until } from './fixture.ts';
import type { PlatformProcess } from './platform-process.ts';

type Disk = 'broken' | 'whole';

type Message = {
  readonly event?: TapEvent;
  readonly state?: DeviceState;
  readonly log?: string;
  readonly what?: string;
  readonly disk?: Disk;
};

export type KioskProcess = {
  /** Taps a badge and returns the outcome for the screen. */
  readonly tap: (uid: string) => Promise<TapEvent>;
  /** Moves the device's clock forward. Sleepers do not wake. */
  readonly pass: (ms: number) => void;
  readonly state: () => DeviceState | null;
  readonly errors: readonly string[];
  /** From now on every read and write of the databases fails (EIO, as SQLite reports it). */
  readonly breakDisk: () => Promise<void>;
  /** From now on the disk works again. */
  readonly mendDisk: () => Promise<void>;
  readonly isAlive: () => boolean;
  readonly kill: () => Promise<void>;
};

/** Starts a device in `folder` against the platform. */
export const startKiosk = async (
  folder: string,
  platform: Pick<PlatformProcess, 'baseUrl' | 'key' | 'expoId'>,
): Promise<KioskProcess> => {
  const entry = join(import.meta.dirname, 'kiosk-child.ts');
  const child: ChildProcess = fork(entry, [folder, platform.baseUrl, platform.key, platform.expoId], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const outcomes: TapEvent[] = [];
  const errors: string[] = [];
  let state: DeviceState | null = null;
  let disk: Disk = 'whole';
  child.on('message', (message: Message) => {
    if (message.event !== undefined && !['reading', 'removed'].includes(message.event.kind))
      outcomes.push(message.event);
    if (message.state !== undefined) state = message.state;
    if (message.disk !== undefined) disk = message.disk;
    if (message.log === 'error') errors.push(message.what ?? '');
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  const turnDisk = async (wanted: Disk): Promise<void> => {
    child.send({ disk: wanted });
    await until(`the disk is ${wanted}`, () => disk === wanted);
  };
  await until('the kiosk runs', () => state !== null);
  return {
    tap: async (uid) => {
      const before = outcomes.length;
      child.send({ tap: uid });
      await until(`the tap of ${uid} has an outcome`, () => outcomes.length > before);
      const outcome = outcomes[before];
      if (outcome === undefined) throw new Error('Expected an outcome');
      return outcome;
    },
    pass: (ms) => void child.send({ pass: ms }),
    state: () => state,
    errors,
    breakDisk: () => turnDisk('broken'),
    mendDisk: () => turnDisk('whole'),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    kill,
  };
};
