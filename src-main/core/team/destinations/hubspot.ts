/**
 * HubSpot as a destination: contacts through the CRM API, version 3.
 *
 * Sources, read in a stored copy on 2026-11-25:
 * - developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/batch/upsert-contacts (up to 100
 *   per request)
 * - developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/batch/update-contacts
 * - developers.hubspot.com/docs-beta/crm/contacts (the address is unique)
 * - developers.hubspot.com/docs/guides/api/crm/owners (the scope `crm.objects.owners.read`; a user id is not
 *   an owner id)
 *
 * Sources, read in a stored copy on 2026-11-28:
 * - developers.hubspot.de/docs/api-reference/crm-contacts-v3/basic/post-crm-v3-objects-contacts-gdpr-delete
 *   (the scope `crm.objects.contacts.write`)
 * - developers.hubspot.com/docs/api-reference/legacy/crm/properties/get-properties
 *   (`modificationMetadata.readOnlyValue`)
 * - developers.hubspot.com/changelog/increasing-our-api-limits (190 requests in ten seconds for a private app
 *   of a paid account)
 *
 * Invariants:
 * - The external id is the unique property `touchpoint_lead_id`, never the address.
 * - An existing contact is found by its address and updated by its id.
 * - Owners are listed and matched here, because the list's filter would put an address into a URL.
 * - After a merge, a contact is found by the id that it had before.
 */
import { z } from 'zod';
import { HUBSPOT_SCOPES } from '../../../contract/destination-access.ts';
import type { PushReason } from '../../../contract/destinations.ts';
import { hubspotColumns } from '../formats/hubspot.ts';
import {
  type Adapter,
  type AdapterPorts,
  type Answered,
  answersOf,
  askJson,
  type DestinationKind,
  type Found,
  idsByAddress,
  type LentRequest,
  lookInTurn,
  type Outgoing,
  sendInParts,
} from './adapter.ts';

const ID_PROPERTY = 'touchpoint_lead_id';
const CONTACTS = '/crm/v3/objects/contacts';
const PROPERTIES = '/crm/v3/properties/contacts';
const OWNERS = '/crm/v3/owners';

const recordSchema = z.object({
  id: z.string(),
  properties: z.record(z.string(), z.string().nullable()),
});
const batchSchema = z.object({
  results: z.array(recordSchema).default([]),
  errors: z
    .array(
      z.object({
        category: z.string().default(''),
        message: z.string().default(''),
        context: z.record(z.string(), z.array(z.string())).default({}),
      }),
    )
    .default([]),
});
const propertiesSchema = z.object({
  results: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      calculated: z.boolean().optional(),
      modificationMetadata: z.object({ readOnlyValue: z.boolean() }).optional(),
    }),
  ),
});

const ownersSchema = z.object({
  results: z.array(z.object({ id: z.string(), email: z.string().nullish() })),
  paging: z.object({ next: z.object({ after: z.string() }).optional() }).optional(),
});

/** The requests that the hub sends for a device. */
const LENT: Readonly<Partial<Record<LentRequest['method'], RegExp>>> = {
  GET: /^\/crm\/v3\/(properties\/contacts|owners\?limit=500(&after=[\w%.~-]{1,200})?)$/u,
  POST: /^\/crm\/v3\/objects\/contacts\/(batch\/(read|upsert|update)|gdpr-delete)$/u,
};

export const HUBSPOT: DestinationKind = {
  address: 'https://api.hubapi.com',
  scopes: HUBSPOT_SCOPES,
  columns: hubspotColumns,
  owner: 'hubspot_owner_id',
  reserved: new Map([
    [ID_PROPERTY, []],
    ['hs_object_id', []],
    ['email', ['Email', 'lead.email']],
  ]),
  connect: createHubspot,
  oauth: null,
  permits: ({ method, path }) => LENT[method]?.test(path) ?? false,
};

