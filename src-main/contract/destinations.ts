/**
 * Destinations of leads besides the platform: CRMs and webhooks.
 *
 * Invariants:
 * - Every call is for staff only, and only for destinations and leads of the current partner.
 * - No call returns a token.
 * - Reasons and states are data. The screen has the texts.
 */
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { SHORTEST_TOKEN } from './destination-access.ts';
import { pauseSchema } from './device.ts';
import { leadFilterSchema } from './leads.ts';

const id = z.string().max(64);
const lead = z.string().max(200);
const field = z.string().max(200);

export const destinationKindSchema = z.enum(['hubspot', 'salesforce', 'webhook']);

/**
 * When leads are sent. `hand`: only those that staff choose. `rule`: hot leads, or leads with at least this rating.
 * `all`: at once. A lead that was sent once is updated with every edit.
 */
const whenSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hand') }),
  z.object({ kind: z.literal('rule'), hot: z.boolean(), rating: z.number().int().min(1).max(5).nullable() }),
  z.object({ kind: z.literal('all') }),
]);

const destinationSettingsSchema = z.object({
  when: whenSchema,
  /** Only leads of people who agreed to be contacted. */
  needsConsent: z.boolean(),
  /** `HH:MM` in the event's time zone, before which nothing is sent. Null if leads are sent at any time. */
  notBefore: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .nullable(),
  /**
   * The property of the destination for each field of a lead. Null if it is not sent, absent for the default
   * property.
   */
  mapping: z.record(field, field.nullable()),
});

const settingsChangeSchema = destinationSettingsSchema.partial();

const stateSchema = z.enum(['due', 'in_flight', 'uncertain', 'sent', 'confirmed', 'parked']);

/**
 * Why a lead is parked. `duplicate`: another record there has the same address. `invalid`: a value breaks a rule of the
 * destination. `required`: the destination requires a missing value. `deletedThere`: its record was deleted there.
 * `shared`: another lead of this stand uses the record. `nobody`: no name and no way to reach the person. `takenBack`:
 * the visitor undid the tap. `other`: only the destination's message is known.
 */
export const pushReasonSchema = z.enum([
  ...([
    'duplicate',
    'invalid',
    'required',
    'deletedThere',
    'shared',
    'nobody',
    'takenBack',
    'other',
  ] as const),
]);

/**
 * A fault at the hub that holds the token. `hubAway`: it cannot be reached. `hubRefuses`: it has revoked this device.
 * `notOffered`: the destination was removed there.
 */
export const hubFaultSchema = z.enum(['hubAway', 'hubRefuses', 'notOffered']);

/**
 * Why nothing is sent. `slow`: the destination does not answer in time. With a `status`: it answers with this error
 * status.
 */
const destinationPauseSchema = z.union([
  pauseSchema,
  hubFaultSchema,
  z.literal('slow'),
  z.object({ status: z.number().int() }),
]);

const destinationSchema = z.object({
  id,
  kind: destinationKindSchema,
  /** Unique among the destinations of the partner, without regard to case. */
  name: z.string(),
  /** Host of the destination's API. */
  host: z.string(),
  settings: destinationSettingsSchema,
  /** Leads by state. The states add up to the number of chosen leads. */
  counts: z.record(stateSchema, z.number().int()),
  /**
   * Parked leads that staff must mend. A lead that has no name, was taken back, was deleted there or shares a record may
   * stay as it is.
   */
  refused: z.number().int(),
  /** Erasures that it was not asked for yet. */
  erasures: z.number().int(),
  /** Leads with a value that staff must decide about. */
  conflicts: z.number().int(),
  /** Why nothing is sent at present. */
  pause: destinationPauseSchema.nullable(),
  /** Whether the pause lasts until somebody mends its cause, such as a refused token. */
  isBroken: z.boolean(),
  /** `HH:MM` before which nothing is sent today. Null once leads may be sent. */
  waitsUntil: z.string().nullable(),
  /** Whether the hub holds its token. */
  atHub: z.boolean(),
  /** The scopes that the access needs at least, as the destination calls them. */
  scopes: z.array(z.string()),
  /** The field of a lead that each property gets, by the names of mappings. */
  fields: z.record(z.string(), field),
  /** Whether its records can be read back. */
  readsBack: z.boolean(),
});

/**
 * `field`: name of a field of a lead. `property`: the destination's property for it, or null. `question`: the text of
 * the question if the field is an answer.
 */
