/** Requirements for the token of a CRM, for the device and its pages. */

/** The scopes of a token of HubSpot. The last one is needed only to read owners. */
export const HUBSPOT_SCOPES: readonly string[] = [
  'crm.objects.contacts.read',
  'crm.objects.contacts.write',
  'crm.schemas.contacts.write',
  'crm.objects.owners.read',
];

/** The least number of characters of a token. No service issues a shorter one. */
export const SHORTEST_TOKEN = 8;
