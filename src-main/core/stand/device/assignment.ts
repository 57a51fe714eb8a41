/**
 * Device assignment: the touchpoint and the partner of this device. The settings name the touchpoint, or staff choose
 * it. If staff are not asked (the demo), it is the first lead touchpoint of the event.
 *
 * Invariants:
 * - If staff must choose, the app does not guess, unless the event has only one touchpoint.
 * - The touchpoint is chosen once and kept until the settings name another one. So facts do not change partner when
 *   the event adds a touchpoint.
 * - The assignment is null only until the event's touchpoints have arrived once, until staff have chosen, or while the
 *   named touchpoint is missing or its purpose is unknown to this version. During that time no fact is sent for another
 *   partner.
 * - Content, activity and location come from the mirror, or from the last stored values while the mirror is empty.
 */
import type { Purpose } from '../../../contract/device.ts';
import type { Mirror, MirrorRecord } from '../../event/mirror/mirror.ts';
import type { Log } from '../../foundations/ports.ts';
import { NOBODYS, NOT_KNOWN_YET } from '../../journal/facts/lead-projection.ts';
import type { SettingKey, Settings } from '../../journal/facts/settings.ts';
import { PURPOSES, readPurpose } from './purposes.ts';

/** The place of the device. `touchpoint` is null if the event has none. */
export type DeviceAssignment = {
  readonly touchpoint: string | null;
  readonly partner: string | null;
  readonly deviceName: string | null;
  readonly purpose: Purpose;
  /** The content that visitors get at this touchpoint. */
  readonly content: string | null;
  /** The activity of a check-in here, or a location without an activity. */
  readonly activity: string | null;
  readonly location: string | null;
};

/** The touchpoint that the settings name. Null if staff choose it. */
type NamedTouchpoint = string | null;

/** Deletes a stored touchpoint that the settings have replaced. Call it once per start. */
export function forgetReplacedTouchpoint(settings: Settings, named: NamedTouchpoint): void {
  if (named !== null && settings.get('touchpoint') !== named) settings.set('touchpoint', '');
}

/** Why the device cannot work as assigned. Staff must fix it. */
export type AssignmentFault =
  | { readonly kind: 'missing'; readonly touchpoint: string }
  /** No touchpoint was chosen yet. */
  | { readonly kind: 'unchosen' }
  | { readonly kind: 'unknownPurpose'; readonly touchpoint: string; readonly purpose: string };

const UNCHOSEN: AssignmentFault = { kind: 'unchosen' };

/**
 * The fault of this device's touchpoint. Null without a fault. Also null until the event's touchpoints arrive, unless
 * staff must choose (`isAsked`).
 */
export function findAssignmentFault(
  settings: Settings,
  mirror: Mirror,
  named: NamedTouchpoint,
  isAsked = false,
): AssignmentFault | null {
  const wanted = named ?? (settings.get('touchpoint') || null);
  const isOpen = wanted === null && isAsked;
  if (!mirror.progress('touchpoints').complete) return isOpen ? UNCHOSEN : null;
  if (isOpen && mirror.count('touchpoints') > 1) return UNCHOSEN;
  const record = wanted === null ? null : mirror.record('touchpoints', wanted);
  if (record !== null) return unknownPurposeOf(record);
  if (named !== null) return { kind: 'missing', touchpoint: named };
  const all = wanted === null ? mirror.records('touchpoints') : [];
  const first = all.some(hasKnownPurpose) ? undefined : oldest(all);
  return first === undefined ? null : unknownPurposeOf(first);
}

/**
 * Logs the assignment of this device and its fault, once per change. Logs no fault before the event's touchpoints
 * have arrived.
 */
export function createAssignmentCheck(
  settings: Settings,
  mirror: Mirror,
  log: Log,
  named: NamedTouchpoint,
  isAsked = false,
  assignment: () => DeviceAssignment | null = () => null,
): () => void {
  let reported: AssignmentFault | null = null;
  let reportedTouchpoint: string | null = null;
  return () => {
    const fault = findAssignmentFault(settings, mirror, named, isAsked);
    if (JSON.stringify(fault) !== JSON.stringify(reported)) {
      if (fault !== null) log.error(sentenceOf(fault));
      else if (reported !== null && reported.kind !== 'unchosen')
        log.info(`the event now has ${nameOf(reported)}`);
      reported = fault;
    }
    const { touchpoint = null, partner = null, deviceName = null } = assignment() ?? {};
    if (touchpoint === null || touchpoint === reportedTouchpoint) return;
    log.info('assignment of this device', { touchpoint, partner, deviceName });
    reportedTouchpoint = touchpoint;
  };
}

function sentenceOf(fault: AssignmentFault): string {
  switch (fault.kind) {
    case 'unchosen':
      return 'no touchpoint is chosen: name one in stand.json or choose it on the screen; until then nothing is captured';
    case 'missing':
      return `the event does not have ${nameOf(fault)}; taps are kept, but check its id`;
    case 'unknownPurpose':
      return (
        `the touchpoint ${JSON.stringify(fault.touchpoint)} has the purpose ${JSON.stringify(fault.purpose)}, which this ` +
        `version does not know; taps are kept, but give it one of ${Object.keys(PURPOSES).join(', ')}`
      );
  }
}

