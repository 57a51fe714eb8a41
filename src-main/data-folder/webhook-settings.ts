/**
 * Settings of the listener for the platform's notifications: `webhook.json` in the data folder. Without it there is
 * no listener.
 *
 * Invariants:
 * - an invalid file refuses the start with one sentence, because an unintended listener is worse than none;
 * - no sentence contains the secret.
 */
import { z } from 'zod';
import type { WebhookSettings } from '../core/event/webhook/receiver.ts';
import { readSettingsFile } from './settings-file.ts';

const schema = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.int().min(1).max(65_535),
  secret: z.string(),
  hooks: z.array(z.strictObject({ webhookId: z.string().min(1), resource: z.string().min(1) })).min(1),
  addresses: z.array(z.string()).nullable().default(null),
  proxy: z.string().nullable().default(null),
});

/** A hub registers its webhooks itself when it knows `url`, the public address of the receiver without the secret. */
const hubSchema = schema
  .extend({ hooks: schema.shape.hooks.optional(), url: z.url().optional() })
  .refine(({ hooks, url }) => hooks !== undefined || url !== undefined, { path: ['hooks'] });
export type HubWebhookSettings = Omit<WebhookSettings, 'hooks'> & {
  readonly hooks?: WebhookSettings['hooks'] | undefined;
  readonly url?: string | undefined;
};

/** The settings of a data folder, or null. @throws StartRefusal when the file exists and is invalid */
export function readWebhookSettings(folder: string): WebhookSettings | null {
  return readAs(folder, schema);
}

/** The settings of a hub's folder, or null. @throws StartRefusal when the file exists and is invalid */
export function readHubWebhookSettings(folder: string): HubWebhookSettings | null {
  return readAs(folder, hubSchema);
}

function readAs<Settings>(folder: string, shape: z.ZodType<Settings>): Settings | null {
  const file = readSettingsFile(folder, 'webhook.json');
  if (file === null) return null;
  const parsed = shape.safeParse(file.value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw file.wrong(`${first?.path.join('.') || 'its content'} is not as expected`);
}
