/**
 * HubSpot's contacts, as its reference describes them.
 *
 * Sources, read in a stored copy on 2026-11-25, the deletion for the GDPR on 2026-11-28:
 * - developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/batch/upsert-contacts
 * - developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/batch/update-contacts
 * - developers.hubspot.com/docs/guides/api/crm/owners: the id of an owner is not that of the user; archived ones are
 *   not listed
 * - developers.hubspot.de/docs/api-reference/crm-contacts-v3/basic/post-crm-v3-objects-contacts-gdpr-delete:
 *   `objectId`; no body
 * - knowledge.hubspot.com, "Track lawful basis of processing in HubSpot": the options of `hs_legal_basis`
 * - developers.hubspot.com/docs-beta/crm/contacts: the address identifies a contact; a duplicate is a conflict (409)
 *
 * A page of owners contains two. A whole batch is refused for one wrong property or value (400), and for one address
 * that already exists (409). A record that was not processed is missing from `results` (207). A request for the id of
 * a merged contact returns the other contact.
 */
import { type Double, type Reply, type Request, type Stored, startDouble } from './double.ts';

/** The label of each property. */
const PROPERTIES = {
  email: 'Email',
  firstname: 'First Name',
  lastname: 'Last Name',
  company: 'Company Name',
  jobtitle: 'Job Title',
  phone: 'Phone Number',
  mobilephone: 'Mobile Phone Number',
  address: 'Street Address',
  city: 'City',
  zip: 'Postal Code',
  country: 'Country/Region',
  message: 'Message',
  hs_legal_basis: "Legal basis for processing contact's data",
  hubspot_owner_id: 'Contact owner',
  stand_rating: 'Rating at the stand',
};
const LEGAL_BASES = ['', 'Freely given consent from contact', 'Legitimate interest – prospect/lead'];

type Input = {
  readonly id: string;
  readonly properties: Record<string, string>;
  readonly idProperty?: string;
};

