/**
 * Converts an item of another device, as the hub sends it, back to its fact. Pure; never throws.
 *
 * Invariants:
 * - A fact keeps its id, its time by the platform's clock, and its content.
 * - Data that an item lacks (further codes of a badge, leads merged without a visitor) stays absent.
 * - Unknown items are left out.
 */
import { z } from 'zod';
import { FACT_KINDS } from '../../../contract/fact-kinds.ts';
import type { Fact } from '../../journal/facts/fact.ts';
import { CHAIN_START, sha256 } from '../../journal/facts/fact.ts';

const SOURCES = ['nfc', 'qr', 'wedge', 'manual'] as const;
const CLASH = /^clash /u;

const itemSchema = z.object({
  id: z.string().max(64),
  kind: z.enum(FACT_KINDS),
  at: z.string(),
  touchpointID: z.string().nullish(),
  partnerID: z.string(),
  badge: z.string().optional(),
  visitorID: z.string().optional(),
  contentID: z.string().optional(),
  activityID: z.string().optional(),
  source: z.string().nullish(),
  staff: z.string().nullish(),
  fields: z.record(z.string(), z.unknown()).optional(),
  undoes: z.string().optional(),
});

/** A fact of another device, without a position in this journal's chain. */
type TeamFact = Fact & { readonly partner: string };

/** The fact of an item, or null. `leadOf`: this device's lead for a badge, which an attachment needs. */
export function factOfItem(item: unknown, leadOf: (badge: string) => string | null): TeamFact | null {
  const parsed = itemSchema.safeParse(item);
  if (!parsed.success) return null;
  const { id, kind, touchpointID, partnerID, source, staff } = parsed.data;
  const at = Date.parse(parsed.data.at);
  const payload = payloadOf(parsed.data, leadOf);
  if (Number.isNaN(at) || payload === null) return null;
  const fact = {
    seq: 0,
    id,
    kind,
    at,
    mono: 0,
    boot: '',
    clockOffset: 0,
    reader: null,
    touchpoint: touchpointID ?? null,
    partner: partnerID,
    staff: staff ?? null,
    source: SOURCES.find((known) => known === source) ?? null,
    payload,
    payloadSha256: sha256(JSON.stringify(payload)),
    previousHash: CHAIN_START,
    hash: '',
  };
  // An item was made from a fact of its kind, so it has the fields of that kind.
  return fact as unknown as TeamFact;
}

type Item = z.infer<typeof itemSchema>;

function payloadOf(item: Item, leadOf: (badge: string) => string | null): object | null {
  const { kind, visitorID, contentID, activityID, undoes } = item;
  if (kind === 'undo' ? undoes === undefined : item.badge === undefined) return null;
  const badge = item.badge?.replace(CLASH, '');
  const lead = kind === 'attach' ? (leadOf(badge ?? '') ?? item.id) : null;
  if (lead !== null && visitorID === undefined) return null;
  const { deviceAt: _raw, ...fields } = item.fields ?? {};
  return {
    ...(badge === undefined ? {} : { badge }),
    ...(badge === item.badge ? {} : { clash: true }),
    ...(visitorID === undefined ? {} : { visitor: visitorID }),
    ...(contentID === undefined ? {} : { content: contentID }),
    ...(activityID === undefined ? {} : { activity: activityID }),
    ...(undoes === undefined ? {} : { undoes }),
    ...(lead === null ? {} : { lead }),
    ...(item.fields === undefined || Object.keys(fields).length === 0 ? {} : { fields }),
  };
}
