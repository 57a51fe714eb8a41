/**
 * Visitors: pre-event registrations. Their fields and most operations fill a gap in the interface
 * (docs/interface/undocumented.md#visitor); the list by webhook is documented (docs/interface/endpoints.md#rule-6).
 *
 * Invariants
 * - A badge code belongs to at most one visitor of an event at a time.
 * - Each registered visitor has an attendance summary (participant), others have none.
 * - A deleted visitor keeps no personal data: neither in its record nor as an upload.
 * - When a badge gets a visitor, the visitor also gets everything that was captured with the badge before.
 */
import { z } from 'zod';
import { rejectedField } from '../http/errors.ts';
import { normaliseCode } from '../interactions/badge-owners.ts';
import { followVisitor } from '../interactions/resolve.ts';
import { contact, id, instant, queryList, queryText, revision, text } from '../resources/fields.ts';
import { contactOf, labelsMustExist, mustExist, registrationTypeMustFit } from '../resources/references.ts';
import type { Resource, WriteContext } from '../resources/resource.ts';
import type { Doc, StoredRecord } from '../store/records.ts';
import { withContact } from './contact-name.ts';

export const registrationStates = ['registered', 'incomplete', 'denied', 'cancelled'] as const;

const badge = z.strictObject({ type: z.enum(['nfc', 'qr']), code: text(300) });

const writable = z.object({
  contactID: id().optional(),
  contactReference: text().optional(),
  partnerID: id().optional(),
  registrationState: z.enum(registrationStates),
  registrationType: id().optional(),
  firstName: text().optional(),
  lastName: text().optional(),
  email: z.email().max(254).optional(),
  phone: text(50).optional(),
  company: text().optional(),
  jobTitle: text().optional(),
  country: text(100).optional(),
  language: text(35).optional(),
  badges: z.array(badge).max(20).default([]),
  labels: z.array(id()).max(200).default([]),
  contact: contact().optional(),
});

function codesOf(doc: Doc): readonly string[] {
  return ((doc.badges as { code: string }[] | undefined) ?? []).map((entry) => normaliseCode(entry.code));
}

async function badgesMustBeFree(
  { write, expo }: WriteContext,
  doc: Doc,
  ownId: string | null,
): Promise<void> {
  const codes = codesOf(doc);
  for (const [index, code] of codes.entries()) {
    const row = await write.db
      .selectFrom('badge')
      .select('visitor_id')
      .where('expo_id', '=', expo.id)
      .where('code', '=', code)
      .executeTakeFirst();
    if ((row && row.visitor_id !== ownId) || codes.indexOf(code) !== index) {
      throw rejectedField(`badges.${index}.code`, 'taken', 'This badge is already in use in this event');
    }
  }
}

/** Stores the new owner of each badge, and the end of ownership of removed badges. */
async function storeBadges(
  { write, expo, now }: WriteContext,
  doc: Doc,
  previous: StoredRecord | null,
): Promise<void> {
  const visitorId = String(doc.id);
  const codes = doc.deleted === true ? [] : codesOf(doc);
  await write.db.deleteFrom('badge').where('visitor_id', '=', visitorId).execute();
  for (const code of codes) {
    await write.db.insertInto('badge').values({ expo_id: expo.id, code, visitor_id: visitorId }).execute();
  }
  for (const code of codesOf(previous?.doc ?? {}).filter((before) => !codes.includes(before))) {
    const past = { expo_id: expo.id, code, visitor_id: visitorId, until: now.toISOString() };
    await write.db.insertInto('badge_past').values(past).execute();
  }
}

export const visitors: Resource = {
  kind: 'visitor',
  folder: 'visitors',
  noun: 'visitor',
  parameter: 'visitorId',
  basic: z.object({
    id: id(),
    expoID: id(),
    ...writable.shape,
    contactID: id(),
    badges: z.array(badge),
    labels: z.array(id()),
    created: instant(),
    updated: instant(),
    revision: revision(),
    deleted: z.literal(true).optional(),
  }),
  body: writable,
  keepsUnknown: true,
  examples: {
    create: {
      firstName: 'Yuki',
      lastName: 'Ito',
      registrationState: 'registered',
      registrationType: 'RTVISITOR',
      email: 'yuki.ito@example.org',
      contact: { phone: '+81 3 1234 5678' },
    },
    update: { firstName: 'Yuki', lastName: 'Itō', registrationState: 'registered', company: 'Ito Robotics' },
  },
  state: 'registrationState',
  category: 'registrationType',
  reference: 'contactReference',
  keepsDeleted: true,
  hasUploads: true,
  list: {
    most: 100,
    filters: {
      contactReference: { column: 'reference', schema: queryText().optional(), undocumented: true },
      contactId: { column: 'contact_id', schema: queryText().optional(), undocumented: true },
      registrationStates: {
        column: 'state',
        schema: queryList(registrationStates).optional(),
        many: true,
        undocumented: true,
      },
      registrationTypes: {
        column: 'category',
        schema: queryList().optional(),
        many: true,
        undocumented: true,
      },
    },
    showDeleted: true,
    showDeletedUndocumented: true,
    webhooks: ['visitor'],
    documented: true,
  },
  reads: { documented: false },
  writes: {
    documented: false,
    create: true,
    update: true,
    remove: 'empty',
    rules: {
      tombstone: ({ id, expoID, contactID, registrationState, created, updated }) => ({
        id,
        expoID,
        contactID,
        registrationState,
        created,
        updated,
        badges: [],
        labels: [],
      }),
      complete: async (context, sent, previous) => {
        const body = withContact(sent);
        if (body.lastName === undefined) {
          throw rejectedField('lastName', 'required', 'A visitor has a lastName, or a name in its contact');
        }
        if (body.registrationType !== undefined && body.registrationState !== 'registered') {
          throw rejectedField(
            'registrationType',
            'notRegistered',
            'Only registered visitors have a registration type',
          );
        }
        await registrationTypeMustFit(context, body, 'visitor');
        await mustExist(context, body, 'partnerID', 'partner', previous);
        await labelsMustExist(context, body, previous);
        await badgesMustBeFree(context, body, previous?.id ?? null);
        const now = context.now.toISOString();
        const contactID = await contactOf(context, body, previous);
        return { ...body, contactID, created: previous?.doc.created ?? now, updated: now };
      },
      follow: async (context, doc, previous) => {
        await storeBadges(context, doc, previous);
        await followVisitor(context.write, context.expo.id, doc, codesOf(doc), context.newId);
      },
    },
  },
};
