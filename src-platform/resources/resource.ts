/**
 * A resource: one value per kind of record, from which list, read, create, update and delete are built.
 *
 * Invariant: a resource declares its fields once, as schemas; storage, validation and description follow from them.
 */
import { z } from 'zod';
import type { Query, Shown } from '../http/operation.ts';
import type { Expo } from '../store/expo.ts';
import type { Doc, Shape, StoredRecord } from '../store/records.ts';
import type { Write } from '../store/store.ts';

/** A column of the record table by which a list can be filtered. */
export type FilterColumn =
  | 'partner_id'
  | 'visitor_id'
  | 'content_id'
  | 'location_id'
  | 'contact_id'
  | 'reference'
  | 'state'
  | 'category';

export type Filter = {
  readonly column: FilterColumn;
  readonly schema: z.ZodType;
  /** The parameter holds several values; a record matches any of them. */
  readonly many?: boolean;
  readonly undocumented?: boolean;
};

/** The webhook types of docs/interface/webhooks.md#types, and `activity`, which some clients of this API register. */
export const webhookTypes = [
  'action',
  'activity',
  'connection',
  'content',
  'order',
  'participant',
  'partner',
  'payment',
  'visitor',
] as const;
export type WebhookType = (typeof webhookTypes)[number];

export type ListRule = {
  readonly most: number;
  readonly filters: Readonly<Record<string, Filter>>;
  readonly showDeleted: boolean;
  /** `showDeleted` is published for other lists (docs/interface/lists.md#filters), not for this one. */
  readonly showDeletedUndocumented?: true;
  /** Deleted records are always listed, so that readers learn of a deletion. */
  readonly alwaysShowsDeleted?: boolean;
  /** The webhook types whose `webhookId` this list accepts. */
  readonly webhooks?: readonly WebhookType[];
  readonly documented: boolean;
  /** Default values of the query parameters. */
  readonly complete?: (query: Query) => Query;
  /** False if this event has no such list: the answer is empty. */
  readonly isOpen?: (expo: Expo) => boolean;
};

export type WriteContext = {
  readonly write: Write;
  readonly expo: Expo;
  readonly query: Query;
  readonly now: Date;
  readonly newId: () => string;
  /** Webhooks may point to loopback and private addresses. */
  readonly allowPrivateTargets: boolean;
  /** The key may read connections (docs/interface/authentication.md#rights). */
  readonly mayReadConnections: boolean;
};

/** Additions of a resource to the common write path. */
export type WriteRules = {
  /**
   * Builds the whole record from an accepted body; `previous` is the existing record, or null on create. Throws a 422
   * that names the field if the body contradicts the stored data.
   */
  readonly complete: (context: WriteContext, body: Doc, previous: StoredRecord | null) => Promise<Doc> | Doc;
  /** Further changes that belong in the same transaction. */
  readonly follow?: (context: WriteContext, doc: Doc, previous: StoredRecord | null) => Promise<void>;
  /** The fields that a deleted record keeps, besides `deleted`. Absent: all. */
  readonly tombstone?: (doc: Doc) => Doc;
  /** Throws if a record must not be deleted. */
  readonly mayRemove?: (previous: StoredRecord) => void;
};

