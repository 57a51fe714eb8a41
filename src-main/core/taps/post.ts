/**
 * Which touchpoint this device is, and whose: from the settings, or the first lead touchpoint of the event.
 *
 * Invariants: chosen once and kept (facts must not change hands when the event adds a touchpoint); null only until
 * the event's touchpoints have arrived once.
 */
import type { Purpose } from '../../contract/device.ts';
import type { Settings } from '../journal/settings.ts';
import type { Mirror, MirrorRecord } from '../mirror/mirror.ts';

/** Where the device stands. `touchpoint` is null where the event has none. */
export type Post = {
  readonly touchpoint: string | null;
  readonly partner: string | null;
  readonly deviceName: string | null;
  readonly purpose: Purpose;
};

/** The post of this device, or null while the event has not told its touchpoints yet. */
export const findPost = (settings: Settings, mirror: Mirror): Post | null => {
  const kept = settings.get('touchpoint');
  if (kept !== null) {
    return {
      touchpoint: kept,
      partner: settings.get('partner') || null,
      deviceName: settings.get('deviceName') || null,
      purpose: purposeOf(settings.get('purpose')),
    };
  }
  if (!mirror.progress('touchpoints').complete) return null;
  const chosen = chooseTouchpoint(mirror.records('touchpoints'));
  if (chosen === undefined) return NOWHERE;
  const field = (name: string): string => textOf(chosen.body[name]);
  settings.set('partner', field('partnerID'));
  settings.set('deviceName', field('name'));
  settings.set('purpose', purposeOf(field('purpose')));
  settings.set('touchpoint', chosen.id);
  return findPost(settings, mirror);
};

/** An event without touchpoints (so far): nothing is kept, so that one may still come. */
const NOWHERE: Post = { touchpoint: null, partner: null, deviceName: null, purpose: 'lead' };

// The oldest lead touchpoint of a partner; failing that any touchpoint of a partner; failing that the oldest.
const chooseTouchpoint = (touchpoints: readonly MirrorRecord[]): MirrorRecord | undefined => {
  const oldestFirst = touchpoints.toSorted((a, b) => Number(a.revision - b.revision));
  const owned = oldestFirst.filter((touchpoint) => textOf(touchpoint.body.partnerID) !== '');
  return owned.find((touchpoint) => touchpoint.body.purpose === 'lead') ?? owned[0] ?? oldestFirst[0];
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const purposeOf = (value: string | null): Purpose =>
  value === 'content' || value === 'checkin' ? value : 'lead';
