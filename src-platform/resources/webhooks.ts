/**
 * Webhook management: `/webhooks/{expoId}`. The fields and paths are our answer to a silence; the types, the states
 * and the rule that no write permission is needed are documented (sections "Webhook types", "Webhook state",
 * "Authentication" 5).
 *
 * Invariants
 * - Only delivery moves a webhook to `error`; only a PUT brings it back to `wait`, and then attempts start again.
 * - A webhook never changes its type: its marks belong to the lists of that type.
 */
import { z } from 'zod';
import { rejectedField } from '../http/errors.ts';
import { id, instant, longText, revision } from './fields.ts';
import { type Resource, webhookTypes } from './resource.ts';

const target = () =>
  z
    .url({ protocol: /^https?$/, message: 'must be an http or https address' })
    .max(2000)
    .refine((value) => {
      const url = URL.parse(value);
      return url !== null && url.username === '' && url.password === '';
    }, 'must not contain a user name or password');

const state = z.enum(['wait', 'error']);

export const webhooks: Resource = {
  kind: 'webhook',
  folder: 'webhooks',
  noun: 'webhook',
  parameter: 'webhookId',
  basic: z.object({
    id: id(),
    expoID: id(),
    type: z.enum(webhookTypes),
    url: target(),
    enabled: z.boolean(),
    state,
    attempts: z.int(),
    lastAttempt: instant().optional(),
    lastError: longText().optional(),
    revision: revision(),
  }),
  body: z.object({
    type: z.enum(webhookTypes),
    url: target(),
    enabled: z.boolean().default(true),
    state: state.optional(),
  }),
  state: 'state',
  category: 'type',
  list: { most: 100, filters: {}, showDeleted: false, documented: false },
  reads: { documented: false },
  writes: {
    documented: false,
    create: true,
    update: true,
    remove: 'empty',
    right: 'webhooks',
    rules: {
      complete: (_context, body, previous) => {
        const before = previous?.doc ?? { state: 'wait', attempts: 0 };
        if (previous && body.type !== before.type) {
          throw rejectedField('type', 'readOnly', 'The type of a webhook cannot be changed');
        }
        if (body.state === 'error' && before.state !== 'error') {
          throw rejectedField('state', 'notAllowed', 'A webhook can only be set to: wait');
        }
        const { lastAttempt, lastError, attempts } = before;
        const given = { type: body.type, url: body.url, enabled: body.enabled, lastAttempt };
        const isReset = body.state === 'wait' && before.state === 'error';
        return isReset
          ? { ...given, state: 'wait', attempts: 0 }
          : { ...given, state: before.state, attempts, lastError };
      },
      follow: async ({ write }, doc) => {
        if (doc.deleted !== true) return;
        await write.db.deleteFrom('webhook_mark').where('webhook_id', '=', String(doc.id)).execute();
      },
    },
  },
};
