/**
 * What a device has of the box in the hall beside delivery: it tells of itself and does what it is told.
 *
 * Invariant: composes and decides nothing; without a box it does nothing at all.
 */
import type { DeviceState } from '../../contract/device.ts';
import type { ApiClient } from '../api/client.ts';
import type { MachineReading } from '../health/health.ts';
import type { Settings } from '../journal/settings.ts';
import type { Clock, Log, Random } from '../ports.ts';
import { type BoxCommands, createBoxCommands, type OpenCommand } from './commands.ts';
import { createPresence, type Presence } from './presence.ts';
import { reportOf } from './report.ts';

/** What a device that a box set up has more than another. */
export type BoxMeans = {
  readonly open: OpenCommand;
  /** Reads the settings of the stand anew, as after a set-up. */
  readonly reload: () => void;
};

export type HallPorts = {
  readonly means: BoxMeans | null;
  readonly journal: { readonly settings: Settings; readonly lastTapAt: () => number | null };
  /** A client of its own: facts wait for no report. */
  readonly client: ApiClient;
  readonly isAtBox: () => boolean;
  readonly state: () => DeviceState;
  readonly machine: () => MachineReading;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onChange: () => void;
};

export type Hall = Pick<Presence, 'changed' | 'run'> & {
  readonly commands: Pick<BoxCommands, 'state' | 'putAway'>;
  readonly close: () => Promise<void>;
};

/** The hall of one kiosk. */
export function createHall(ports: HallPorts): Hall {
  const { means, journal, client, isAtBox, state, machine, clock } = ports;
  const commands = createBoxCommands({
    ...ports,
    open: means?.open ?? (() => null),
    reload: means?.reload ?? (() => undefined),
    settings: journal.settings,
    clockOffset: client.clockOffset,
  });
  const since = clock.now();
  const presence = createPresence({
    ...{ ...ports, isAtBox },
    read: () =>
      reportOf({
        ...{ state: state(), machine: machine(), at: clock.now(), since, bellKey: null },
        lastTapAt: journal.lastTapAt(),
        command: commands.last(),
      }),
    onAnswer: ({ commands: texts }) => commands.take(texts),
  });
  return { run: presence.run, changed: presence.changed, commands, close: client.close };
}
