/**
 * Contents: the profile of a partner and its products (docs/interface/resources.md#content and
 * docs/interface/endpoints.md#rule-1).
 *
 * Invariants
 * - A profile is created with its partner; it can be updated, never created or deleted through the interface.
 * - A content never changes its partner or its category.
 */
import { z } from 'zod';
import { badRequest, rejectedField } from '../http/errors.ts';
import type { Doc } from '../store/records.ts';
import { id, longText, queryText, revision, shortText, undocumented } from './fields.ts';
import { labelsMustExist, ownerFields, ownerOf, ownerQuery, partnerInBody } from './references.ts';
import type { Resource } from './resource.ts';

function name() {
  return shortText().refine((value) => value.length > 0, 'must not be empty');
}
const category = z.enum(['partner', 'product']);
const source = z.enum(['internal', 'link']);

const extra = z.object({
  description: longText().optional(),
  url: z.url().max(2000).optional(),
  image: longText(100_000).optional(),
  labels: z.array(id()).max(200).default([]),
});

function completeUpdate(body: Doc, before: Doc): Doc {
  for (const field of ['partnerID', 'category']) {
    if (body[field] !== undefined && body[field] !== before[field]) {
      throw rejectedField(field, 'readOnly', 'This cannot be changed');
    }
  }
  return { ...body, partnerID: before.partnerID, category: before.category };
}

export const contents: Resource = {
  kind: 'content',
  folder: 'contents',
  noun: 'content',
  parameter: 'contentId',
  ofCompany: 'own',
  basic: z.object({
    id: id(),
    expoID: id(),
    partnerID: id(),
    category,
    name: name(),
    summary: shortText().nullable(),
    source,
    revision: revision(),
  }),
  extra: z.object({
    description: undocumented(extra.shape.description),
    url: undocumented(extra.shape.url),
    image: undocumented(extra.shape.image),
    labels: undocumented(z.array(id())),
    deleted: undocumented(z.literal(true).optional()),
  }),
  showsFields: true,
  body: z.object({
    ...ownerFields,
    category: category.optional(),
    name: name(),
    summary: shortText().nullable().default(null),
    source: source.default('internal'),
    ...extra.shape,
  }),
  keepsUnknown: true,
  examples: {
    create: {
      partnerID: 'AD2026P002',
      name: 'Gripper 80',
      summary: 'Holds up to 8 kg',
      url: 'https://example.org/gripper',
    },
    update: { name: 'Modular conveyor', summary: 'Now in 3 m' },
  },
  category: 'category',
  keepsDeleted: true,
  list: {
    most: 100,
    filters: {
      partnerId: { column: 'partner_id', schema: queryText().optional() },
      // The second spelling of the field. POST accepts both.
      partnerID: { column: 'partner_id', schema: queryText().optional(), undocumented: true },
    },
    showDeleted: false,
    webhooks: ['content'],
    documented: true,
    isOpen: (expo) => expo.hasContents,
  },
  reads: { documented: true },
  writes: {
    documented: true,
    create: true,
    update: true,
    remove: 'empty',
    createQuery: ownerQuery,
    undocumentedQuery: ['partnerID'],
    rules: {
      complete: async (context, given, previous) => {
        if (!context.expo.hasContents) {
          throw rejectedField(
            'expoID',
            'noSubscription',
            'This event has no active content-management subscription',
          );
        }
        const { partnerId: _spelling, ...rest } = given;
        const body = { ...rest, partnerID: partnerInBody(given) };
        await labelsMustExist(context, body, previous);
        if (previous) return completeUpdate(body, previous.doc);
        if (given.category === 'partner') {
          throw rejectedField(
            'category',
            'unsupported',
            'A profile is created with its partner, not by itself',
          );
        }
        return { ...body, partnerID: await ownerOf(context, given, 'product', null), category: 'product' };
      },
      mayRemove: (previous) => {
        if (previous.doc.category === 'partner') throw badRequest('A profile cannot be deleted');
      },
    },
  },
};
