/**
 * Reading people out of mirrored visitor records: for the screen as little as possible, for the lead what the
 * stand team needs. Pure.
 *
 * Invariants: every field may be missing; a public screen gets the first name and one initial; long texts are cut
 * so that no layout has to.
 */
import type { VisitorGlimpse } from '../../contract/tap.ts';
import type { VisitorSnapshot } from '../journal/leads.ts';
import type { MirrorRecord } from './mirror.ts';

const LONGEST = 200;

/** What the lead keeps of a visitor. */
export const snapshotOf = (visitor: MirrorRecord): VisitorSnapshot => {
  const { body } = visitor;
  const name = [text(body.firstName), text(body.lastName)].filter((part) => part !== null).join(' ');
  return {
    id: visitor.id,
    name: name === '' ? (text(body.company) ?? visitor.id) : name,
    company: text(body.company),
    jobTitle: text(body.jobTitle),
    place: [text(body.city), text(body.country)].filter((part) => part !== null).join(', ') || null,
    record: visitor.text,
  };
};

/** What a public screen shows of a visitor. */
export const glimpseOf = (visitor: MirrorRecord): VisitorGlimpse => {
  const { body } = visitor;
  const first = text(body.firstName);
  const last = text(body.lastName);
  const initial = last === null ? '' : `${[...last][0] ?? ''}.`;
  return {
    name: first === null ? (last ?? '') : `${first} ${initial}`.trim(),
    company: text(body.company),
    language: text(body.language),
  };
};

const text = (value: unknown): string | null => {
  if (typeof value !== 'string') return null;
  const trimmed = value.replace(/\p{Cc}/gu, ' ').trim();
  return trimmed === '' ? null : trimmed.slice(0, LONGEST);
};