export type Resource = {
  readonly kind: string;
  /** The path segment, for example `visitors`. */
  readonly folder: string;
  /** The noun for one record, for example `visitor`. */
  readonly noun: string;
  /** The path parameter, for example `visitorId`. */
  readonly parameter: string;
  readonly basic: z.ZodObject;
  readonly extra?: z.ZodObject;
  /** Fields accepted by create and update; missing for a read-only resource. */
  readonly body?: z.ZodObject;
  /** The fields of an update, if they differ from those of create. */
  readonly updateBody?: z.ZodObject;
  /** Unknown fields belong to the client: they are stored and returned. Otherwise they are refused. */
  readonly keepsUnknown?: true;
  /** Bodies that the demo event accepts unchanged, for the description. */
  readonly examples?: { readonly create?: Doc; readonly update?: Doc };
  /** The records that the key of a single company can read: its own, or those of the whole event. Absent: none. */
  readonly ofCompany?: 'own' | 'event';
  /** A record belongs to the key that created it: only that key and the organiser's key see and change it. */
  readonly belongsToKey?: true;
  readonly state?: string;
  readonly category?: string;
  readonly reference?: string;
  readonly list?: ListRule;
  readonly reads?: { readonly documented: boolean };
  readonly writes?: {
    readonly documented: boolean;
    readonly create: boolean;
    readonly update: boolean;
    /** How a deletion is confirmed: with an empty body or with a text; absent if deletion is not possible. */
    readonly remove?: 'empty' | 'text';
    readonly right?: 'webhooks';
    readonly createQuery?: z.ZodObject;
    /** Parameters of `createQuery` that the interface does not publish (docs/interface/undocumented.md). */
    readonly undocumentedQuery?: readonly string[];
    /** The effect of a PUT, if it does not replace the record. */
    readonly updateMeaning?: string;
    readonly rules: WriteRules;
  };
  /** The fields of the list form are published (docs/interface/resources.md). */
  readonly showsFields?: true;
  /** Uploaded images belong to a record and are removed together with it. */
  readonly hasUploads?: true;
  /** A deleted record can still be read, with `deleted: true`. */
  readonly keepsDeleted?: boolean;
};

/** Which fields of a resource's records are stored where. */
export function shapeOf(resource: Resource): Shape {
  return {
    kind: resource.kind,
    basic: Object.keys(resource.basic.shape).filter((name) => name !== 'revision' && name !== 'deleted'),
    detail: Object.keys(resource.extra?.shape ?? {}),
    ...(resource.state ? { state: resource.state } : {}),
    ...(resource.category ? { category: resource.category } : {}),
    ...(resource.reference ? { reference: resource.reference } : {}),
    ...(resource.keepsUnknown ? { keepsUnknown: true } : {}),
  };
}

/** The schema of the single read: list form and additional properties together. */
export function detailSchema(resource: Resource): z.ZodObject {
  return resource.extra ? resource.basic.extend(resource.extra.shape) : resource.basic;
}

/** Fields that a body may contain, because the read form does, and that are ignored. */
function readOnlyFields(resource: Resource, body: z.ZodObject): readonly string[] {
  const shown = ['id', 'expoID', 'revision', 'deleted', ...Object.keys(detailSchema(resource).shape)];
  return [...new Set(shown)].filter((name) => !(name in body.shape));
}

/** The schema of a body: writable fields, read-only fields of the read form, and stored unknown fields. */
export function bodySchema(resource: Resource, body: z.ZodObject): z.ZodObject {
  const readOnly: Record<string, z.ZodType> = {};
  for (const name of readOnlyFields(resource, body)) readOnly[name] = z.unknown().optional();
  const shape = { ...readOnly, id: z.string().optional(), expoID: z.string().optional(), ...body.shape };
  return resource.keepsUnknown ? z.looseObject(shape) : z.strictObject(shape);
}

/** The fields of an accepted body that are written. */
export function writableOf(resource: Resource, body: z.ZodObject, given: Doc): Doc {
  const readOnly = new Set(readOnlyFields(resource, body));
  return Object.fromEntries(Object.entries(given).filter(([name]) => !readOnly.has(name)));
}

function nameOf(resource: Resource): string {
  return resource.noun
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The name of a resource's list form or single read in the description. */
export function shownAs(resource: Resource, form: 'list' | 'single'): Shown {
  const documented = resource.showsFields === true;
  const name = nameOf(resource);
  return form === 'list'
    ? { name: resource.extra ? `${name}ListItem` : name, schema: resource.basic, many: true, documented }
    : { name, schema: detailSchema(resource), many: false, documented };
}
