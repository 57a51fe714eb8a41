/**
 * The resources with little behaviour of their own: activities, labels and licences are here as data; what they forbid is said beside them.
 */
import { z } from 'zod';
import { rejectedField } from '../http/errors.ts';
import { id, instant, longText, queryText, revision, text } from './fields.ts';
import { labelsMustExist, mustExist } from './references.ts';
import type { Resource } from './resource.ts';

const activityFields = {
  name: text(),
  type: z.enum(['session', 'seminar', 'workshop', 'presentation', 'other']),
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
  basic: z.object({
    id: id(),
    expoID: id(),
    ...activityFields,
    revision: revision(),
    deleted: z.literal(true).optional(),
  }),
  extra: activityExtra.extend({ speakers: z.array(text()), labels: z.array(id()) }),
  body: z.object({ ...activityFields, ...activityExtra.shape }),
  keepsDeleted: true,
  list: { most: 100, filters: {}, showDeleted: true, webhook: 'content', documented: true },
  reads: { documented: true },
  writes: {
    documented: true,
    create: true,
    update: true,
    remove: 'empty',
    rules: {
      complete: async (context, body) => {
        if (String(body.end) < String(body.start)) {
          throw rejectedField('end', 'beforeStart', 'An activity ends after it starts');
        }
        await labelsMustExist(context, body);
        return body;
      },
    },
  },
};

const labelFields = {
  name: text(),
  color: z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must look like #rrggbb'),
  types: z
    .array(z.enum(['profile', 'product']))
    .min(1)
    .max(2),
};

/** Coloured words that profiles and products are sorted by. */
export const labels: Resource = {
  kind: 'label',
  folder: 'labels',
  noun: 'label',
  parameter: 'labelId',
  basic: z.object({
    id: id(),
    expoID: id(),
    ...labelFields,
    revision: revision(),
    deleted: z.literal(true).optional(),
  }),
  body: z.object(labelFields),
  keepsDeleted: true,
  list: { most: 100, filters: {}, showDeleted: true, documented: true },
  reads: { documented: true },
  writes: {
    documented: true,
    create: true,
    update: true,
    remove: 'empty',
    rules: { complete: (_context, body) => body },
  },
};

const licenseType = z.enum(['touchpoint', 'scan', 'badge', 'app']);
const activationMax = z.int().min(0).max(1_000_000);

/** What a partner bought; `activations` counts what was started with it (operation rule 2). */
export const licenses: Resource = {
  kind: 'license',
  folder: 'licenses',
  noun: 'license',
  parameter: 'licenseId',
  basic: z.object({
    id: id(),
    expoID: id(),
    partnerID: id(),
    type: licenseType,
    activationMax,
    activations: z.int(),
    revision: revision(),
  }),
  body: z.object({ partnerID: id().optional(), type: licenseType, activationMax }),
  category: 'type',
  list: {
    most: 1000,
    filters: { partnerId: { column: 'partner_id', schema: queryText().optional() } },
    showDeleted: false,
    documented: true,
  },
  reads: { documented: true },
  writes: {
    documented: true,
    create: true,
    update: true,
    remove: 'text',
    createQuery: z.object({ partnerId: queryText().optional() }),
    rules: {
      complete: async (context, body, previous) => {
        const partnerID = body.partnerID ?? previous?.doc.partnerID ?? context.query.partnerId;
        if (partnerID === undefined) {
          throw rejectedField(
            'partnerID',
            'required',
            'A license needs its partner, in the body or in the query',
          );
        }
        await mustExist(context, { partnerID }, 'partnerID', 'partner');
        const activations = Number(previous?.doc.activations ?? 0);
        if (Number(body.activationMax) < activations) {
          throw rejectedField('activationMax', 'tooSmall', 'The license is already activated more often');
        }
        return { ...body, partnerID, activations };
      },
    },
  },
};
