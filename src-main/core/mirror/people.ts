/**
 * Reading people out of mirrored visitor records: for the screen as little as possible, for the lead what the
 * stand team needs. Pure.
 *
 * Invariants: every field may be missing; a public screen gets the first name and one initial, or the family name
 * alone, never the whole name; long texts are cut so that no layout has to.
 */
import type { PublicProfile } from '../../contract/tap.ts';
import type { VisitorSnapshot } from '../journal/lead-projection.ts';
import { isEastAsian } from '../text/fold.ts';
import type { MirrorRecord } from './mirror.ts';

const LONGEST = 200;

/** What the lead keeps of a visitor. */
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

/** What a public screen shows of a visitor. */
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
  // Names in these scripts begin with the family name, have no initials, and one is addressed by the family name.
  // It is often a single character, so that its "initial" beside the given name would tell the whole name.
  return isEastAsian(last) ? last : `${first} ${[...last][0] ?? ''}.`;
}

function text(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const trimmed = value.replace(/\p{Cc}/gu, ' ').trim();
  return trimmed === '' ? null : trimmed.slice(0, LONGEST);
}
