/**
 * Admission to a check-in: who is admitted, and how many people are inside.
 *
 *     not registered ► already inside: again ► restricted ► full ► welcome
 *
 * Invariants:
 * - Only registered visitors are admitted. An unknown badge gets the same answer as an unregistered visitor.
 * - A restricted activity admits only visitors with one of its labels. Without labels it admits nobody.
 * - A location without an activity has no limit (docs/decisions/who-may-enter.md).
 * - Without a network the counts cover only the data on this device.
 */
import type { Activity } from '../../../contract/stand.ts';
import type { NotAdmittedReason } from '../../../contract/tap.ts';
import type { Mirror, MirrorRecord } from '../../event/mirror/mirror.ts';
import type { WireRecord } from '../../foundations/api/page.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { DeviceAssignment } from '../device/assignment.ts';
import { type Attendance, createAttendance } from './attendance.ts';

/** The decision about a visitor. `since`: Unix milliseconds of the entry. */
type Admission =
  | { readonly kind: 'welcome' }
  | { readonly kind: 'again'; readonly since: number }
  | { readonly kind: 'refused'; readonly reason: NotAdmittedReason };

export type AdmissionControl = {
  readonly admit: (assignment: DeviceAssignment, visitor: MirrorRecord | null) => Admission;
  readonly count: (assignment: DeviceAssignment) => number;
  readonly entered: (assignment: DeviceAssignment, visitor: string, at: number) => void;
  /** Call it after a check-in was undone. */
  readonly tookBack: (visitor: string, at: number) => void;
  /** Applies changed attendance summaries. Returns true when a count may have changed. */
  readonly follow: (changed: readonly WireRecord[]) => boolean;
  readonly forget: (visitor: string) => void;
  /** Reads the attendance again. */
  readonly readAnew: () => void;
  /** The activity of the check-in, for the screen. */
  readonly activity: (assignment: DeviceAssignment) => Activity;
};

/** Admission, based on journal and mirror. */
export function createAdmissionControl(journal: Journal, mirror: Mirror): AdmissionControl {
  // Read once per place, then updated, because reading a hundred thousand visitors at each tap would be too slow.
  let open: { readonly key: string; readonly activity: string | null; readonly people: Attendance } | null =
    null;

  const peopleAt = ({ activity, touchpoint }: DeviceAssignment): Attendance => {
    const key = JSON.stringify([activity, activity === null ? touchpoint : null]);
    if (open?.key !== key) {
      const own = journal.replies.checkinsAt({ activity, touchpoint });
      const reported = activity === null ? [] : mirror.stand.staysAt(activity);
      open = { key, activity, people: createAttendance(reported, own) };
    }
    return open.people;
  };

  const detailOf = (activity: string): Readonly<Record<string, unknown>> => ({
    ...mirror.stand.detail('activities', activity)?.body,
    ...mirror.record('activities', activity)?.body,
  });

  return {
    admit: (assignment, visitor) => {
      if (visitor === null || visitor.body.registrationState !== 'registered') {
        return { kind: 'refused', reason: 'notRegistered' };
      }
      const people = peopleAt(assignment);
      const since = people.since(visitor.id);
      if (since !== null) return { kind: 'again', since };
      if (assignment.activity === null) return { kind: 'welcome' };
      const { access, labels, capacity } = detailOf(assignment.activity);
      if (access === 'restricted' && !shareOne(labels, visitor.body.labels)) {
        return { kind: 'refused', reason: 'restricted' };
      }
      const isFull = typeof capacity === 'number' && people.count() >= capacity;
      return isFull ? { kind: 'refused', reason: 'full' } : { kind: 'welcome' };
    },
    count: (assignment) => peopleAt(assignment).count(),
    entered: (assignment, visitor, at) => peopleAt(assignment).enter(visitor, at),
    tookBack: (visitor, at) => open?.people.takeBack(visitor, at),
    follow: (changed) => {
      if (open === null || open.activity === null) return false;
      for (const { id, deleted, body } of changed)
        open.people.report(id, deleted ? [] : staysIn(body, open.activity));
      return changed.length > 0;
    },
    forget: (visitor) => open?.people.forget(visitor),
    readAnew: () => {
      open = null;
    },
    activity: (assignment) => {
      const detail = assignment.activity === null ? {} : detailOf(assignment.activity);
      const { name, start, end, location, access, capacity } = detail;
      return {
        id: assignment.activity,
        name: textOf(name) ?? assignment.deviceName ?? '',
        start: timeOf(start),
        end: timeOf(end),
        location: textOf(location) ?? (assignment.activity === null ? assignment.location : null),
        access: access === 'signup' || access === 'restricted' ? access : 'open',
        capacity: typeof capacity === 'number' && Number.isSafeInteger(capacity) ? capacity : null,
        count: peopleAt(assignment).count(),
      };
    },
  };
}

function shareOne(some: unknown, others: unknown): boolean {
  return Array.isArray(some) && Array.isArray(others) && some.some((one) => others.includes(one));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : null;
}

function staysIn(body: WireRecord['body'], activity: string) {
  const stays: readonly unknown[] = Array.isArray(body.activities) ? body.activities : [];
  return stays.flatMap((stay) => {
    if (typeof stay !== 'object' || stay === null) return [];
    const { activityID, entered, left } = stay as Readonly<Record<string, unknown>>;
    if (activityID !== activity || typeof entered !== 'string') return [];
    return [{ entered, left: typeof left === 'string' ? left : null }];
  });
}