/** Starts the double. */
export function startHubspot(fraction: () => number, token: string): Promise<Double> {
  const unique = new Set<string>(['email']);
  const properties = new Map<string, string>(Object.entries(PROPERTIES));

  const find = (double: Double, idProperty: string | undefined, id: string): Stored | null => {
    if (idProperty === undefined) {
      let record = double.records.get(id);
      while (record?.mergedInto != null) record = double.records.get(record.mergedInto);
      return record ?? null;
    }
    const key = (text: string | undefined): string =>
      idProperty === 'email' ? (text ?? '').toLowerCase() : (text ?? '');
    return (
      [...double.records.values()].find(
        (record) => record.mergedInto === null && key(record.values[idProperty]) === key(id),
      ) ?? null
    );
  };

  const faultOf = (double: Double, { properties: values }: Input, own: Stored | null): Reply | null => {
    const unknown = Object.keys(values).find((name) => !properties.has(name));
    if (unknown !== undefined)
      return refused(400, 'VALIDATION_ERROR', `Property "${unknown}" does not exist`);
    if (
      values.email !== undefined &&
      values.email !== '' &&
      !/^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(values.email)
    ) {
      return refused(400, 'VALIDATION_ERROR', `Property values were not valid: email "${values.email}"`);
    }
    if (!LEGAL_BASES.includes(values.hs_legal_basis ?? '')) {
      return refused(400, 'VALIDATION_ERROR', 'hs_legal_basis was not one of the allowed options');
    }
    const owner = values.hubspot_owner_id ?? '';
    if (owner !== '' && !double.users.some(({ id, isActive }) => id === owner && isActive)) {
      return refused(400, 'VALIDATION_ERROR', `Owner "${owner}" does not exist`);
    }
    if (/^forbidden/iu.test(values.company ?? '')) {
      return refused(400, 'VALIDATION_ERROR', `A rule of this account refuses "${values.company}"`);
    }
    if (values.email !== undefined && values.email !== '') {
      const other = find(double, 'email', values.email);
      if (other !== null && other !== own) return refused(409, 'CONFLICT', 'Contact already exists');
    }
    return null;
  };

  const clean = (values: Record<string, string>): Record<string, string> =>
    values.email === undefined ? values : { ...values, email: values.email.toLowerCase() };

  const write = (double: Double, inputs: readonly Input[], creates: boolean): Reply => {
    if (inputs.length > 100) return refused(400, 'VALIDATION_ERROR', 'At most 100 inputs');
    const seen = new Set<string>();
    for (const input of inputs) {
      if (input.idProperty !== undefined && !unique.has(input.idProperty)) {
        return refused(400, 'VALIDATION_ERROR', 'idProperty is not unique');
      }
      const own = find(double, input.idProperty, input.id);
      const fault = faultOf(double, input, own);
      if (fault !== null) return fault;
      if (own === null && !creates) return refused(404, 'OBJECT_NOT_FOUND', 'Object not found');
      const address = input.properties.email?.toLowerCase();
      if (address !== undefined && address !== '') {
        if (seen.has(address)) return refused(409, 'CONFLICT', 'Contact already exists');
        seen.add(address);
      }
    }
    const out = inputs.length > 1 && double.leavesOut() ? Math.floor(inputs.length / 2) : -1;
    const done = inputs.filter((_, at) => at !== out);
    const results = done.map((input) => {
      const own = find(double, input.idProperty, input.id);
      const values = clean(input.properties);
      const record = own ?? double.create(values);
      if (own !== null) double.write(own, values);
      return { id: record.id, properties: record.values, new: own === null };
    });
    return { status: out === -1 ? 200 : 207, body: { status: 'COMPLETE', results, errors: [] } };
  };

  const answer = ({ method, path, query, body }: Request, double: Double): Reply => {
    const {
      inputs = [],
      idProperty,
      objectId,
    } = (body ?? {}) as {
      inputs?: Input[];
      idProperty?: string;
      objectId?: string;
    };
    switch (`${method} ${path}`) {
      case 'POST /crm/v3/objects/contacts/batch/read': {
        if (inputs.length > 100) return refused(400, 'VALIDATION_ERROR', 'At most 100 inputs');
        const results = inputs.flatMap(({ id }) => {
          const record = find(double, idProperty, id);
          const shown = record === null ? null : double.see(record);
          return record === null || shown === null ? [] : [{ id: record.id, properties: shown }];
        });
        return {
          status: results.length === inputs.length ? 200 : 207,
          body: { status: 'COMPLETE', results },
        };
      }
      case 'POST /crm/v3/objects/contacts/batch/upsert':
        return write(double, inputs, true);
      case 'POST /crm/v3/objects/contacts/batch/update':
        return write(double, inputs, false);
      case 'POST /crm/v3/objects/contacts/gdpr-delete':
        return double.records.delete(objectId ?? '') ? { status: 204 } : { status: 404, body: {} };
      case 'GET /crm/v3/owners': {
        if (!double.readsUsers) return refused(403, 'MISSING_SCOPES', 'crm.objects.owners.read');
        const listed = double.users.filter(({ isActive }) => isActive);
        const from = Number(query.get('after') ?? 0);
        const results = listed
          .slice(from, from + 2)
          .map(({ id, email }) => ({ id, userId: `9${id}`, ...(email === null ? {} : { email }) }));
        const next = from + 2 < listed.length ? { paging: { next: { after: String(from + 2) } } } : {};
        return { status: 200, body: { results, ...next } };
      }
      case 'GET /crm/v3/properties/contacts':
        return { status: 200, body: { results: [...properties].map(([name, label]) => ({ name, label })) } };
      case 'POST /crm/v3/properties/contacts': {
        const { name, hasUniqueValue } = body as { name: string; hasUniqueValue?: boolean };
        if (properties.has(name)) return refused(409, 'OBJECT_ALREADY_EXISTS', 'exists');
        properties.set(name, name);
        if (hasUniqueValue === true) unique.add(name);
        return { status: 201, body: {} };
      }
      default: {
        const name = /^\/crm\/v3\/properties\/contacts\/(\w+)$/u.exec(path)?.[1];
        return name !== undefined && properties.has(name)
          ? { status: 200, body: { name } }
          : { status: 404, body: {} };
      }
    }
  };
  return startDouble(fraction, answer).then((double) => {
    double.tokens.add(token);
    return double;
  });
}

function refused(status: number, category: string, message: string): Reply {
  return { status, body: { status: 'error', category, message } };
}
