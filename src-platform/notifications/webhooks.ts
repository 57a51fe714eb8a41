/**
 * Webhook management: `/webhooks/{expoId}`. The fields and paths fill a gap in the interface
 * (docs/interface/undocumented.md#webhook); the types, the states and the rule that no write permission is needed are
 * documented (docs/interface/webhooks.md#types, docs/interface/states.md#webhook-states,
 * docs/interface/authentication.md#rights).
 *
 * Invariants
 * - Only delivery moves a webhook to `error`; only a PUT brings it back to `wait`, and then deliveries start again.
 * - A webhook belongs to the key that made it, because its address may contain a secret.
 * - A webhook never changes its type: its marks belong to the lists of that type.
 */
import { z } from 'zod';
import { rejectedField } from '../http/errors.ts';
import { id, instant, longText, revision } from '../resources/fields.ts';
import { type Resource, webhookTypes } from '../resources/resource.ts';
import type { Doc } from '../store/records.ts';
import { closeDelivery, openDelivery, restartDelivery } from './deliveries.ts';
import { mayBeCalled } from './target.ts';

function target() {
  return z
    .url({ protocol: /^https?$/, message: 'must be an http or https address' })
    .max(2000)
    .refine((value) => {
      const url = URL.parse(value);
      return url !== null && url.username === '' && url.password === '';
    }, 'must not contain a user name or password');
}

const state = z.enum(['wait', 'error']);

/** A changed address, `enabled` or state starts a new round of notifications. Any other change does not. */
function startsOver(before: Doc, now: Doc): boolean {
  return ['url', 'enabled', 'state'].some((name) => before[name] !== now[name]);
}

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
  updateBody: z.object({
    type: z.enum(webhookTypes).optional(),
    url: target().optional(),
    enabled: z.boolean().optional(),
    state: state.optional(),
  }),
  examples: {
    create: { type: 'visitor', url: 'https://consumer.example.org/news', enabled: false },
    update: { state: 'wait' },
  },
  belongsToKey: true,
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
    updateMeaning:
      'Changes only the fields in the body: `{ "state": "wait" }` or `{ "enabled": false }` alone is enough. The state `wait` restarts the notifications after an error.',
    rules: {
      complete: (context, changes, previous) => {
        const body = { ...previous?.doc, ...changes };
        if (!context.allowPrivateTargets && !mayBeCalled(String(body.url))) {
          throw rejectedField('url', 'notAllowed', 'The address must be a public one');
        }
        if (!previous && body.type === 'connection' && !context.mayReadConnections) {
          throw rejectedField('type', 'notAllowed', 'This key may not read connections');
        }
        const before = previous?.doc ?? { state: 'wait', attempts: 0 };
        if (previous && body.type !== before.type) {
          throw rejectedField('type', 'readOnly', 'The type of a webhook cannot be changed');
        }
        if (changes.state === 'error' && before.state !== 'error') {
          throw rejectedField('state', 'notAllowed', 'A webhook can only be set to: wait');
        }
        const { lastAttempt, lastError, attempts } = before;
        const given = { type: body.type, url: body.url, enabled: body.enabled, lastAttempt };
        const isReset = changes.state === 'wait' && before.state === 'error';
        if (isReset) return { ...given, state: 'wait', attempts: 0 };
        const complete = { ...given, state: before.state };
        return previous && startsOver(before, complete)
          ? { ...complete, attempts: 0 }
          : { ...complete, attempts, lastError };
      },
      follow: async ({ write }, doc, previous) => {
        if (doc.deleted === true) await closeDelivery(write.db, String(doc.id));
        else if (!previous) await openDelivery(write.db, doc);
        else if (startsOver(previous.doc, doc)) await restartDelivery(write.db, doc);
      },
    },
  },
};
