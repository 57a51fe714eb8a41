/**
 * Plans a send to a destination: values of the properties, writes, conflicts. Pure.
 *
 *     the value there is ours or empty ──► write
 *     it was changed there, and not here         ──► leave it
 *     it was changed there and here              ──► conflict: staff decide by field
 *
 * Invariants:
 * - A value that may not be ours is overwritten only after staff decided about exactly these two values.
 * - An empty value overwrites only a value that we wrote.
 * - No stored mapping sends a field to a property that identifies a record there, or two fields to one property.
 * - An owner that was chosen at the destination stays. That is not a conflict, because staff here could only compare
 *   ids.
 */
import { createHash } from 'node:crypto';
import type { MappingFault } from '../../../contract/destinations.ts';
import { LEAD_FIELD_NAMES, type LeadField } from '../../../contract/lead-fields.ts';
import { type CrmSetting, rowOf } from '../formats/crm-csv.ts';
import type { ExportLead } from '../formats/export-lead.ts';
import { startCounting } from '../formats/profile.ts';
import type { DestinationKind, Found, Values } from './adapter.ts';
import { hashOf, type RecordRow, type Sending, type Wrote } from './store.ts';

/**
 * A field of a lead: its name in mappings, its default property, and its text. `question`: the question, if the field
 * is an answer; otherwise null.
 */
type MappedField = {
  readonly field: string;
  readonly property: string | null;
  readonly text: string;
  readonly question: string | null;
};

/** The answers to the team's form are among `answers`. */
const TEAM_FIELDS = LEAD_FIELD_NAMES.filter((name) => name !== 'form');

/**
 * Every field of a lead that can be mapped: the columns of the CRM, the team's fields, the owner, the answers.
 * `owner`: the address of the lead's member of the team.
 */
export function fieldsOf(
  kind: DestinationKind,
  mapping: Readonly<Record<string, string | null>>,
  lead: ExportLead,
  setting: CrmSetting,
  owner: string | null,
): readonly MappedField[] {
  const columns = kind.columns(setting);
  const texts = rowOf(columns, lead, startCounting());
  const fieldOf = (field: string, usual: string | null, text: string, question: string | null = null) => {
    const { [field]: property = usual } = mapping;
    return { field, property, text, question };
  };
  return [
    ...columns.map(({ title, property }, at) => fieldOf(title, property, texts[at] ?? '')),
    ...TEAM_FIELDS.map((name) => fieldOf(`lead.${name}`, null, textOf(lead, name))),
    fieldOf('owner', kind.owner, owner ?? ''),
    ...lead.answers.map(({ id, question, answer }) => fieldOf(`answer.${id}`, null, answer, question)),
  ];
}

/** The property of each field in the order of `fieldsOf`, without the answers that no mapping names. */
export function targetsOf(
  kind: DestinationKind,
  mapping: Readonly<Record<string, string | null>>,
  setting: CrmSetting,
): readonly (readonly [field: string, property: string | null])[] {
  const usual: (readonly [string, string | null])[] = [
    ...kind.columns(setting).map(({ title, property }) => [title, property] as const),
    ...TEAM_FIELDS.map((name) => [`lead.${name}`, null] as const),
    ['owner', kind.owner],
  ];
  return Object.entries({ ...Object.fromEntries(usual), ...mapping });
}

/** The field that each property gets. */
export function fieldsByProperty(...from: Parameters<typeof targetsOf>): Record<string, string> {
  return Object.fromEntries(
    targetsOf(...from).flatMap(([field, property]) => (property === null ? [] : [[property, field]])),
  );
}

/**
 * A stored mapping without the faults that `mappingFaultOf` refuses. An earlier version may have stored them, and a
 * later version may send another field by default. Of several fields for one property the last one was effective: it
 * stays, and the others are not sent. A field for an identifying property goes to its usual property.
 */
export function repairedMapping(
  kind: DestinationKind,
  mapping: Readonly<Record<string, string | null>>,
  setting: CrmSetting,
): Readonly<Record<string, string | null>> {
  const kept = Object.fromEntries(Object.entries(mapping).filter((one) => !isReserved(kind, ...one)));
  const targets = targetsOf(kind, kept, setting);
  const last = new Map(targets.map(([field, property]) => [property?.toLowerCase(), field]));
  const others = targets.filter(
    ([field, property]) => property !== null && last.get(property.toLowerCase()) !== field,
  );
  return { ...kept, ...Object.fromEntries(others.map(([field]) => [field, null])) };
}

/**
 * Why a change of a mapping is refused, or null. `mapping`: the mapping after the change. `changed`: the fields that
 * the change names.
 */
export function mappingFaultOf(
  kind: DestinationKind,
  mapping: Readonly<Record<string, string | null>>,
  changed: readonly string[],
  setting: CrmSetting,
): MappingFault | null {
  const targets = targetsOf(kind, mapping, setting);
  for (const field of changed) {
    const property = mapping[field] ?? null;
    if (property === null) continue;
    if (isReserved(kind, field, property)) return { kind: 'reserved', property };
    const [by = null] =
      targets.find(([other, taken]) => other !== field && taken?.toLowerCase() === property.toLowerCase()) ??
      [];
    if (by !== null) return { kind: 'taken', property, by };
  }
  return null;
}

