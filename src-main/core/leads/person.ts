/**
 * The person of a lead: as the platform told it, and as the team corrected it. Pure.
 *
 * Invariants: any field may be missing or of another type; a correction stands beside the original, never over it; the
 * name of somebody who has none is null.
 */
import type { LeadDetail } from '../../contract/leads.ts';
import { parseOrUndefined } from '../api/json.ts';
import { CORRECTED_FIELDS, type CorrectedField } from '../journal/fact.ts';
import type { SourcePerson } from '../journal/lead-sources.ts';
import { isEastAsian } from '../text/fold.ts';

export type LeadPerson = LeadDetail['person'];

/** What the team says of the fields of a person; null: nothing. */
export type Corrections = Readonly<Record<CorrectedField, string | null>>;

/** Nothing corrected. */
export const NO_CORRECTIONS: Corrections = {
  ...{ firstName: null, lastName: null, company: null },
  ...{ jobTitle: null, email: null, phone: null },
};

/** The person of a lead, and where it lives in a few words. */
export function personOf(
  source: SourcePerson | null,
  corrections: Corrections,
): { readonly person: LeadPerson; readonly place: string | null } {
  const record = recordOf(source?.record ?? null);
  const original = (field: CorrectedField): string | null =>
    field === 'company' || field === 'jobTitle'
      ? (textOf(record[field]) ?? source?.[field] ?? null)
      : textOf(record[field]);
  const correctable = (field: CorrectedField) => ({
    original: original(field),
    corrected: corrections[field],
  });
  const fields = Object.fromEntries(CORRECTED_FIELDS.map((field) => [field, correctable(field)])) as Record<
    CorrectedField,
    ReturnType<typeof correctable>
  >;
  const isNamed = corrections.firstName !== null || corrections.lastName !== null;
  const named = nameOf(present(fields.firstName), present(fields.lastName));
  return {
    person: {
      ...fields,
      name: isNamed ? named : (source?.name ?? named),
      address: addressOf(record),
      country: textOf(record.country),
      language: textOf(record.language),
    },
    place: source?.place ?? null,
  };
}

/** What a field says now. */
export function present({ original, corrected }: LeadPerson['email']): string | null {
  return corrected ?? original;
}

function nameOf(first: string | null, last: string | null): string | null {
  const isFamilyFirst = isEastAsian(first ?? '') && isEastAsian(last ?? '');
  return (isFamilyFirst ? [last, first] : [first, last]).filter((part) => part !== null).join(' ') || null;
}

/** The record, with the fields of `contact` where it has none of its own. */
function recordOf(text: string | null): Readonly<Record<string, unknown>> {
  const record = text === null ? undefined : parseOrUndefined(text);
  if (!isObject(record)) return {};
  return isObject(record.contact) ? { ...record.contact, ...record } : record;
}

function addressOf(record: Readonly<Record<string, unknown>>): string | null {
  const { address } = record;
  const own = isObject(address) ? Object.values(address).map(textOf) : [textOf(address)];
  const around = [textOf(record.street), [textOf(record.zip), textOf(record.city)].filter(Boolean).join(' ')];
  return [...own, ...around].filter((part) => part !== null && part !== '').join(', ') || null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return value.trim() === '' ? null : value.trim();
}
