/**
 * Attendance at one place from the data on this device: the stays that the platform reports, and the device's own
 * check-ins until they are delivered.
 *
 * Invariants:
 * - There is one entry per visitor, so a check-in that the platform also reports is not counted twice.
 * - A visitor who left after the last entry is outside.
 * - An undone check-in does not count, even when the platform still reports it.
 * - Entries are removed with their visitor.
 * - Times are Unix milliseconds.
 */

import type { ReportedStay } from '../../event/mirror/stand-records.ts';
import type { OwnCheckin } from '../../journal/facts/replies.ts';

export type Attendance = {
  /** Since when this visitor is inside, or null. */
  readonly since: (visitor: string) => number | null;
  /** Number of people inside. */
  readonly count: () => number;
  /** Applies a check-in of this device after its commit. */
  readonly enter: (visitor: string, at: number) => void;
  /** Applies the undo of a check-in of this device. */
  readonly takeBack: (visitor: string, at: number) => void;
  /** Replaces the platform's earlier report on one visitor. */
  readonly report: (visitor: string, stays: readonly Omit<ReportedStay, 'visitor'>[]) => void;
  readonly forget: (visitor: string) => void;
};

type Stay = { readonly entered: number; readonly left: number | null };
type Known = { reported: readonly Stay[]; readonly own: Set<number>; readonly undone: Set<number> };

/** Attendance from the platform's stays and our own check-ins. */
export function createAttendance(reported: Iterable<ReportedStay>, own: readonly OwnCheckin[]): Attendance {
  const people = new Map<string, Known>();
  const inside = new Map<string, number>();

  const knownOf = (visitor: string): Known => {
    const known = people.get(visitor) ?? { reported: [], own: new Set(), undone: new Set() };
    people.set(visitor, known);
    return known;
  };
  const settle = (visitor: string): void => {
    const known = people.get(visitor);
    const since = known === undefined ? null : sinceWhen(known);
    if (since === null) inside.delete(visitor);
    else inside.set(visitor, since);
  };

  for (const { visitor, ...stay } of reported) {
    const known = knownOf(visitor);
    known.reported = [...known.reported, ...staysOf([stay])];
  }
  for (const { visitor, at, undone } of own) knownOf(visitor)[undone ? 'undone' : 'own'].add(at);
  for (const visitor of people.keys()) settle(visitor);

  return {
    since: (visitor) => inside.get(visitor) ?? null,
    count: () => inside.size,
    enter: (visitor, at) => {
      knownOf(visitor).own.add(at);
      settle(visitor);
    },
    takeBack: (visitor, at) => {
      const known = knownOf(visitor);
      known.own.delete(at);
      known.undone.add(at);
      settle(visitor);
    },
    report: (visitor, stays) => {
      if (stays.length === 0 && !people.has(visitor)) return;
      knownOf(visitor).reported = staysOf(stays);
      settle(visitor);
    },
    forget: (visitor) => {
      people.delete(visitor);
      inside.delete(visitor);
    },
  };
}

function staysOf(stays: readonly Omit<ReportedStay, 'visitor'>[]): readonly Stay[] {
  return stays.flatMap(({ entered, left }) => {
    const from = Date.parse(entered);
    const to = left === null ? null : Date.parse(left);
    return Number.isFinite(from)
      ? [{ entered: from, left: to !== null && Number.isFinite(to) ? to : null }]
      : [];
  });
}

function sinceWhen({ reported, own, undone }: Known): number | null {
  const counted = reported.filter(({ entered }) => !undone.has(entered));
  const open = counted.filter(({ left }) => left === null).map(({ entered }) => entered);
  const lastLeft = Math.max(...counted.map(({ left }) => left ?? Number.NEGATIVE_INFINITY));
  const entries = [...open, ...[...own].filter((at) => at > lastLeft)];
  return entries.length === 0 ? null : Math.min(...entries);
}
