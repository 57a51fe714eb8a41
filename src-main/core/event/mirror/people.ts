/**
 * Reads people from mirrored visitor records: the fewest fields for the public screen, and the fields that the stand
 * team needs for the lead. Pure.
 *
 * Invariants:
 * - Every field may be missing.
 * - A public screen gets the first name and one initial, or one of the two names alone.
 * - Long texts are truncated here, so that no layout must do it.
 * - A hub returns a record without contact details; `withheld` lists the missing fields
 *   (docs/hub.md#what-a-device-holds).
 */
import type { PublicProfile } from '../../../contract/tap.ts';
import { parseOrUndefined, stringifyJson } from '../../foundations/api/json.ts';
import { isEastAsian } from '../../foundations/text/fold.ts';
import type { MirrorRecord } from './mirror.ts';

const LONGEST = 200;

/** Visitor data stored with a lead. `record` is the visitor's record as JSON. */
export type VisitorSnapshot = {
  readonly id: string;
  readonly name: string;
  readonly company: string | null;
  readonly jobTitle: string | null;
  readonly place: string | null;
  readonly record: string;
};

/** The visitor data for a lead. */
export function snapshotOf(visitor: MirrorRecord): VisitorSnapshot {
  const { body } = visitor;
  const name = wholeName(text(body.firstName), text(body.lastName));
  return {
    id: visitor.id,
    name: name === '' ? (text(body.company) ?? visitor.id) : name,
    company: text(body.company),
    jobTitle: text(body.jobTitle),
    place: [text(body.city), text(body.country)].filter((part) => part !== null).join(', ') || null,
    record: visitor.text,
  };
}

/** The text in a record's JSON that shows that fields are withheld. */
export const WITHHELD = '"withheld":[';

/** Whether a visitor has a field, even if the hub withholds its value. */
export function hasField({ body }: Pick<MirrorRecord, 'body'>, field: string): boolean {
  const { [field]: value, withheld } = body;
  return (typeof value === 'string' && value !== '') || (Array.isArray(withheld) && withheld.includes(field));
}

/**
 * The visitor data for a lead that already has the record `known` (JSON, or null). A field that the hub withholds
 * keeps its known value. The record still lists it as withheld, unless `known` is complete and has the same revision.
 */
export function withKnownDetails(visitor: VisitorSnapshot, known: string | null): VisitorSnapshot {
  if (known === null || !visitor.record.includes(WITHHELD)) return visitor;
  const now = objectOf(visitor.record);
  const before = objectOf(known);
  const withheld: readonly unknown[] = Array.isArray(now.withheld) ? now.withheld : [];
  const kept = Object.entries(before).filter(([field]) => withheld.includes(field));
  const isSame = before.withheld === undefined && before.revision === now.revision;
  const body = isSame ? before : { ...now, ...Object.fromEntries(kept) };
  return snapshotOf({ id: visitor.id, revision: 0n, body, text: isSame ? known : stringifyJson(body) });
}

function objectOf(json: string): Readonly<Record<string, unknown>> {
  const value = parseOrUndefined(json);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The visitor data for a public screen. */
export function publicProfileOf(visitor: MirrorRecord): PublicProfile {
  const { body } = visitor;
  return {
    name: publicName(text(body.firstName), text(body.lastName)),
    company: text(body.company),
    language: text(body.language),
  };
}

function wholeName(first: string | null, last: string | null): string {
  const isFamilyFirst = isEastAsian(first ?? '') && isEastAsian(last ?? '');
  return (isFamilyFirst ? [last, first] : [first, last]).filter((part) => part !== null).join(' ');
}

function publicName(first: string | null, last: string | null): string {
  if (first === null || last === null) return first ?? last ?? '';
  const particles = leadingParticles(last);
  // In these scripts names begin with the family name, which is also the form of address, and have no initials. A
  // given name is often one character, so adding its "initial" would show the complete name.
  if (isEastAsian(last)) return last;
  const rest = last.slice(particles.length);
  return `${first} ${particles.replace(/^(?:ال|al-|el-)$/i, '')}${[...rest][0] ?? ''}.`;
}

/** Name particles that are written out. Arabic and Hebrew articles are joined to the family name without a space. */
const PARTICLE =
  /^(?:(?:van|von|vom|zu|zur|zum|und|de|den|der|des|del|della|delle|dei|degli|di|da|das|do|dos|du|le|la|les|los|las|el|al|bin|ibn|ben|bint|abu|af|av|ter|ten|te|op|in|'t|san|santa|st\.?)\s+|d[’']|al-|el-|ال)/iu;

/** The particles at the start of `last`, but never all of `last`. */
function leadingParticles(last: string): string {
  let length = 0;
  for (;;) {
    const found = PARTICLE.exec(last.slice(length))?.[0].length ?? 0;
    if (found === 0 || length + found >= last.length) return last.slice(0, length);
    length += found;
  }
}

function text(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const trimmed = value.replace(/\p{Cc}/gu, ' ').trim();
  return trimmed === '' ? null : trimmed.slice(0, LONGEST);
}
