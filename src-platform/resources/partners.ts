/**
 * Partners: exhibiting companies at one event (docs/interface/overview.md#how-things-belong-together and
 * docs/interface/endpoints.md#partners).
 *
 * Invariants
 * - Every partner has exactly one profile content, which is created and deleted with it.
 * - A partner registration type is mandatory.
 */
import { z } from 'zod';
import { findAll, putRecord } from '../store/records.ts';
import { contents } from './contents.ts';
import { contact, id, longText, queryList, queryText, revision, text } from './fields.ts';
import { contactOf, labelsMustExist, registrationTypeMustFit } from './references.ts';
import { type Resource, shapeOf, type WriteContext } from './resource.ts';

const listed = {
  contactReference: text().optional(),
  name: text(),
  stand: text(100).optional(),
  registrationType: id(),
};

const extra = z.object({
  description: longText().optional(),
  website: z.url().max(500).optional(),
  email: z.email().max(254).optional(),
  phone: text(50).optional(),
  address: longText(1000).optional(),
  country: text(100).optional(),
  logo: longText(20_000).optional(),
  contact: contact().optional(),
  labels: z.array(id()).max(200).default([]),
});

async function makeProfile({ write, expo, newId }: WriteContext, partnerId: string, name: string) {
  // The name of a content has fewer than 100 characters, but the name of a partner may be longer.
  const short = [...name].slice(0, 99).join('');
  await putRecord(write, shapeOf(contents), expo.id, {
    id: newId(),
    expoID: expo.id,
    partnerID: partnerId,
    category: 'partner',
    name: short,
    summary: null,
    source: 'internal',
    labels: [],
  });
}

export const partners: Resource = {
  kind: 'partner',
  folder: 'partners',
  noun: 'partner',
  parameter: 'partnerId',
  ofCompany: 'own',
  basic: z.object({
    id: id(),
    expoID: id(),
    contactID: id(),
    ...listed,
    revision: revision(),
    deleted: z.literal(true).optional(),
  }),
  extra: extra.extend({ labels: z.array(id()) }),
  body: z.object({ contactID: id().optional(), ...listed, ...extra.shape }),
  keepsUnknown: true,
  examples: {
    create: {
      name: 'Helvetia Drives',
      stand: 'C12',
      registrationType: 'RTEXHIBITOR',
      website: 'https://example.org',
      contact: { name: 'Nora Keller', email: 'nora.keller@example.org' },
    },
    update: { name: 'Helvetia Drives AG', stand: 'C14', registrationType: 'RTEXHIBITOR' },
  },
  category: 'registrationType',
  reference: 'contactReference',
  keepsDeleted: true,
  list: {
    most: 100,
    filters: {
      contactReference: { column: 'reference', schema: queryText().optional() },
      contactId: { column: 'contact_id', schema: queryText().optional() },
      registrationType: { column: 'category', schema: queryList().optional(), many: true },
    },
    showDeleted: true,
    webhooks: ['partner'],
    documented: true,
  },
  reads: { documented: true },
  writes: {
    documented: true,
    create: true,
    update: true,
    remove: 'text',
    rules: {
      complete: async (context, body, previous) => {
        await registrationTypeMustFit(context, body, 'partner');
        await labelsMustExist(context, body, previous);
        return { ...body, contactID: await contactOf(context, body, previous) };
      },
      follow: async (context, doc, previous) => {
        if (previous === null) await makeProfile(context, String(doc.id), String(doc.name));
        if (doc.deleted !== true) return;
        const { write, expo } = context;
        for (const content of await findAll(write.db, 'content', expo.id, 'partner_id', String(doc.id))) {
          await putRecord(write, shapeOf(contents), expo.id, { ...content.doc, deleted: true });
        }
      },
    },
  },
};
