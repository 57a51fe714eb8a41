/**
 * What a device has of the box in the hall beside delivery: it tells of itself, does what it is told and hears its bell.
 *
 * Invariant: composes and decides nothing; without a box it does nothing at all.
 */
import type { DeviceState } from '../../contract/device.ts';
import type { ApiClient } from '../api/client.ts';
import { type Bell, type BellPorts, createBell } from '../bell/bell.ts';
import { reachedFrom } from '../bell/ring.ts';
import type { MachineReading } from '../health/health.ts';
import type { Settings } from '../journal/settings.ts';
import type { Box } from '../outbox/box.ts';
import type { Clock, Log, Random } from '../ports.ts';
import { type BoxCommands, createBoxCommands, type OpenCommand } from './commands.ts';
import { createPresence, type Presence } from './presence.ts';
import { reportOf } from './report.ts';

/** What a device that a box set up has more than another. */
export type BoxMeans = {
  readonly open: OpenCommand;
  /** Whether a file of a box set this device up: then there is one, and it is asked for before anything was captured. */
  readonly belongs: () => boolean;
  /** Reads the settings of the stand anew, as after a set-up. */
  readonly reload: () => void;
};

export type ManagementPorts = {
  readonly means: BoxMeans | null;
  readonly journal: { readonly settings: Settings; readonly lastTapAt: () => number | null };
  /** A client of its own: facts wait for no report. */
  readonly client: ApiClient;
  readonly box: Pick<Box, 'ask' | 'isThere'>;
  /** Host at which the box is reached now. */
  readonly host: () => string;
  readonly state: () => DeviceState;
  readonly machine: () => MachineReading;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onChange: () => void;
  /** What a ring of the box is to bring forward. */
  readonly bell: Pick<BellPorts, 'onChanged' | 'onDoubt' | 'onTeam'>;
};

export type Management = Pick<Presence, 'changed' | 'run'> & {
  readonly bell: Pick<Bell, 'isHeard' | 'run'>;
  readonly commands: Pick<BoxCommands, 'state' | 'putAway'>;
  readonly close: () => Promise<void>;
};

/** How one kiosk is managed by its box. */
export function createManagement(ports: ManagementPorts): Management {
  const { means, journal, client, box, state, machine, clock } = ports;
  const commands = createBoxCommands({
    ...ports,
    open: means?.open ?? (() => null),
    reload: means?.reload ?? (() => undefined),
    settings: journal.settings,
    clockOffset: client.clockOffset,
  });
  const since = clock.now();
  const bell = createBell({ ...ports, ...ports.bell, onAsked: () => presence.asked() });
  const bellState = () => {
    const key = bell.publicKey();
    return key === null ? null : { key, heard: bell.isHeard() };
  };
  const presence = createPresence({
    ...ports,
    isAtBox: async (signal) => {
      if (!box.isThere() && means?.belongs() === true) await box.ask(signal);
      if (box.isThere()) await bell.prepare();
      return box.isThere();
    },
    read: () =>
      reportOf({
        ...{ state: state(), machine: machine(), at: clock.now(), since },
        lastTapAt: journal.lastTapAt(),
        ...{ command: commands.last(), bell: bellState() },
      }),
    onAnswer: ({ commands: texts, bell: address }) => {
      commands.take(texts);
      bell.told(address === null ? null : reachedFrom(address, ports.host()));
    },
  });
  return { run: presence.run, changed: presence.changed, bell, commands, close: client.close };
}
