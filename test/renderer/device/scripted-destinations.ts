/** The calls about destinations, with scripted answers. */
import type { InferContractRouterOutputs } from '@orpc/contract';
import { implement } from '@orpc/server';
import { contract } from '../../../src-main/contract/contract.ts';
import type {
  Connected,
  Destination,
  DestinationPause,
  MappingFault,
  PlannedPush,
  PushReason,
} from '../../../src-main/contract/destinations.ts';

type Offered = InferContractRouterOutputs<typeof contract>['destinations']['offered'];

/** The answers of the calls. */
export type DestinationScript = {
  list: readonly Destination[];
  lost: boolean;
  offered: Offered;
  planned: readonly PlannedPush[];
  /** Why a destination does not answer a request for a dry run, its properties or its conflicts. Null if it answers. */
  silent: DestinationPause | null;
  total: number;
  connected: Connected;
  /** Why a mapping is refused, or null. */
  mappingFault: MappingFault | null;
  /** Whether a destination may get any name. */
  isNameFree: boolean;
  /** Number of parked leads that a retry leaves out, because they were deleted at the destination. */
  leftOut: number;
  /** A test of the access is answered when this settles. */
  tested: Promise<DestinationPause | null>;
};

const accepted = {
  ...({ connected: { kind: 'connected', id: 'd1' }, mappingFault: null, silent: null } as const),
  ...{ isNameFree: true, leftOut: 0, tested: Promise.resolve(null) },
};

export const noDestinations = (): DestinationScript => ({
  list: [],
  lost: false,
  offered: { offers: [], fault: null },
  planned: [],
  total: 0,
  ...accepted,
});

const longName = 'Maximiliane-Alexandrine Freifrau von Wolfeschlegelsteinhausen-Bergerdorff';
const planned: PlannedPush = {
  ...{ lead: '', name: null, does: 'create', reason: null },
  ...{ writes: [], conflicts: [], unknownOwner: null },
};

/**
 * A CRM that refused a lead and has a value that was changed on both sides, and a webhook at a hub that cannot be
 * reached.
 */
export const someDestinations = (): DestinationScript => ({
  lost: false,
  list: [
    {
      id: 'd1',
      kind: 'hubspot',
      name: 'HubSpot of the sales team for Germany, Austria and Switzerland',
      host: 'api.hubapi.com',
      settings: {
        when: { kind: 'rule', hot: true, rating: null },
        needsConsent: true,
        notBefore: '18:00',
        mapping: {},
      },
      counts: { due: 12, in_flight: 1, uncertain: 0, sent: 4, confirmed: 10_481, parked: 1 },
      refused: 1,
      erasures: 2,
      conflicts: 1,
      pause: null,
      isBroken: false,
      waitsUntil: '18:00',
      atHub: false,
      scopes: ['crm.objects.contacts.write'],
      fields: {
        ...{ firstname: 'First Name', lastname: 'Last Name', jobtitle: 'Job Title', company: 'Company Name' },
        ...{ phone: 'Phone Number', hs_legal_basis: "Legal basis for processing contact's data" },
      },
      readsBack: true,
    },
    {
      id: 'd2',
      kind: 'webhook',
      name: 'Webhook',
      host: 'hooks.a-very-long-host-name-of-a-company.example.com',
      settings: { when: { kind: 'hand' }, needsConsent: false, notBefore: null, mapping: {} },
      counts: { due: 0, in_flight: 0, uncertain: 0, sent: 0, confirmed: 0, parked: 0 },
      refused: 0,
      erasures: 0,
      conflicts: 0,
      pause: 'hubAway',
      isBroken: false,
      waitsUntil: null,
      atHub: true,
      scopes: [],
      fields: { firstname: 'First Name', lastname: 'Last Name' },
      readsBack: false,
    },
  ],
  offered: {
    offers: [
      { id: 'C0123456789', kind: 'salesforce', name: 'Salesforce', host: 'northwind.my.salesforce.com' },
    ],
    fault: null,
  },
  planned: [
    {
      ...planned,
      lead: 'lead-0',
      name: longName,
      writes: ['firstname', 'lastname', 'hs_legal_basis', 'jobtitle'],
    },
    {
      ...{ ...planned, lead: 'lead-1', name: 'Amélie Beaumont', does: 'update', writes: ['phone'] },
      ...{ conflicts: ['jobtitle', 'company'], unknownOwner: `${longName.replaceAll(' ', '.')}@example.org` },
    },
    { ...planned, lead: 'lead-2', name: null, does: 'skip', reason: 'noConsent' },
  ],
  total: 314,
  ...accepted,
});

