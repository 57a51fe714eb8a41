/**
 * Sets up a device on its screen with a hub's file, or with the code on the hub's printed sheet.
 *
 *   file, code ─► offer (fingerprint, devices) ─► chosen device ─► enrolled ─► stand.json, platform.json, box.json
 *
 * Invariants:
 * - nothing is requested from the hub, and nothing changes, before the user chose a device of a valid file;
 * - an existing `stand.json` is kept under another name;
 * - a device that holds facts of an event stays with that event.
 */
import type { HubEnrolled, SetupTaken } from '../contract/setup.ts';
import type { Clock, Log, Random } from '../core/foundations/ports.ts';
import { StartRefusal } from '../core/foundations/refusal.ts';
import type { Uploads } from '../core/foundations/store/uploads.ts';
import { plainSettings } from '../core/stand/visit/settings.ts';
import type { KeyPlace } from '../device-key/key-place.ts';
import { readCode } from '../provision/provision-code.ts';
import { looksLikeProvision } from '../provision/provision-file.ts';
import { enrol, keepEnrolled, openFile } from './enrolment.ts';
import { findStand } from './stand-file.ts';

/** The event that a device must keep, or null. `isSaid`: the command line named it, not the set-up page. */
export type FixedEvent = { readonly event: string | null; readonly isSaid: boolean };

/** The offer of an uploaded file; null when it is not a file of a hub. */
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

/** The offer of a printed code: it contains the file of one device, which is stored like an upload. */
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

/** Enrols this device at the hub as `device` of the file, and stores the result. */
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
    log.info('a hub enrolled this device', { device, hub: opened.content.hub });
    return { kind: 'enrolled' };
  } catch (error) {
    log.error('the result of an enrolment could not be stored', { error: String(error) });
    return { kind: 'refused', reason: 'disk', faults: [] };
  }
}

/** As `openFile`; an invalid `box.json` is a refusal. */
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