const mappedSchema = z.object({ field, property: z.string().nullable(), question: z.string().nullable() });

/**
 * Why a mapping is refused. `reserved`: the destination identifies its records by the property. `taken`: the field
 * `by` is already sent there.
 */
const mappingFaultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reserved'), property: z.string() }),
  z.object({ kind: z.literal('taken'), property: z.string(), by: z.string() }),
]);

const plannedSchema = z.object({
  lead,
  name: z.string().nullable(),
  /**
   * `skip`: the lead would be skipped, for this `reason`. The others compare with the record there, or with what was
   * sent last if the destination cannot be read.
   */
  does: z.enum(['create', 'update', 'nothing', 'skip']),
  reason: z.union([pushReasonSchema, z.literal('noConsent')]).nullable(),
  /** Properties that would be written. */
  writes: z.array(z.string()),
  /** Properties whose values differ there, so staff must decide. */
  conflicts: z.array(z.string()),
  /**
   * The e-mail address of the team member that belongs to no user there, so no owner is set. Null if none is missing.
   */
  unknownOwner: z.string().nullable(),
});

/**
 * `refused`: the access does not work, `pause` says why, and nothing was stored. `address`: the typed address is not
 * one with https. `otherAddress`: the sign-in is for another organisation than the destination. `connectedBefore`: a
 * destination of this device has this account. `secret`: the typed signing secret is not one of Standard Webhooks.
 */
const connectedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connected'), id }),
  z.object({
    kind: z.literal('refused'),
    pause: z.union([
      destinationPauseSchema,
      z.enum(['address', 'otherAddress', 'connectedBefore', 'secret']),
    ]),
  }),
  z.object({ kind: z.literal('failed'), reason: z.enum(['full', 'readOnly', 'failing']) }),
]);

const choice = z.object({ id, filter: leadFilterSchema });

