/**
 * The rights of the key of a single exhibiting company: its own records, and the records of the event that a stand needs
 * (docs/decisions/key-of-one-company.md).
 *
 * Invariants:
 * - An operation that no resource permits is refused where the other rights are checked, before anything is read.
 * - For the key, a record of another company does not exist.
 * - The license check for connections is part of the rights (docs/interface/endpoints.md#rule-4).
 */
import { forbidden, notFound } from '../http/errors.ts';
import type { JsonText } from '../http/json.ts';
import type { ExpoCall, Operation } from '../http/operation.ts';
import type { Resource } from './resource.ts';

/** The column and the record field that identify the owner. */
export function ownerOf({ kind }: Resource): {
  readonly column: 'id' | 'partner_id';
  readonly field: 'id' | 'partnerID';
} {
  return kind === 'partner' ? { column: 'id', field: 'id' } : { column: 'partner_id', field: 'partnerID' };
}

function narrow(call: ExpoCall, resource: Resource, partnerId: string): ExpoCall {
  const asked = call.query.partnerId ?? call.query.partnerID;
  if (asked !== undefined && asked !== partnerId)
    throw forbidden(`This key reads its own ${resource.folder} only`);
  return resource.kind === 'connection'
    ? { ...call, query: { ...call.query, type: call.query.type ?? 'partner' } }
    : call;
}

/** The same operation, restricted to the company of the key if the key has one. */
export function narrowToCompany(operation: Operation, resource: Resource): Operation {
  const { ofCompany } = resource;
  if (ofCompany === undefined || operation.method !== 'GET' || !operation.onExpo) return operation;
  if (ofCompany === 'event') return { ...operation, ofCompany };
  return {
    ...operation,
    ofCompany,
    handle: async (call: ExpoCall) => {
      const { partnerId } = call.caller;
      if (partnerId === null) return operation.handle(call);
      if (operation.query) return operation.handle(narrow(call, resource, partnerId));
      const answer = await operation.handle(call);
      const record = JSON.parse((answer as JsonText).text) as Readonly<Record<string, unknown>>;
      if (record[ownerOf(resource).field] !== partnerId)
        throw notFound(`${resource.noun.charAt(0).toUpperCase()}${resource.noun.slice(1)} not found`);
      return answer;
    },
  };
}
