/**
 * Which touchpoint this device is, and whose: the one its settings name, or the first lead touchpoint of the event.
 *
 * Invariants: chosen once and kept (facts must not change hands when the event adds a touchpoint), until the settings
 * name another; null only until the event's touchpoints have arrived once, or while the named one is not among them,
 * so that no fact goes out as somebody else's; what the touchpoint gives or opens (content, activity, location) is
 * what the mirror says of it now, and what was kept while the mirror has nothing.
 */
import type { Purpose } from '../../contract/device.ts';
import type { SettingKey, Settings } from '../journal/settings.ts';
import type { Mirror, MirrorRecord } from '../mirror/mirror.ts';
import type { Log } from '../ports.ts';

/** Where the device stands. `touchpoint` is null where the event has none. */
export type DeviceAssignment = {
  readonly touchpoint: string | null;
  readonly partner: string | null;
  readonly deviceName: string | null;
  readonly purpose: Purpose;
  /** The one content this touchpoint gives. */
  readonly content: string | null;
  /** What one checks in to here: an activity, or a mere location. */
  readonly activity: string | null;
  readonly location: string | null;
};

/** The touchpoint a device is told to be, by its settings; null: it may choose. */
export type NamedTouchpoint = string | null;

/** Forgets a kept touchpoint that the settings have replaced. To be called once per start. */
export function forgetReplacedTouchpoint(settings: Settings, named: NamedTouchpoint): void {
  if (named !== null && settings.get('touchpoint') !== named) settings.set('touchpoint', '');
}

/**
 * Looks whether the event has the touchpoint the settings name, and tells once when it has not, which a person must
 * mend: no fact goes out as somebody else's. Nothing is told before the event's touchpoints have arrived.
 */
export function createAssignmentCheck(mirror: Mirror, log: Log, named: NamedTouchpoint): () => void {
  let isMissing = false;
  return () => {
    const was = isMissing;
    isMissing =
      named !== null &&
      mirror.progress('touchpoints').complete &&
      mirror.record('touchpoints', named) === null;
    if (isMissing === was) return;
    const name = `the touchpoint ${JSON.stringify(named)} that stand.json names`;
    if (isMissing) log.error(`the event does not have ${name}; taps are kept, but check its id`);
    else log.info(`the event now has ${name}`);
  };
}

/** The post of this device, or null while it is not known. */
export function findAssignment(
  settings: Settings,
  mirror: Mirror,
  named: NamedTouchpoint = null,
): DeviceAssignment | null {
  const kept = settings.get('touchpoint') || null;
  if (kept !== null) return storedAssignment(settings, mirror, kept);
  if (!mirror.progress('touchpoints').complete) return null;
  const chosen =
    named === null ? chooseTouchpoint(mirror.records('touchpoints')) : mirror.record('touchpoints', named);
  if (chosen === undefined) return UNASSIGNED;
  if (chosen === null) return null;
  keep(settings, chosen);
  return findAssignment(settings, mirror, named);
}

/**
 * Turns the device into its partner's oldest touchpoint of another purpose; failing that (for check-ins, that mostly
 * belong to the organiser) into anybody's, where it stays its partner's. False when the event has none.
 */
export function reassign(settings: Settings, mirror: Mirror, purpose: Purpose): boolean {
  const all = mirror.records('touchpoints').filter(({ body }) => purposeOf(textOf(body.purpose)) === purpose);
  const partner = settings.get('partner') || null;
  const own = all.filter(({ body }) => partner !== null && textOf(body.partnerID) === partner);
  const chosen = oldest(own) ?? (purpose === 'checkin' ? oldest(all) : undefined);
  if (chosen === undefined) return false;
  // A door without an owner is kept by the stand that became it.
  keep(settings, chosen, partner ?? '');
  return true;
}

/** An event without touchpoints (so far): nothing is kept, so that one may still come. */
const UNASSIGNED: DeviceAssignment = {
  touchpoint: null,
  partner: null,
  deviceName: null,
  purpose: 'lead',
  content: null,
  activity: null,
  location: null,
};

function storedAssignment(settings: Settings, mirror: Mirror, touchpoint: string): DeviceAssignment {
  const purpose = purposeOf(settings.get('purpose'));
  const told = purpose === 'lead' ? null : mirror.record('touchpoints', touchpoint);
  const field = (key: SettingKey, name: string): string | null => {
    if (purpose === 'lead') return null;
    return (told === null ? settings.get(key) : textOf(told.body[name])) || null;
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

function keep(settings: Settings, { id, body }: MirrorRecord, otherwise = ''): void {
  settings.set('partner', textOf(body.partnerID) || otherwise);
  settings.set('deviceName', textOf(body.name));
  settings.set('purpose', purposeOf(textOf(body.purpose)));
  settings.set('content', textOf(body.contentID));
  settings.set('activity', textOf(body.activityID));
  settings.set('location', textOf(body.locationID));
  settings.set('touchpoint', id);
}

function oldest(touchpoints: readonly MirrorRecord[]): MirrorRecord | undefined {
  return touchpoints.toSorted((a, b) => Number(a.revision - b.revision))[0];
}

// The oldest lead touchpoint of a partner; failing that any touchpoint of a partner; failing that the oldest.
function chooseTouchpoint(touchpoints: readonly MirrorRecord[]): MirrorRecord | undefined {
  const owned = touchpoints.filter(({ body }) => textOf(body.partnerID) !== '');
  return oldest(owned.filter(({ body }) => body.purpose === 'lead')) ?? oldest(owned) ?? oldest(touchpoints);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function purposeOf(value: string | null): Purpose {
  return value === 'content' || value === 'checkin' ? value : 'lead';
}
