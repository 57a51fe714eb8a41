/**
 * How a hub manages a device, apart from delivery: the device reports its state and runs commands.
 *
 * Invariant: it only connects the parts and contains no rules. Without a hub it does nothing.
 */
import type { DeviceState } from '../../../contract/device.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import type { Clock, Log, MachineReading, Random } from '../../foundations/ports.ts';
import type { Settings } from '../../journal/facts/settings.ts';
import type { Hub } from '../outbox/hub.ts';
import { createHubCommands, type HubCommands, type OpenCommand } from './commands.ts';
import { createPresence, type Presence } from './presence.ts';
import { reportOf } from './report.ts';

/** The result of a set-up by a hub. */
export type HubMembership = {
  readonly open: OpenCommand;
  /** Whether a hub's file set up this device. Then the device contacts the hub before it captures anything. */
  readonly belongs: () => boolean;
  /** Reads the settings of the stand again, as after a set-up. */
  readonly reload: () => void;
};

type ManagementPorts = {
  readonly membership: HubMembership | null;
  readonly journal: { readonly settings: Settings; readonly lastTapAt: () => number | null };
  /** A separate client, so that no fact waits for a report. */
  readonly client: ApiClient;
  readonly hub: Pick<Hub, 'ask' | 'isThere'>;
  readonly state: () => DeviceState;
  readonly machine: () => MachineReading;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onChange: () => void;
};

type Management = Pick<Presence, 'changed' | 'run'> & {
  readonly commands: Pick<HubCommands, 'state' | 'putAway' | 'take'>;
  readonly close: () => Promise<void>;
};

/** The management of one device by its hub. */
export function createManagement({
  membership,
  journal,
  client,
  hub,
  state,
  machine,
  clock,
  random,
  log,
  onChange,
}: ManagementPorts): Management {
  const commands = createHubCommands({
    open: membership?.open ?? (() => null),
    settings: journal.settings,
    clock,
    clockOffset: client.clockOffset,
    reload: membership?.reload ?? (() => undefined),
    onChange,
    log,
  });
  const since = clock.now();
  const presence = createPresence({
    client,
    clock,
    random,
    log,
    isAtHub: async (signal) => {
      if (!hub.isThere() && membership?.belongs() === true) await hub.ask(signal);
      return hub.isThere();
    },
    read: () =>
      reportOf({
        state: state(),
        machine: machine(),
        at: clock.now(),
        since,
        lastTapAt: journal.lastTapAt(),
        command: commands.last(),
      }),
    onAnswer: (answer) => commands.take(answer.commands),
  });
  return { run: presence.run, changed: presence.changed, commands, close: client.close };
}
