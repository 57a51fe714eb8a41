/**
 * Receives the platform's notifications at a hub, for webhooks that are in its settings or that it registered itself
 * (`webhooks.ts`).
 */
import { createAdmission } from '../src-main/core/event/webhook/authentication.ts';
import { createWebhookReceiver, type WebhookSettings } from '../src-main/core/event/webhook/receiver.ts';
import type { Clock, Log, PollNow } from '../src-main/core/foundations/ports.ts';
import { type HubWebhookSettings, readHubWebhookSettings } from '../src-main/data-folder/webhook-settings.ts';
import type { Bridge } from './bridge.ts';

/**
 * The settings of the receiver; null if there are none. @throws TypeError if its secret is weak, which stops the
 * start
 */
export function readWebhook(data: string, expoId: string): HubWebhookSettings | null {
  const webhook = readHubWebhookSettings(data);
  if (webhook !== null) createAdmission(expoId, { ...webhook, hooks: webhook.hooks ?? [] });
  return webhook;
}

export type Notifications = {
  /** Receives notifications if the settings contain webhooks. */
  readonly start: () => Promise<void>;
  /** Registers at the platform and then receives notifications, if the settings contain an address but no webhook. */
  readonly register: (bridge: Pick<Bridge, 'registerWebhooks'>, signal: AbortSignal) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** The notifications of one hub. `say` receives a sentence for a person. */
export function createNotifications({
  webhook,
  expoId,
  poll,
  clock,
  log,
  say,
}: {
  readonly webhook: HubWebhookSettings | null;
  readonly expoId: string;
  readonly poll: PollNow;
  readonly clock: Clock;
  readonly log: Log;
  readonly say: (sentence: string) => void;
}): Notifications {
  let receiver: ReturnType<typeof createWebhookReceiver> | null = null;
  const receive = async (settings: WebhookSettings): Promise<void> => {
    if (receiver !== null) return;
    receiver = createWebhookReceiver({ settings, expoId, clock, log, poll });
    await receiver.start().catch((error: unknown) => {
      say(
        `The hub cannot listen for notifications of the platform (${String(error)}); the hub polls it every ten seconds.`,
      );
    });
  };
  return {
    start: async () => {
      if (webhook?.hooks !== undefined) await receive({ ...webhook, hooks: webhook.hooks });
    },
    register: async (bridge, signal) => {
      if (webhook?.url === undefined || webhook.hooks !== undefined) return;
      const address = `${webhook.url.replace(/\/+$/, '')}/${webhook.secret}`;
      const hooks = await bridge.registerWebhooks(address, say, signal);
      if (hooks.length > 0 && !signal.aborted) await receive({ ...webhook, hooks });
    },
    stop: async () => receiver?.stop(),
  };
}
