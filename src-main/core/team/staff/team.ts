/**
 * The members of a stand team and their badges. Pure: each change returns a new value.
 *
 * Invariants:
 * - A badge belongs to at most one member, the last one to whom it was assigned.
 * - A removed member or badge grants no access.
 */
import type { Team } from '../../../contract/staff.ts';
import type { StaffMember, StaffRecord } from './staff-file.ts';

type Badge = StaffMember['badges'][number];

/** The member whose badge has one of `codes`, or null. */
export function memberOfBadge(record: StaffRecord, codes: readonly string[]): StaffMember | null {
  const carries = ({ badges }: StaffMember) =>
    badges.some((badge) => badge.codes.some((code) => codes.includes(code)));
  return record.members.find(carries) ?? null;
}

/** Adds a member. */
export function withMember(record: StaffRecord, member: StaffMember): StaffRecord {
  return { ...record, members: [...record.members, member] };
}

/** Removes a member and the member's badges. */
export function withoutMember(record: StaffRecord, id: string): StaffRecord {
  return { ...record, members: record.members.filter((member) => member.id !== id) };
}

/** Sets the address of a member. */
export function withEmail(record: StaffRecord, id: string, email: string): StaffRecord {
  return {
    ...record,
    members: record.members.map((member) => (member.id === id ? { ...member, email } : member)),
  };
}

/**
 * The address of the member with this name. Null if there is none, or if two members of this name have different
 * ones.
 */
export function addressOfMember({ members }: StaffRecord, name: string): string | null {
  const addresses = new Set(members.flatMap((member) => (member.name === name ? [member.email] : [])));
  const [address = ''] = addresses;
  return addresses.size === 1 && address !== '' ? address : null;
}

/** Assigns `badge` to this member only. */
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

/** Removes a lost badge. */
export function withoutBadge(record: StaffRecord, badge: string): StaffRecord {
  return {
    ...record,
    members: record.members.map((member) => ({
      ...member,
      badges: member.badges.filter(({ id }) => id !== badge),
    })),
  };
}

/** The team as pages may see it, with only the last four characters of each badge. */
export function teamOf(record: StaffRecord, awaits: string | null): Team {
  return {
    members: record.members.map(({ id, name, email, badges }) => ({
      id,
      name,
      email,
      badges: badges.map(({ id: badge, codes, addedAt }) => ({
        id: badge,
        tail: (codes[0] ?? '').slice(-4),
        addedAt,
      })),
    })),
    awaits,
  };
}
