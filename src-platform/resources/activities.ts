/**
 * Activities: presentations, workshops and similar on the schedule of an event.
 *
 * Invariant: an activity does not end before it starts.
 */
import { z } from 'zod';
import { rejectedField } from '../http/errors.ts';
import { id, instant, longText, revision, text } from './fields.ts';
import { labelsMustExist } from './references.ts';
import type { Resource } from './resource.ts';

const activityFields = {
  name: text(),
  type: z.enum(['session', 'seminar', 'workshop', 'presentation', 'keynote', 'other']),
  start: instant(),
  end: instant(),
  location: text().optional(),
  access: z.enum(['open', 'signup', 'restricted']),
};

const activityExtra = z.object({
  description: longText().optional(),
  speakers: z.array(text()).max(100).default([]),
  capacity: z.int().min(0).max(1_000_000).optional(),
  labels: z.array(id()).max(200).default([]),
});

/** Presentations, workshops and similar. */
export const activities: Resource = {
  kind: 'activity',
  folder: 'activities',
  noun: 'activity',
  parameter: 'activityId',
  ofCompany: 'event',
  basic: z.object({
    id: id(),
    expoID: id(),
    ...activityFields,
    revision: revision(),
    deleted: z.literal(true).optional(),
  }),
  extra: activityExtra.extend({ speakers: z.array(text()), labels: z.array(id()) }),
  body: z.object({ ...activityFields, ...activityExtra.shape }),
  keepsUnknown: true,
  examples: {
    create: {
      name: 'Opening keynote',
      type: 'keynote',
      start: '2026-11-24T08:00:00Z',
      end: '2026-11-24T08:45:00Z',
      location: 'Forum North',
      access: 'open',
      speakers: ['Dr. Käthe Brandt'],
    },
    update: {
      name: 'Opening keynote, later',
      type: 'keynote',
      start: '2026-11-24T09:00:00Z',
      end: '2026-11-24T09:45:00Z',
      access: 'open',
    },
  },
  keepsDeleted: true,
  list: { most: 100, filters: {}, showDeleted: true, webhooks: ['content', 'activity'], documented: true },
  reads: { documented: true },
  writes: {
    documented: true,
    create: true,
    update: true,
    remove: 'empty',
    rules: {
      complete: async (context, body, previous) => {
        if (String(body.end) < String(body.start)) {
          throw rejectedField('end', 'beforeStart', 'An activity ends after it starts');
        }
        await labelsMustExist(context, body, previous);
        return body;
      },
    },
  },
};
