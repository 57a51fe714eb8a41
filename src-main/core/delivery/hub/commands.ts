/**
 * What the hub tells this device to do: reload its settings, be out of order or not any more, show its team a message.
 *
 * Invariants: a command is followed only when it was signed by the hub this device belongs to, for this device, and is not
 * over; its number is higher than that of any before, and is kept before a reload is begun, so that each is followed once;
 * out of order never keeps a tap from being captured.
 */
import { z } from 'zod';
import type { DeviceState } from '../../../contract/device.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import type { Settings } from '../../journal/facts/settings.ts';

/** What a hub can ask of a device. */
export type HubCommand =
  | { readonly kind: 'reload' }
  | { readonly kind: 'outOfOrder'; readonly on: boolean }
  | { readonly kind: 'message'; readonly text: string };

/** The command in a signed text; null where it is none for this device, or over at `now` (epoch milliseconds). */
export type OpenCommand = (
  text: string,
  now: number,
) => { readonly number: number; readonly issuedAt: number; readonly command: HubCommand } | null;

export type CommandPorts = {
  readonly open: OpenCommand;
  readonly settings: Pick<Settings, 'get' | 'set'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The hub's time minus ours in milliseconds; null while it is not known. */
  readonly clockOffset: () => number | null;
  /** Reads the settings of the stand anew. */
  readonly reload: () => void;
  readonly onChange: () => void;
  readonly log: Log;
};

export type HubCommands = {
  /** Follows those of the signed texts that are to be followed. */
  readonly take: (texts: readonly string[]) => void;
  /** Number of the last one that was followed; 0 before the first. */
  readonly last: () => number;
  /** What the screens are told. */
  readonly state: () => Pick<DeviceState, 'outOfOrder' | 'staffMessage'>;
  /** The team has read the message; false where there is none. */
  readonly putAway: () => boolean;
};

const messageSchema = z.object({ text: z.string(), at: z.number() });

/** The commands of one kiosk. */
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
        log.info('a command of the hub was followed', { kind: command.kind, number });
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