export const destinationCalls = {
  list: oc.output(z.array(destinationSchema)),
  /** Whether this device lost its destinations with their file, and none was connected since. */
  lost: oc.output(z.boolean()),
  /** Connects with a token or a signing secret that the user typed. Nothing is sent yet. */
  connect: oc
    .input(
      z.object({
        kind: destinationKindSchema,
        name: z.string().min(1).max(80),
        /** Empty: the default address of this kind. */
        address: z.string().max(500),
        token: z.string().min(SHORTEST_TOKEN).max(4_000),
      }),
    )
    .output(connectedSchema),
  /** Changes the name of a destination. `kept` is false if another one has this name. */
  rename: oc
    .input(z.object({ id, name: z.string().trim().min(1).max(80) }))
    .output(z.object({ kept: z.boolean() })),
  /** Replaces the token of a destination. Its leads and settings stay. A refused token changes nothing. */
  replaceToken: oc
    .input(z.object({ id, token: z.string().min(SHORTEST_TOKEN).max(4_000) }))
    .output(connectedSchema),
  /** Destinations whose token is at the hub, and that are not connected yet. `fault`: the hub does not answer now. */
  offered: oc.output(
    z.object({
      offers: z.array(z.object({ id, kind: destinationKindSchema, name: z.string(), host: z.string() })),
      fault: hubFaultSchema.nullable(),
    }),
  ),
  /** Connects an offered destination. Nothing is sent yet. */
  connectOffered: oc.input(z.object({ id })).output(connectedSchema),
  /**
   * Begins OAuth with PKCE. The user opens `url` in a browser; the outcome is in `authorized`. `replaces`: the
   * destination that gets this access. Without it, the sign-in connects a new destination.
   */
  authorize: oc
    .input(
      z.object({
        kind: destinationKindSchema,
        name: z.string().min(1).max(80),
        address: z.string().max(500),
        clientId: z.string().min(1).max(500),
        replaces: id.optional(),
      }),
    )
    .output(z.object({ url: z.string().nullable() })),
  /** The outcome of the last sign-in that `authorize` began. Null while nobody has signed in. */
  authorized: oc.output(connectedSchema.nullable()),
  /** Tests the access again. A webhook receives a test event. */
  test: oc.input(z.object({ id })).output(z.object({ pause: destinationPauseSchema.nullable() })),
  /**
   * Changes the given settings, and of the mapping the given fields. Two pages that change different settings keep
   * both. A mapping with a `fault` changes nothing.
   */
  save: oc
    .input(z.object({ id, settings: settingsChangeSchema }))
    .output(z.object({ kept: z.boolean(), fault: mappingFaultSchema.nullable() })),
  /** The fields with their properties, all properties of the destination, and a preview of up to three leads. */
  mapping: oc.input(z.object({ id })).output(
    z.object({
      fields: z.array(mappedSchema),
      /** Null if they are unknown (`pause`), or if the destination accepts any name. */
      properties: z
        .array(z.object({ name: z.string(), label: z.string(), required: z.boolean() }))
        .nullable(),
      /** Why the destination does not name its properties, or null. */
      pause: destinationPauseSchema.nullable(),
      leads: z.array(z.object({ lead, values: z.record(z.string(), z.string()) })),
    }),
  ),
  /** What sending these leads would do, at most 200 of them. `pause`: why that is unknown, or null. */
  dryRun: oc.input(choice).output(
    z.object({
      planned: z.array(plannedSchema),
      pause: destinationPauseSchema.nullable(),
      total: z.number().int(),
    }),
  ),
  /**
   * Sends these leads. `queued`: includes leads that wait already. `skipped`: leads without the required consent.
   * `unchanged`: leads that were sent with the same values; only a lead that is chosen alone is sent again.
   */
  send: oc
    .input(choice)
    .output(z.object({ queued: z.number().int(), skipped: z.number().int(), unchanged: z.number().int() })),
  /**
   * The state of a lead at each destination. `notSent`: it is never sent, for this `reason`. `due`: it waits, also while
   * a change may still be undone. If the destination makes it wait, `pause` or `waitsUntil` says why.
   */
  ofLead: oc.input(z.object({ lead })).output(
    z.array(
      z.object({
        id,
        name: z.string(),
        state: z.union([stateSchema, z.literal('notSent')]),
        reason: z.union([pushReasonSchema, z.literal('noConsent')]).nullable(),
        why: z.string().nullable(),
        conflicts: z.array(z.string()),
        readsBack: z.boolean(),
        pause: destinationPauseSchema.nullable(),
        waitsUntil: z.string().nullable(),
        atHub: z.boolean(),
      }),
    ),
  ),
  /** Parked leads, at most 200. */
  parked: oc.input(z.object({ id })).output(
    z.array(
      z.object({
        lead,
        name: z.string().nullable(),
        reason: pushReasonSchema,
        why: z.string().nullable(),
      }),
    ),
  ),
  /**
   * Sends parked leads again, all or one. `leftOut`: leads whose record was deleted there. It is created again
   * only if `lead` names this lead, so ask the user first.
   */
  retry: oc
    .input(z.object({ id, lead: lead.optional() }))
    .output(z.object({ retried: z.number().int(), leftOut: z.number().int() })),
  /** Both values of each property in conflict, at most 50 leads. `pause`: why they are unknown, or null. */
  conflicts: oc.input(z.object({ id })).output(
    z.object({
      leads: z.array(
        z.object({
          lead,
          name: z.string().nullable(),
          fields: z.array(z.object({ property: z.string(), ours: z.string(), theirs: z.string() })),
        }),
      ),
      pause: destinationPauseSchema.nullable(),
    }),
  ),
  /** Decides a conflict by field. `done` is false if the property is not in conflict any more. */
  decide: oc
    .input(
      z.object({
        id,
        lead,
        property: z.string().max(200),
        keep: z.enum(['ours', 'theirs']),
        theirs: z.string(),
      }),
    )
    .output(z.object({ done: z.boolean() })),
  /**
   * Revokes the access if possible, and removes the destination with all its states. An access at the hub is not
   * revoked.
   */
  forget: oc.input(z.object({ id })).output(z.object({ revoked: z.boolean() })),
};

export type Connected = z.infer<typeof connectedSchema>;
export type DestinationSettings = z.infer<typeof destinationSettingsSchema>;
export type SettingsChange = z.infer<typeof settingsChangeSchema>;
export type MappingFault = z.infer<typeof mappingFaultSchema>;
export type Destination = z.infer<typeof destinationSchema>;
export type HubFault = z.infer<typeof hubFaultSchema>;
export type DestinationPause = z.infer<typeof destinationPauseSchema>;
export type DestinationKindName = z.infer<typeof destinationKindSchema>;
export type PlannedPush = z.infer<typeof plannedSchema>;
export type PushReason = z.infer<typeof pushReasonSchema>;
