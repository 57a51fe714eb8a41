/**
 * Commands of the hub to this device: reload the settings, switch out-of-order mode on or off, show a message to the
 * team.
 *
 * Invariants:
 * - A command runs only if the hub of this device signed it for this device and it has not expired.
 * - The number of a command must be higher than all earlier ones. The number is stored before a reload starts, so
 *   each command runs at most once.
 * - An out-of-order device still captures every tap.
 */
import { z } from 'zod';
import type { DeviceState } from '../../../contract/device.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import type { Settings } from '../../journal/facts/settings.ts';

/** A command that a hub can send to a device. */
export type HubCommand =
  | { readonly kind: 'reload' }
  | { readonly kind: 'outOfOrder'; readonly on: boolean }
  | { readonly kind: 'message'; readonly text: string };

/** The command in a signed text. Null if it is not valid for this device, or expired at `now` (Unix milliseconds). */
export type OpenCommand = (
  text: string,
  now: number,
) => { readonly number: number; readonly issuedAt: number; readonly command: HubCommand } | null;

type CommandPorts = {
  readonly open: OpenCommand;
  readonly settings: Pick<Settings, 'get' | 'set'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The hub's time minus the device's in milliseconds. Null while unknown. */
  readonly clockOffset: () => number | null;
  /** Reads the settings of the stand again. */
  readonly reload: () => void;
  readonly onChange: () => void;
  readonly log: Log;
};

export type HubCommands = {
  /** Verifies the signed texts and runs the valid commands. */
  readonly take: (texts: readonly string[]) => void;
  /** Number of the last command that ran. 0 before the first. */
  readonly last: () => number;
  /** The state for the screens. */
  readonly state: () => Pick<DeviceState, 'outOfOrder' | 'staffMessage'>;
  /** Dismisses the message for the team. Returns false if there is none. */
  readonly putAway: () => boolean;
};

const messageSchema = z.object({ text: z.string(), at: z.number() });

/** The commands of one device. */
export function createHubCommands(ports: CommandPorts): HubCommands {
  const { open, settings, clock, clockOffset, reload, onChange, log } = ports;
  const last = (): number => Number(settings.get('boxCommand') ?? 0) || 0;

  const follow = (command: HubCommand, at: number): void => {
    switch (command.kind) {
      case 'reload':
        reload();
        break;
      case 'outOfOrder':
        settings.set('outOfOrder', command.on ? 'yes' : '');
        break;
      case 'message':
        settings.set('boxMessage', JSON.stringify({ text: command.text, at }));
        break;
    }
  };

  return {
    last,
    take: (texts) => {
      const now = clock.now() + (clockOffset() ?? 0);
      const opened = texts.flatMap((text) => open(text, now) ?? []);
      for (const { number, issuedAt, command } of opened.toSorted((a, b) => a.number - b.number)) {
        if (number <= last()) continue;
        settings.set('boxCommand', String(number));
        follow(command, issuedAt);
        log.info('a command of the hub was executed', { kind: command.kind, number });
      }
      if (opened.length > 0) onChange();
    },
    state: () => ({
      outOfOrder: settings.get('outOfOrder') === 'yes',
      staffMessage: messageSchema.safeParse(parseOrUndefined(settings.get('boxMessage') ?? '')).data ?? null,
    }),
    putAway: () => {
      if (!settings.get('boxMessage')) return false;
      settings.set('boxMessage', '');
      onChange();
      return true;
    },
  };
}
