/**
 * Read-only resources: touchpoints, and the records derived from interactions (actions, connections, participants).
 * Interactions (`interactions/`) and seeding write them; a request body never does.
 */
import { z } from 'zod';
import type { Query } from '../http/operation.ts';
import { id, instant, queryText, revision, text, undocumented } from './fields.ts';
import { connectionFields } from './lead-fields.ts';
import type { Resource } from './resource.ts';

/** NFC devices that log badge scans. */
export const touchpoints: Resource = {
  kind: 'touchpoint',
  folder: 'touchpoints',
  noun: 'touchpoint',
  parameter: 'touchpointId',
  ofCompany: 'own',
  basic: z.object({
    id: id(),
    expoID: id(),
    name: text(),
    partnerID: id().optional(),
    contentID: id().optional(),
    activityID: id().optional(),
    locationID: id().optional(),
    purpose: z.enum(['lead', 'content', 'checkin']),
    serial: text(100).optional(),
    revision: revision(),
  }),
  list: {
    most: 1000,
    filters: { partnerId: { column: 'partner_id', schema: queryText().optional(), undocumented: true } },
    showDeleted: false,
    documented: false,
  },
  reads: { documented: false },
};

export const actionSources = ['nfc', 'qr', 'wedge', 'manual'] as const;

/** Raw interaction records. `clientID` is the id of the original fact. */
export const actions: Resource = {
  kind: 'action',
  folder: 'actions',
  noun: 'action',
  parameter: 'actionId',
  ofCompany: 'own',
  basic: z.object({
    id: id(),
    expoID: id(),
    type: z.enum(['scan', 'print', 'manual']),
    at: instant(),
    touchpointID: id().optional(),
    locationID: id().optional(),
    partnerID: id().optional(),
    visitorID: id().optional(),
    contentID: id().optional(),
    activityID: id().optional(),
    badge: text(300).optional(),
    source: z.enum(actionSources),
    clientID: text(64).optional(),
    revision: revision(),
    deleted: z.literal(true).optional(),
  }),
  list: {
    most: 100,
    filters: {
      locationId: { column: 'location_id', schema: queryText().optional() },
      partnerId: { column: 'partner_id', schema: queryText().optional() },
      visitorId: { column: 'visitor_id', schema: queryText().optional() },
      contentId: { column: 'content_id', schema: queryText().optional() },
    },
    showDeleted: false,
    alwaysShowsDeleted: true,
    webhooks: ['action'],
    documented: true,
  },
};

/** Adds the owner type to a query that names no type and exactly one side. */
function detectOwner(query: Query): Query {
  if (query.type !== undefined) return query;
  const byPartner = query.partnerId !== undefined;
  const byVisitor = query.visitorId !== undefined;
  if (byPartner === byVisitor) return query;
  return { ...query, type: byPartner ? 'partner' : 'visitor' };
}

const ownerType =
  'Owner type: `partner` selects the leads of an exhibitor, `visitor` the contents that a visitor ' +
  'collected. Default: `partner` with `partnerId`, `visitor` with `visitorId`, otherwise both.';

/** Interactions between a visitor and a partner. `type`: the side to whose list the record belongs. */
export const connections: Resource = {
  kind: 'connection',
  folder: 'connections',
  noun: 'connection',
  parameter: 'connectionId',
  ofCompany: 'own',
  basic: z.object({
    id: id(),
    expoID: id(),
    type: z.enum(['visitor', 'partner']),
    visitorID: id(),
    partnerID: id(),
    first: instant(),
    last: instant(),
    count: z.int(),
    contents: z.array(id()),
    ...connectionFields,
    labels: z.array(z.string()),
    /** The corrections of the person by the partner's team. The visitor's record does not change. */
    corrected: z.record(z.string(), z.string()).optional(),
    /** The statements about the lead with their authors, oldest first. */
    history: z.array(z.unknown()).optional(),
    revision: revision(),
    deleted: z.literal(true).optional(),
  }),
  category: 'type',
  keepsDeleted: true,
  list: {
    most: 100,
    filters: {
      type: {
        column: 'category',
        schema: z.enum(['visitor', 'partner']).optional().meta({ description: ownerType }),
      },
      partnerId: { column: 'partner_id', schema: queryText().optional() },
      visitorId: { column: 'visitor_id', schema: queryText().optional() },
    },
    showDeleted: false,
    alwaysShowsDeleted: true,
    webhooks: ['connection'],
    documented: true,
    complete: detectOwner,
  },
  reads: { documented: true },
};

/** Attendance summaries, keyed by visitor. */
export const participants: Resource = {
  kind: 'participant',
  folder: 'participants',
  noun: 'participant',
  parameter: 'visitorId',
  basic: z.object({
    visitorID: id(),
    expoID: id(),
    firstSeen: instant().optional(),
    lastSeen: instant().optional(),
    present: z.boolean(),
    activities: z.array(z.object({ activityID: id(), entered: instant(), left: instant().optional() })),
    actions: z.int(),
    connections: z.int(),
    revision: revision(),
    deleted: undocumented(z.literal(true).optional()),
  }),
  list: {
    most: 100,
    filters: {},
    showDeleted: false,
    alwaysShowsDeleted: true,
    webhooks: ['participant'],
    documented: true,
  },
  reads: { documented: true },
};
