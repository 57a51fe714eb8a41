/**
 * One item of `POST /actions/{expoId}`: its shape, and the rule by which two items are equal.
 *
 * Invariants
 * - An unknown field is refused by name, so no submitted field is dropped.
 * - The hash covers values only, so that a resend with another order of keys or another notation of the time zone has
 *   the same hash.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FieldError } from '../http/errors.ts';
import { fieldErrorsOf } from '../http/field-errors.ts';
import { actionSources } from '../resources/derived.ts';
import { id, instant, largestRevision, text } from '../resources/fields.ts';
import { factFields } from '../resources/lead-fields.ts';
import { writeJson } from '../store/json.ts';

/** Kinds that are an interaction of a visitor at a touchpoint. */
const interactionKinds = ['tap', 'collect', 'checkin'] as const;

/**
 * All kinds of items. `correct`: a stand team corrects a person. `attach`: a stand team assigns a badge to its owner.
 */
export const kinds = [
  ...interactionKinds,
  'consent',
  'undo',
  'qualify',
  'note',
  'correct',
  'attach',
] as const;

export function isInteraction(kind: string): boolean {
  return interactionKinds.some((one) => one === kind);
}

/** The fields of a fact about a lead or a person. */
const fields = z.looseObject({
  ...factFields,
  direction: z.enum(['in', 'out']).optional(),
  /** Why a tap at a door was turned away. Such a tap creates no connection. */
  turnedAway: text().optional(),
});

const sequence = z
  .union([z.int().min(0), z.bigint().min(0n).max(largestRevision)])
  .meta({ type: 'integer', format: 'int64', minimum: 0, anyOf: undefined });

export const itemSchema = z.strictObject({
  id: z.string().regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'must be a UUID'),
  kind: z.enum(kinds),
  at: instant(),
  seq: sequence.default(0),
  touchpointID: id().optional(),
  partnerID: id().optional(),
  badge: text(300).optional(),
  visitorID: id().optional(),
  contentID: id().optional(),
  activityID: id().optional(),
  locationID: id().optional(),
  source: z.enum(actionSources).default('nfc'),
  staff: text().optional(),
  fields: fields.optional(),
  undoes: z.string().max(64).optional(),
});

export type Item = z.infer<typeof itemSchema>;

export const resultSchema = z.object({
  id: z.string().nullable(),
  result: z.enum(['created', 'duplicate', 'rejected']),
  actionID: id().optional(),
  revision: sequence.optional(),
  errors: z.array(z.object({ field: z.string(), error: z.string(), description: z.string() })).optional(),
});

export type ItemResult = {
  readonly id: string | null;
  readonly result: 'created' | 'duplicate' | 'rejected';
  readonly actionID?: string;
  readonly revision?: bigint;
  readonly errors?: readonly FieldError[];
};

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}

/** A hash of the content. It does not depend on the order of the keys. */
export function hashOf(item: Item): string {
  return createHash('sha256')
    .update(writeJson(sorted(item)))
    .digest('hex');
}

/** The result for an item that is refused. */
export function reject(id: string | null, errors: readonly FieldError[]): ItemResult {
  return {
    id,
    result: 'rejected',
    errors,
  };
}

/** An empty field is treated as absent, so that senders may omit unknown fields or leave them empty. */
function withoutEmpty(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry)
    ? Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null && value !== ''))
    : entry;
}

function idOf(entry: unknown): string | null {
  const id = (entry as { readonly id?: unknown } | null)?.id;
  return typeof id === 'string' ? id.slice(0, 200) : null;
}

/** A parsed item, or the reason why it is invalid. */
export function understand(entry: unknown): Item | ItemResult {
  const parsed = itemSchema.safeParse(withoutEmpty(entry), { reportInput: true });
  if (parsed.success) return parsed.data;
  return reject(idOf(entry), fieldErrorsOf(parsed.error, 'item'));
}

/** Whether the item could be parsed. */
export function isItem(understood: Item | ItemResult): understood is Item {
  return 'kind' in understood;
}
