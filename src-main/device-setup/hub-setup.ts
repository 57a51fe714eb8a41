/**
 * A device set up on its screen by the file of a hub in the hall, or by the code of its sheet.
 *
 *   file, code ─► what it offers (fingerprint, devices) ─► one device of it ─► enrolled ─► stand.json, platform.json, box.json
 *
 * Invariants: nothing is asked of the hub, and nothing changed, before somebody chose a device of a sound file; what stood in
 * `stand.json` is put aside; a device that holds facts of an event stays that event's.
 */
import type { HubEnrolled, SetupTaken } from '../contract/setup.ts';
import type { Clock, Log, Random } from '../core/foundations/ports.ts';
import { StartRefusal } from '../core/foundations/refusal.ts';
import { plainSettings } from '../core/stand/visit/settings.ts';
import type { KeyPlace } from '../device-key/key-place.ts';
import { readCode } from '../provision/provision-code.ts';
import { looksLikeProvision } from '../provision/provision-file.ts';
import { enrol, keepEnrolled, openFile } from './enrolment.ts';
import { findStand } from './stand-file.ts';
import type { Uploads } from './uploads.ts';

/** The event a device stays with, or null; `isSaid`: the start of the app says which, not the screen. */
export type FixedEvent = { readonly event: string | null; readonly isSaid: boolean };

/** What a file offers; null where it is none of a hub. */
export function offerOf(
  folder: string,
  now: number,
  uploads: Pick<Uploads, 'bytes'>,
  upload: string,
  { event, isSaid }: FixedEvent,
): SetupTaken | null {
  const text = textOf(uploads, upload);
  if (!looksLikeProvision(text)) return null;
  if (isSaid) return { kind: 'refused', reason: 'startSays', faults: [] };
  const opened = openHere(folder, now, text, event);
  if (opened.kind === 'refused') return { ...opened, faults: [...opened.faults] };
  const { content, fingerprint } = opened;
  return {
    kind: 'hub',
    upload,
    hub: content.hub,
    fingerprint,
    devices: content.devices.map(({ id, name }) => ({ id, name })),
  };
}

/** What the code of a sheet offers: the file of one device, which is kept as if it had been put. */
export function offerOfCode(
  folder: string,
  now: number,
  uploads: Pick<Uploads, 'bytes' | 'put'>,
  code: string,
  fixed: FixedEvent,
): SetupTaken {
  const read = readCode(code.trim());
  if (read.kind === 'refused') return { ...read, faults: [] };
  const upload = uploads.put(null, Buffer.from(read.text));
  const offer = upload === null ? null : offerOf(folder, now, uploads, upload, fixed);
  return offer ?? { kind: 'refused', reason: 'notOurs', faults: [] };
}

/** Has the hub take this device in as `device` of the file, and keeps what it is to work with. */
export async function enrolOnScreen({
  folder,
  clock,
  random,
  log,
  uploads,
  keyPlace,
  hide,
  upload,
  device,
  fixed: { event, isSaid },
}: {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly uploads: Pick<Uploads, 'bytes' | 'clear'>;
  readonly keyPlace: Pick<KeyPlace, 'keep'>;
  /** Hides a key from the log from now on. */
  readonly hide: (secret: string) => void;
  readonly upload: string;
  readonly device: string;
  readonly fixed: FixedEvent;
}): Promise<HubEnrolled> {
  if (isSaid) return { kind: 'refused', reason: 'startSays', faults: [] };
  const opened = openHere(folder, clock.now(), textOf(uploads, upload), event);
  if (opened.kind === 'refused') return { ...opened, faults: [...opened.faults] };
  const found = findStand(folder);
  if (found.kind === 'faults') return { kind: 'refused', reason: 'unsound', faults: [...found.faults] };
  const stand = found.kind === 'settings' ? found.settings : plainSettings();
  try {
    const taken = await enrol({ folder, clock, random, opened, device, stand });
    if (taken.kind === 'refused') return { ...taken, faults: [...taken.faults] };
    hide(taken.platform.key);
    const key = await keyPlace.keep(taken.platform.key);
    keepEnrolled(folder, clock.now(), opened, device, { ...taken, platform: { ...taken.platform, key } });
    uploads.clear();
    log.info('a hub took this device in', { device, hub: opened.content.hub });
    return { kind: 'enrolled' };
  } catch (error) {
    log.error('what a hub gave could not be kept', { error: String(error) });
    return { kind: 'refused', reason: 'disk', faults: [] };
  }
}

/** As `openFile`; where `box.json` is damaged that is said, too. */
function openHere(
  folder: string,
  now: number,
  text: string,
  event: string | null,
): ReturnType<typeof openFile> {
  try {
    return openFile(folder, now, text, event);
  } catch (error) {
    if (!(error instanceof StartRefusal)) throw error;
    return { kind: 'refused', reason: 'unsound', faults: [error.message] };
  }
}

function textOf(uploads: Pick<Uploads, 'bytes'>, upload: string): string {
  const bytes = uploads.bytes(upload);
  return bytes === null ? '' : new TextDecoder().decode(bytes);
}
