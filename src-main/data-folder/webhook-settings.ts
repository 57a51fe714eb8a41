/**
 * Whether notifications of the platform are listened for: `webhook.json` in the data folder. Off without it.
 *
 * Invariants: a file that cannot be understood stops the start with one sentence, because a listener that is not what
 * its owner meant is worse than none; the secret is never repeated in a sentence.
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

/** The settings of a data folder, or null. @throws StartRefusal when the file is there and wrong */
export function readWebhookSettings(folder: string): WebhookSettings | null {
  const file = readSettingsFile(folder, 'webhook.json');
  if (file === null) return null;
  const parsed = schema.safeParse(file.value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw file.wrong(`${first?.path.join('.') || 'its content'} is not as expected`);
}
