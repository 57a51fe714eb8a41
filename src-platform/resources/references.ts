/** Checks that the records to which a body refers exist. Each failure is a 422 that names the field. */
import { z } from 'zod';
import { rejectedField } from '../http/errors.ts';
import { type Doc, findRecord, isThere, type StoredRecord } from '../store/records.ts';
import { id, queryText } from './fields.ts';
import type { WriteContext } from './resource.ts';

/** The partner in a body. Clients use both spellings of the field. @throws ApiError (422) if they differ */
export function partnerInBody({ partnerID, partnerId }: Doc): string | undefined {
  if (partnerID !== undefined && partnerId !== undefined && partnerID !== partnerId) {
    throw rejectedField('partnerId', 'conflict', 'partnerID and partnerId name different partners');
  }
  return (partnerID ?? partnerId) as string | undefined;
}

/**
 * The partner of a new record: the one in the body, which overrides the one in the query
 * (docs/interface/endpoints.md#rule-1 and docs/interface/endpoints.md#rule-2).
 * @throws ApiError 422 if there is none or it does not exist
 */
export async function ownerOf(
  context: WriteContext,
  body: Doc,
  noun: string,
  previous: StoredRecord | null,
): Promise<string> {
  const { query } = context;
  const partnerID = partnerInBody(body) ?? partnerInBody(query);
  if (partnerID === undefined) {
    throw rejectedField('partnerID', 'required', `A ${noun} needs its partner, in the body or in the query`);
  }
  await mustExist(context, { partnerID }, 'partnerID', 'partner', previous);
  return partnerID;
}

/** The partner in a body or query, in both spellings that clients use. */
export const ownerFields = {
  partnerID: id().optional(),
  partnerId: id().optional().meta({ description: 'Another spelling of `partnerID`' }),
};
export const ownerQuery = z.object({ partnerId: queryText().optional(), partnerID: queryText().optional() });

/**
 * Throws unless the id in `body[field]`, when given, is a record of `kind` in this event. A value that `previous`
 * already has is accepted, because that record may have been deleted in the meantime, and a client may send back the
 * record that it read.
 */
export async function mustExist(
  context: WriteContext,
  body: Doc,
  field: string,
  kind: string,
  previous: StoredRecord | null,
): Promise<void> {
  const value = body[field];
  if (value === undefined || value === previous?.doc[field]) return;
  if (!(await isThere(context.write.db, kind, context.expo.id, String(value)))) {
    throw rejectedField(field, 'unknown', `There is no ${kind} with this identifier`);
  }
}

/** Throws unless every label exists in this event. Labels that `previous` already has are accepted. */
export async function labelsMustExist(
  context: WriteContext,
  body: Doc,
  previous: StoredRecord | null,
): Promise<void> {
  const kept = (previous?.doc.labels as string[] | undefined) ?? [];
  for (const [index, label] of ((body.labels as string[] | undefined) ?? []).entries()) {
    if (kept.includes(label)) continue;
    if (!(await isThere(context.write.db, 'label', context.expo.id, label))) {
      throw rejectedField(`labels.${index}`, 'unknown', 'There is no label with this identifier');
    }
  }
}

/** Throws unless the registration type is valid for `owner`: it belongs to the organisation or to this event. */
export async function registrationTypeMustFit(
  context: WriteContext,
  body: Doc,
  owner: 'visitor' | 'partner',
): Promise<void> {
  const value = body.registrationType;
  if (value === undefined) return;
  for (const expoId of [context.expo.id, '']) {
    const type = await findRecord(context.write.db, 'registrationType', expoId, String(value));
    if (type?.doc.for === owner) return;
  }
  throw rejectedField(
    'registrationType',
    'unknown',
    `There is no ${owner} registration type with this identifier`,
  );
}

/**
 * The contact of a visitor or partner: the given one, the one that already has this reference (a contact reference is
 * unique across events), the previous one, or a new one.
 */
export async function contactOf(
  context: WriteContext,
  body: Doc,
  previous: StoredRecord | null,
): Promise<string> {
  const given = body.contactID as string | undefined;
  const reference = body.contactReference as string | undefined;
  if (reference !== undefined) {
    const owner = await context.write.db
      .selectFrom('record')
      .select('contact_id')
      .where('kind', 'in', ['visitor', 'partner'])
      .where('reference', '=', reference)
      .where('id', '!=', previous?.id ?? '')
      .where('deleted', '=', 0)
      .executeTakeFirst();
    if (owner?.contact_id) {
      if (given !== undefined && given !== owner.contact_id) {
        throw rejectedField('contactReference', 'taken', 'Another contact has this reference');
      }
      return owner.contact_id;
    }
  }
  return given ?? (previous?.doc.contactID as string | undefined) ?? context.newId();
}