const refused = {
  ...{ lead: 'lead-5', name: 'Pieter van der Velde', reason: 'invalid' as PushReason },
  why: 'Property values were not valid: Email address is invalid',
};
const deleted = {
  ...{ lead: 'lead-6', name: 'Olga Ivanova', reason: 'deletedThere' as PushReason, why: null },
};
const conflict = { property: 'jobtitle', ours: 'Head of Production', theirs: 'Directrice de la production' };

const longConflict = {
  property: 'a_property_with_a_very_long_name_that_an_administrator_chose__c',
  ours: 'Bereichsleiterin Instandhaltung, Produktionsplanung und Werkzeugmaschineneinkauf',
  theirs: '',
};

/** The calls over a script. */
export function scriptedDestinations(
  script: () => DestinationScript,
  note: (call: string, input: unknown) => void,
) {
  const os = implement(contract).destinations;
  const keep =
    <Output>(call: string, output: Output) =>
    ({ input }: { readonly input: unknown }): Output => {
      note(`destinations.${call}`, input);
      return output;
    };
  return {
    list: os.list.handler(() => [...script().list]),
    lost: os.lost.handler(() => script().lost),
    connect: os.connect.handler(({ input }) => keep('connect', script().connected)({ input })),
    rename: os.rename.handler(({ input }) => keep('rename', { kept: script().isNameFree })({ input })),
    replaceToken: os.replaceToken.handler(({ input }) => keep('replaceToken', script().connected)({ input })),
    offered: os.offered.handler(() => script().offered),
    connectOffered: os.connectOffered.handler(({ input }) => {
      const { offered } = script();
      script().offered = { ...offered, offers: offered.offers.filter(({ id }) => id !== input.id) };
      return keep('connectOffered', { kind: 'connected' as const, id: 'd3' })({ input });
    }),
    authorize: os.authorize.handler(keep('authorize', { url: 'https://login.example.org/authorize' })),
    authorized: os.authorized.handler(() => null),
    test: os.test.handler(async ({ input }) => {
      note('destinations.test', input);
      return { pause: await script().tested };
    }),
    save: os.save.handler(({ input }) => {
      const { mappingFault: fault } = script();
      return keep('save', { kept: fault === null, fault })({ input });
    }),
    mapping: os.mapping.handler(() => ({
      fields: [
        { field: 'First Name', property: 'firstname', question: null },
        { field: 'Job Title', property: conflict.property, question: null },
        { field: 'Rating', property: null, question: null },
        { field: 'lead.rating', property: null, question: null },
        { field: 'lead.note', property: null, question: null },
        { field: 'answer.q1', property: null, question: 'When do you want to decide?' },
      ],
      properties:
        script().silent !== null
          ? null
          : [
              { name: 'firstname', label: 'First name', required: true },
              { name: conflict.property, label: 'Job title', required: false },
            ],
      pause: script().silent,
      leads: [
        { lead: 'lead-0', values: { firstname: 'Amélie', jobtitle: conflict.ours } },
        { lead: 'lead-1', values: { firstname: 'Maximiliane-Alexandrine', jobtitle: longConflict.ours } },
        { lead: 'lead-2', values: { firstname: 'Pieter', jobtitle: '' } },
      ],
    })),
    dryRun: os.dryRun.handler(() => {
      const { planned: leads, silent: pause, total } = script();
      return { planned: pause === null ? [...leads] : [], pause, total };
    }),
    send: os.send.handler(keep('send', { queued: 1, skipped: 0, unchanged: 0 })),
    ofLead: os.ofLead.handler(() =>
      script().list.map(({ id, name, readsBack, conflicts, pause, waitsUntil, atHub }) => ({
        ...{ id, name, readsBack, reason: null, why: null, pause, waitsUntil, atHub },
        state: pause === null ? ('sent' as const) : ('due' as const),
        conflicts: conflicts > 0 ? [conflict.property] : [],
      })),
    ),
    parked: os.parked.handler(() => [refused, deleted]),
    retry: os.retry.handler(({ input }) =>
      keep('retry', { retried: 1, leftOut: script().leftOut })({ input }),
    ),
    conflicts: os.conflicts.handler(() => {
      const { silent: pause } = script();
      const leads = [
        { lead: 'lead-1', name: 'Amélie Beaumont', fields: [conflict] },
        { lead: 'lead-0', name: longName, fields: [longConflict] },
      ];
      return { leads: pause === null ? leads : [], pause };
    }),
    decide: os.decide.handler(keep('decide', { done: true })),
    forget: os.forget.handler(keep('forget', { revoked: false })),
  };
}
