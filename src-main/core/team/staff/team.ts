/**
 * The members of a stand team and their badges. Pure: each change gives a new record.
 *
 * Invariants: a badge belongs to one member at most; whoever gets it last has it; a removed member or badge opens
 * nothing any more.
 */
import type { Team } from '../../../contract/staff.ts';
import type { StaffMember, StaffRecord } from './staff-file.ts';

type Badge = StaffMember['badges'][number];

/** Whose badge carries one of `codes`, or null. */
export function memberOfBadge(record: StaffRecord, codes: readonly string[]): StaffMember | null {
  const carries = ({ badges }: StaffMember) =>
    badges.some((badge) => badge.codes.some((code) => codes.includes(code)));
  return record.members.find(carries) ?? null;
}

/** With one more member. */
export function withMember(record: StaffRecord, member: StaffMember): StaffRecord {
  return { ...record, members: [...record.members, member] };
}

/** Without a member, and so without the member's badges. */
export function withoutMember(record: StaffRecord, id: string): StaffRecord {
  return { ...record, members: record.members.filter((member) => member.id !== id) };
}

/** With `badge` for this member and nobody else. */
export function withBadge(record: StaffRecord, id: string, badge: Badge): StaffRecord {
  const others = ({ codes }: Badge) => !codes.some((code) => badge.codes.includes(code));
  return {
    ...record,
    members: record.members.map((member) => ({
      ...member,
      badges: [...member.badges.filter(others), ...(member.id === id ? [badge] : [])],
    })),
  };
}

/** Without this badge, because it was lost. */
export function withoutBadge(record: StaffRecord, badge: string): StaffRecord {
  return {
    ...record,
    members: record.members.map((member) => ({
      ...member,
      badges: member.badges.filter(({ id }) => id !== badge),
    })),
  };
}

/** The team as a page may see it: of a badge its last four characters. */
export function teamOf(record: StaffRecord, awaits: string | null): Team {
  return {
    members: record.members.map(({ id, name, badges }) => ({
      id,
      name,
      badges: badges.map(({ id: badge, codes, addedAt }) => ({
        id: badge,
        tail: (codes[0] ?? '').slice(-4),
        addedAt,
      })),
    })),
    awaits,
  };
}
