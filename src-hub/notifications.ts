/**
 * Notifications of the platform at a hub: they bring its next round forward; polling stays underneath.
 *
 * Invariant: whatever becomes of the listener, the hub serves; only settings that cannot be understood stop its start.
 */
import { createWebhookReceiver, type ReceiverPorts } from '../src-main/core/event/webhook/receiver.ts';
import { readWebhookSettings } from '../src-main/data-folder/webhook-settings.ts';

export type NotificationPorts = Pick<ReceiverPorts, 'expoId' | 'clock' | 'log' | 'poll'> & {
  readonly say: (sentence: string) => void;
};

export type Notifications = {
  readonly start: (ports: NotificationPorts) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** What `webhook.json` in the data folder of a hub wants. @throws StartRefusal where it cannot be understood */
export function openNotifications(folder: string): Notifications {
  const settings = readWebhookSettings(folder);
  let stop = async (): Promise<void> => undefined;
  return {
    start: async ({ expoId, clock, log, poll, say }) => {
      if (settings === null) return;
      const receiver = createWebhookReceiver({ settings, expoId, clock, log, poll });
      stop = receiver.stop;
      await receiver.start().catch((error: unknown) => {
        say(
          `Notifications of the platform cannot be listened for (${String(error)}); the hub asks it every ten seconds.`,
        );
      });
    },
    stop: () => stop(),
  };
}