/** Whether the property identifies a record there and belongs to other fields. */
function isReserved({ reserved }: DestinationKind, field: string, property: string | null): boolean {
  const fields = reserved.get(property?.toLowerCase() ?? '');
  return fields !== undefined && !fields.includes(field);
}

/** The values of a lead by property. */
export function valuesOf(fields: readonly MappedField[]): Values {
  return Object.fromEntries(
    fields.flatMap(({ property, text }) => (property === null ? [] : [[property, text] as const])),
  );
}

function textOf(lead: ExportLead, name: LeadField): string {
  const value = lead[name];
  return Array.isArray(value) ? value.join('; ') : String(value ?? '');
}

/**
 * The id of a delivery. `before`: the id of the previous delivery of the same record, or the start of its series. A
 * repeated delivery keeps its id. A later delivery gets another id, even if its content is the same as that of an
 * earlier one.
 */
export function deliveryId(before: string, content: unknown): string {
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
  const start = `msg_${hash(JSON.stringify(content))}`;
  return before.startsWith(start) ? before : start + hash(before + start);
}

/** The content of a delivery, for `deliveryId`. */
export function contentOf(externalId: string, values: Values): unknown {
  return ['lead.changed', externalId, Object.entries(values).toSorted()];
}

export type Plan = {
  readonly writes: Values;
  readonly sending: Sending;
  /** Properties for which staff must decide. */
  readonly conflicts: readonly string[];
  /** The known values of the record after the plan. */
  readonly wrote: Wrote;
};

/** The plan for a lead. `found`: the record there, or null. `owner`: the property of its owner, or null. */
export function planOf(
  record: Pick<RecordRow, 'wrote' | 'decided'>,
  found: Found | null,
  values: Values,
  owner: string | null,
): Plan {
  const writes: Record<string, string> = {};
  const sending: Record<string, Sending[string]> = {};
  const conflicts: string[] = [];
  const wrote: Record<string, Wrote[string]> = { ...record.wrote };
  for (const [property, value] of Object.entries(values)) {
    const there = found?.values[property] ?? '';
    const known = { want: hashOf(value), before: hashOf(there) };
    switch (verdictOf(record, property, found === null ? null : there, value)) {
      case 'same':
        wrote[property] = { want: known.want, seen: known.before, tried: [] };
        break;
      case 'conflict':
        if (property !== owner) conflicts.push(property);
        break;
      case 'write': {
        const before = record.wrote[property] ?? { want: null, seen: null, tried: [] };
        writes[property] = value;
        sending[property] = known;
        wrote[property] = { ...before, tried: [...before.tried, known.want].slice(-MOST_TRIED) };
        break;
      }
      case 'leave':
        break;
    }
  }
  return { writes, sending, conflicts, wrote };
}

/** Maximum number of stored values that may have arrived, because no answer came. */
const MOST_TRIED = 4;

/** Whether the last write of this property had this value. */
export function isLastWritten({ wrote }: Pick<RecordRow, 'wrote'>, name: string, value: string): boolean {
  const last = wrote[name];
  return (last?.tried.at(-1) ?? last?.want ?? '') === hashOf(value);
}

function verdictOf(
  { wrote, decided }: Pick<RecordRow, 'wrote' | 'decided'>,
  property: string,
  there: string | null,
  value: string,
): 'same' | 'write' | 'leave' | 'conflict' {
  if (there === null) return value === '' ? 'leave' : 'write';
  if (isSame(value, there)) return 'same';
  const last = wrote[property];
  const want = hashOf(value);
  const now = hashOf(there);
  if (last === undefined) {
    if (value === '') return 'leave';
    if (there === '') return 'write';
  } else {
    if (last.seen === now || last.tried.includes(now)) return 'write';
    // Nothing changed here, so the change at the destination stays.
    if (last.want === want) return 'leave';
    if (last.want === null && there === '') return 'write';
  }
  const decision = decided[property];
  if (decision === undefined || decision.want !== want || decision.there !== now) return 'conflict';
  return decision.keep === 'ours' ? 'write' : 'leave';
}

/** Whether two values are equal except for the usual changes of a CRM: outer spaces, line ends, case of an address. */
function isSame(one: string, other: string): boolean {
  const plain = (text: string): string => {
    const trimmed = text.replace(/\r\n?/gu, '\n').trim();
    return /^\S+@\S+$/u.test(trimmed) ? trimmed.toLowerCase() : trimmed;
  };
  return plain(one) === plain(other);
}

/**
 * The known state of a record that shows the sent values. Null if a property still has its previous value, so the
 * record does not show them yet. `values`: the current lead.
 */
export function seenOf(
  { wrote }: Pick<RecordRow, 'wrote'>,
  sending: Sending,
  found: Found,
  values: Values,
): Wrote | null {
  const known: Record<string, Wrote[string]> = { ...wrote };
  for (const [property, { want, before }] of Object.entries(sending)) {
    const there = found.values[property] ?? '';
    const now = hashOf(there);
    if (now === before && now !== want) {
      const value = values[property] ?? '';
      if (hashOf(value) !== want || !isAlike(value, there)) return null;
    }
    // A value that differs only in format is ours. Any other value was changed at the destination and stays.
    const isOurs = now === want || isAlike(values[property] ?? '', there);
    known[property] = { want, seen: isOurs ? now : want, tried: [] };
  }
  return known;
}

/** Whether two values consist of the same letters and digits. */
function isAlike(one: string, other: string): boolean {
  const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return bare(one) === bare(other);
}