function createHubspot(ports: AdapterPorts): Adapter {
  const read = async (
    idProperty: string | null,
    ids: readonly string[],
    properties: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Found[]> => {
    if (ids.length === 0) return [];
    const { body } = await askJson(
      ports,
      {
        method: 'POST',
        path: `${CONTACTS}/batch/read`,
        body: {
          inputs: ids.map((id) => ({ id })),
          properties: [...new Set([...properties, ID_PROPERTY, 'email'])],
          ...(idProperty === null ? {} : { idProperty }),
        },
      },
      signal,
    );
    return batchSchema.parse(body).results.map(foundOf);
  };

  const write = async (
    operation: 'upsert' | 'update',
    records: readonly Outgoing[],
    signal: AbortSignal,
  ): Promise<readonly Answered[]> => {
    if (records.length === 0) return [];
    const { body, status } = await askJson(
      ports,
      {
        method: 'POST',
        path: `${CONTACTS}/batch/${operation}`,
        body: {
          inputs: records.map(({ externalId, remoteId, claims, values }) =>
            operation === 'upsert'
              ? {
                  id: externalId,
                  idProperty: ID_PROPERTY,
                  properties: { ...values, [ID_PROPERTY]: externalId },
                  objectWriteTraceId: externalId,
                }
              : {
                  id: remoteId,
                  properties: claims ? { ...values, [ID_PROPERTY]: externalId } : values,
                  objectWriteTraceId: externalId,
                },
          ),
        },
      },
      signal,
      [400, 409],
    );
    if (status === 400 || status === 409) return await refusal(body, status, operation, records, signal);
    const { results, errors } = batchSchema.parse(body);
    return records.map(({ externalId, remoteId }): Answered => {
      const done = results.find(
        ({ id, properties }) => id === remoteId || properties[ID_PROPERTY] === externalId,
      );
      if (done !== undefined) return { kind: 'accepted', remoteId: done.id };
      const fault = errors.find(({ context }) =>
        [...(context.objectWriteTraceId ?? []), ...(context.ids ?? [])].some(
          (id) => id === externalId || id === remoteId,
        ),
      );
      return fault === undefined
        ? { kind: 'again' }
        : { kind: 'refused', cause: causeOf(fault.category, fault.message), why: wordsOf(fault.message) };
    });
  };

  /** The batch was refused and nothing was written. Smaller batches show which record is at fault. */
  const refusal = async (
    body: unknown,
    status: number,
    operation: 'upsert' | 'update',
    records: readonly Outgoing[],
    signal: AbortSignal,
  ): Promise<readonly Answered[]> => {
    if (records.length > 1) {
      const half = Math.ceil(records.length / 2);
      const parts = [records.slice(0, half), records.slice(half)];
      const answers: Answered[] = [];
      for (const part of parts) {
        answers.push(...(await answersOf(part, () => write(operation, part, signal))));
      }
      return answers;
    }
    const said = z.object({ category: z.string().default(''), message: z.string().default('') }).parse(body);
    const cause = status === 409 ? 'duplicate' : causeOf(said.category, said.message);
    return [{ kind: 'refused', cause, why: wordsOf(said.message) }];
  };

  return {
    batch: 100,
    look: (sought, properties, signal) =>
      lookInTurn(sought, 'email', {
        byExternalId: (ids) => read(ID_PROPERTY, ids, properties, signal),
        byRemoteId: async (ids) => {
          // One request per contact, because a merged contact is returned under another id.
          const found: (Found | null)[] = [];
          for (const id of ids) found.push((await read(null, [id], properties, signal))[0] ?? null);
          return found;
        },
        byAddress: (addresses) => read('email', addresses, properties, signal),
      }),
    send: (records, signal) =>
      sendInParts(
        records,
        (known) => write('update', known, signal),
        (fresh) => write('upsert', fresh, signal),
      ),
    erase: async ({ remoteId }, signal) => {
      if (remoteId === null) return;
      await askJson(
        ports,
        { method: 'POST', path: `${CONTACTS}/gdpr-delete`, body: { objectId: remoteId } },
        signal,
        [404],
      );
    },
    properties: async (signal) => {
      const { body } = await askJson(ports, { method: 'GET', path: PROPERTIES }, signal);
      return propertiesSchema
        .parse(body)
        .results.filter(
          ({ name, calculated, modificationMetadata }) =>
            calculated !== true && modificationMetadata?.readOnlyValue !== true && name !== ID_PROPERTY,
        )
        .map(({ name, label }) => ({ name, label, required: false }));
    },
    owners: async (_addresses, signal) => {
      const users: { readonly id: string; readonly email: string }[] = [];
      let after: string | undefined = '';
      while (after !== undefined) {
        const path: string = `${OWNERS}?limit=500${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`;
        const { body, status } = await askJson(ports, { method: 'GET', path }, signal, [400, 403, 404]);
        // Leads can be sent even if the access lacks the scope.
        if (status >= 400) return new Map();
        const { results, paging } = ownersSchema.parse(body);
        users.push(...results.map(({ id, email }) => ({ id, email: email ?? '' })));
        after = paging?.next?.after;
      }
      return idsByAddress(users);
    },
    prepare: async (signal) => {
      const { status } = await askJson(
        ports,
        { method: 'GET', path: `${PROPERTIES}/${ID_PROPERTY}` },
        signal,
        [404],
      );
      if (status !== 404) return;
      const property = {
        name: ID_PROPERTY,
        label: 'Touchpoint lead',
        type: 'string',
        fieldType: 'text',
        groupName: 'contactinformation',
        hasUniqueValue: true,
      };
      // 409: another device created it meanwhile.
      await askJson(ports, { method: 'POST', path: PROPERTIES, body: property }, signal, [409]);
    },
  };
}

function foundOf({ id, properties }: z.infer<typeof recordSchema>): Found {
  const values = Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, value ?? '']));
  return { remoteId: id, externalId: values[ID_PROPERTY] || null, values };
}

function causeOf(category: string, message: string): PushReason {
  if (category === 'CONFLICT') return 'duplicate';
  if (/required/iu.test(message)) return 'required';
  return category === 'VALIDATION_ERROR' ? 'invalid' : 'other';
}

/** Removes quoted values and e-mail addresses from a message of HubSpot. */
function wordsOf(message: string): string {
  return message.replace(/"[^"]*"|\S+@\S+/gu, '…').slice(0, 200);
}