function nameOf({ kind, touchpoint }: Exclude<AssignmentFault, { kind: 'unchosen' }>): string {
  const name = `the touchpoint ${JSON.stringify(touchpoint)}`;
  return kind === 'missing' ? `${name} that stand.json names` : `${name} with a purpose we know`;
}

/** The assignment of this device, or null while it is unknown. */
export function findAssignment(
  settings: Settings,
  mirror: Mirror,
  named: NamedTouchpoint = null,
  isAsked = false,
): DeviceAssignment | null {
  const kept = settings.get('touchpoint') || null;
  if (kept !== null) return storedAssignment(settings, mirror, kept);
  if (!mirror.progress('touchpoints').complete) return null;
  if (findAssignmentFault(settings, mirror, named, isAsked) !== null) return null;
  const all = mirror.records('touchpoints').filter(hasKnownPurpose);
  const chosen = named === null ? chooseTouchpoint(all) : mirror.record('touchpoints', named);
  if (chosen === undefined) return UNASSIGNED;
  if (chosen === null) return null;
  keep(settings, chosen);
  return findAssignment(settings, mirror, named, isAsked);
}

/** Assigns the touchpoint that staff chose. Returns false when the event has none with this id and a known purpose. */
export function chooseAssignment(settings: Settings, mirror: Mirror, touchpoint: string): boolean {
  const record = mirror.record('touchpoints', touchpoint);
  if (record === null || !hasKnownPurpose(record)) return false;
  keep(settings, record);
  return true;
}

/**
 * Changes the device to its partner's oldest touchpoint of this purpose. If the partner has none, the device uses a
 * touchpoint of another owner (check-ins mostly belong to the organiser) and keeps its partner. Returns false if the
 * event has none.
 */
export function reassign(settings: Settings, mirror: Mirror, purpose: Purpose): boolean {
  const all = mirror.records('touchpoints').filter(({ body }) => readPurpose(body.purpose) === purpose);
  const partner = settings.get('partner') || null;
  const own = all.filter(({ body }) => partner !== null && textOf(body.partnerID) === partner);
  const chosen = oldest(own) ?? (PURPOSES[purpose].isAnybodys ? oldest(all) : undefined);
  if (chosen === undefined) return false;
  // A touchpoint without a partner gets the partner of the device.
  keep(settings, chosen, partner ?? '');
  return true;
}

/** For an event without touchpoints nothing is stored, because one may still arrive. */
const UNASSIGNED: DeviceAssignment = {
  touchpoint: null,
  partner: null,
  deviceName: null,
  purpose: 'lead',
  content: null,
  activity: null,
  location: null,
};

/**
 * The partner whose leads are shown now, with the partner ids of `journal.leads`
 * (docs/decisions/lead-belongs-to-partner.md).
 */
export function partnerNow(assignment: Pick<DeviceAssignment, 'touchpoint' | 'partner'> | null): string {
  if (assignment === null) return NOT_KNOWN_YET;
  return assignment.partner ?? (assignment.touchpoint === null ? NOT_KNOWN_YET : NOBODYS);
}

function storedAssignment(settings: Settings, mirror: Mirror, touchpoint: string): DeviceAssignment | null {
  const purpose = readPurpose(settings.get('purpose'));
  if (purpose === null) return null;
  const { usesLinks } = PURPOSES[purpose];
  const record = usesLinks ? mirror.record('touchpoints', touchpoint) : null;
  const field = (key: SettingKey, name: string): string | null => {
    if (!usesLinks) return null;
    return (record === null ? settings.get(key) : textOf(record.body[name])) || null;
  };
  return {
    touchpoint,
    partner: settings.get('partner') || null,
    deviceName: settings.get('deviceName') || null,
    purpose,
    content: field('content', 'contentID'),
    activity: field('activity', 'activityID'),
    location: field('location', 'locationID'),
  };
}

/** Stores an assignment in one commit, because a tap may wait for it. */
function keep(settings: Settings, { id, body }: MirrorRecord, otherwise = ''): void {
  settings.setAll({
    partner: textOf(body.partnerID) || otherwise,
    deviceName: textOf(body.name),
    purpose: readPurpose(body.purpose) ?? '',
    content: textOf(body.contentID),
    activity: textOf(body.activityID),
    location: textOf(body.locationID),
    touchpoint: id,
  });
}

function oldest(touchpoints: readonly MirrorRecord[]): MirrorRecord | undefined {
  return touchpoints.toSorted((a, b) => Number(a.revision - b.revision))[0];
}

// The oldest lead touchpoint of a partner, otherwise any touchpoint of a partner, otherwise the oldest touchpoint.
function chooseTouchpoint(touchpoints: readonly MirrorRecord[]): MirrorRecord | undefined {
  const owned = touchpoints.filter(({ body }) => textOf(body.partnerID) !== '');
  return oldest(owned.filter(({ body }) => body.purpose === 'lead')) ?? oldest(owned) ?? oldest(touchpoints);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function hasKnownPurpose({ body }: MirrorRecord): boolean {
  return readPurpose(body.purpose) !== null;
}

function unknownPurposeOf({ id, body }: MirrorRecord): AssignmentFault | null {
  if (readPurpose(body.purpose) !== null) return null;
  return { kind: 'unknownPurpose', touchpoint: id, purpose: String(body.purpose).slice(0, 60) };
}
