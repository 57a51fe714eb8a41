/**
 * What a device has of the hub in the hall beside delivery: it reports its state and follows commands.
 *
 * Invariant: composes and decides nothing; without a hub it does nothing at all.
 */
import type { DeviceState } from '../../../contract/device.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import type { Clock, Log, MachineReading, Random } from '../../foundations/ports.ts';
import type { Settings } from '../../journal/facts/settings.ts';
import type { Hub } from '../outbox/hub.ts';
import { createHubCommands, type HubCommands, type OpenCommand } from './commands.ts';
import { createPresence, type Presence } from './presence.ts';
import { reportOf } from './report.ts';

/** What a device that a hub set up has more than another. */
export type HubMeans = {
  readonly open: OpenCommand;
  /** Whether a file of a hub set this device up: then there is one, and it is asked for before anything was captured. */
  readonly belongs: () => boolean;
  /** Reads the settings of the stand anew, as after a set-up. */
  readonly reload: () => void;
};

export type ManagementPorts = {
  readonly means: HubMeans | null;
  readonly journal: { readonly settings: Settings; readonly lastTapAt: () => number | null };
  /** A client of its own: facts wait for no report. */
  readonly client: ApiClient;
  readonly hub: Pick<Hub, 'ask' | 'isThere'>;
  readonly state: () => DeviceState;
  readonly machine: () => MachineReading;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onChange: () => void;
};

export type Management = Pick<Presence, 'changed' | 'run'> & {
  readonly commands: Pick<HubCommands, 'state' | 'putAway'>;
  readonly close: () => Promise<void>;
};

/** How one kiosk is managed by its hub. */
export function createManagement(ports: ManagementPorts): Management {
  const { means, journal, client, hub, state, machine, clock } = ports;
  const commands = createHubCommands({
    ...ports,
    open: means?.open ?? (() => null),
    reload: means?.reload ?? (() => undefined),
    settings: journal.settings,
    clockOffset: client.clockOffset,
  });
  const since = clock.now();
  const presence = createPresence({
    ...ports,
    isAtHub: async (signal) => {
      if (!hub.isThere() && means?.belongs() === true) await hub.ask(signal);
      return hub.isThere();
    },
    read: () =>
      reportOf({
        ...{ state: state(), machine: machine(), at: clock.now(), since },
        lastTapAt: journal.lastTapAt(),
        command: commands.last(),
      }),
    onAnswer: (answer) => commands.take(answer.commands),
  });
  return { run: presence.run, changed: presence.changed, commands, close: client.close };
}
