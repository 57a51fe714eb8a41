/**
 * Sets a device up on its screen: reads, checks and saves the set-up, and copies it to other devices.
 *
 *   page ─► check (asks the platform) ─► save ─► stand.json, platform.json, staff.json   (then the kiosk restarts)
 *
 * Invariants:
 * - nothing is written before the whole draft was validated;
 * - neither the draft nor a concurrent change of `stand.json` by another program is lost;
 * - a stored key is sent only to the address it was stored for;
 * - stored PINs leave this device only in a file that was requested with them, and a page receives none;
 * - a device that holds facts of an event stays with that event.
 */
import { join, resolve } from 'node:path';
import type { DiskEncryption } from '../contract/device.ts';
import type {
  HubEnrolled,
  Setup,
  SetupDraft,
  SetupSaved,
  SetupTaken,
  StandDraft,
} from '../contract/setup.ts';
import type { Picture } from '../contract/stand.ts';
import type { DrawPicture } from '../core/event/pictures/pictures.ts';
import type { Clock, Log, Random } from '../core/foundations/ports.ts';
import type { Uploads } from '../core/foundations/store/uploads.ts';
import { readSettings, type StandSettings } from '../core/stand/visit/settings.ts';
import { keepPin } from '../core/team/staff/pin.ts';
import { createStaffFile, emptyRecord, type StaffRecord } from '../core/team/staff/staff-file.ts';
import type { DeviceKey } from '../device-key/device-key.ts';
import type { KeyPlace, Place } from '../device-key/key-place.ts';
import { readHubFile, writeHubFile } from './hub-file.ts';
import { enrolOnScreen, type FixedEvent, offerOf, offerOfCode } from './hub-setup.ts';
import type { Access } from './key-check.ts';
import { type KeptPlatform, writePlatformFile } from './platform-file.ts';
import { readSetup, type SetupPicture, type SetupPins, writeSetup } from './setup-file.ts';
import { findStand, writeStand } from './stand-file.ts';
import {
  attractNames,
  type ChosenPictures,
  drawFile,
  drawPicture,
  isFile,
  isShown,
  readPicture,
  withPictures,
} from './stand-pictures.ts';

/** The event of this run, and its origin. */
export type PresentAccess = Omit<KeptPlatform, 'key'> & {
  readonly key: DeviceKey;
  readonly origin: NonNullable<Setup['access']>['origin'];
};

/** The dependencies of the set-up of a device. */
type SetupSources = {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly uploads: Uploads;
  readonly draw: DrawPicture;
  /** Null if no event is chosen yet. */
  readonly access: () => PresentAccess | null;
  /** The settings without a `stand.json`. */
  readonly usualStand: () => StandSettings;
  /** The event of this device's facts; null while it has none. */
  readonly heldEvent: () => string | null;
  /** Where this device stores keys. */
  readonly keyPlace: KeyPlace;
  /** Whether the disk below the folder is encrypted. */
  readonly encryption: () => DiskEncryption;
  /** Hides a key from the log from now on. */
  readonly hide: (secret: string) => void;
};

export type SetupService = {
  readonly read: () => Promise<Setup>;
  readonly save: (draft: SetupDraft, version: string, force: boolean) => Promise<SetupSaved>;
  /**
   * The whole set-up as the text of one file, and its name. Null without an event, or if a requested PIN is missing.
   * @throws the error of the file system
   */
  readonly write: (secrets: {
    readonly withKey: boolean;
    readonly withPins: boolean;
  }) => Promise<{ readonly name: string; readonly text: string } | null>;
  readonly take: (upload: string) => Promise<SetupTaken>;
  /** The offer of a code on a hub's printed sheet. */
  readonly takeCode: (code: string) => SetupTaken;
  /** Enrols this device at the hub of an uploaded file. */
  readonly enrol: (upload: string, device: string) => Promise<HubEnrolled>;
  readonly picture: (upload: string) => Promise<Picture | null>;
  /**
   * The access of a page's request. Its key is empty when no key may be used. `keyMissing`: the stored key is
   * unreadable.
   */
  readonly accessOf: (
    asked: Omit<Access, 'key'> & { readonly key: string | null },
  ) => Promise<Access | 'keyMissing'>;
};

/** The set-up of one device. */
export function createSetup(sources: SetupSources): SetupService {
  const { folder, clock, random, log, uploads, access, keyPlace, hide } = sources;
  const accessOf: SetupService['accessOf'] = async ({ address, key, privateHttp }) => {
    const kept = access();
    if (kept === null || !sameAddress(kept.address, address)) return { address, privateHttp, key: key ?? '' };
    const { pin, others } = kept;
    if (key !== null) return { address, privateHttp, key, pin, others };
    const read = await kept.key.read();
    return read === null ? 'keyMissing' : { address, privateHttp, key: read, pin, others };
  };
  return {
    accessOf,
    read: () => readNow(sources),
    save: (draft, version, force) => save(sources, accessOf, { draft, version, force }),
    write: (secrets) => write(sources, secrets),
    take: async (upload) =>
      offerOf(folder, clock.now(), uploads, upload, fixedEvent(sources)) ?? take(sources, upload),
    takeCode: (code) => offerOfCode(folder, clock.now(), uploads, code, fixedEvent(sources)),
    enrol: (upload, device) =>
      enrolOnScreen({
        folder,
        clock,
        random,
        log,
        uploads,
        keyPlace,
        hide,
        upload,
        device,
        fixed: fixedEvent(sources),
      }),
    picture: async (upload) => {
      const bytes = uploads.bytes(upload);
      return bytes === null ? null : drawPicture(sources.draw, bytes);
    },
  };
}

async function readNow({
  folder,
  access,
  usualStand,
  keyPlace,
  encryption,
  draw,
}: SetupSources): Promise<Setup> {
  const found = findStand(folder);
  const stand = found.kind === 'settings' ? found.settings : usualStand();
  const present = access();
  const staff = createStaffFile(folder).read();
  const { logo } = stand.brand;
  const attract: Setup['attract'] = [];
  for (const name of attractNames(folder, stand.attract)) {
    attract.push({ name, picture: await drawFile(draw, join(resolve(folder, stand.attract ?? ''), name)) });
  }
  return {
    access: present && {
      address: present.address,
      expo: present.expo,
      privateHttp: present.privateHttp,
      origin: present.origin,
    },
    stand,
    version: found.version,
    faults: found.kind === 'faults' ? [...found.faults] : [],
    logo: isFile(logo) ? await drawFile(draw, resolve(folder, logo)) : null,
    attract,
    keyPlace: placeName(await keyPlace.look()),
    encryption: encryption(),
    pins: {
      team: staff === 'damaged' || staff.pin !== null,
      technician: staff === 'damaged' || staff.technicianPin !== null,
    },
  };
}

function placeName(place: Place): Setup['keyPlace'] {
  return place.place === 'keychain' ? 'keychain' : place.why;
}

type Saving = { readonly draft: SetupDraft; readonly version: string; readonly force: boolean };

async function save(
  sources: SetupSources,
  accessOf: SetupService['accessOf'],
  { draft, version, force }: Saving,
): Promise<SetupSaved> {
  const { folder, log, clock } = sources;
  const found = findStand(folder);
  const isChanged = found.version !== version;
  if (isChanged && !force) return { kind: 'changed' };
  const platform = await platformOf(sources, accessOf, draft.access);
  if (typeof platform === 'string') return { kind: 'refused', reason: platform };
  const held = sources.heldEvent();
  if (platform !== null && held !== null && held !== platform.expo) return { kind: 'otherEvent', kept: held };
  const staff = createStaffFile(folder).read();
  if (draft.pins === null && sources.access() === null && (staff === 'damaged' || staff.pin === null))
    return { kind: 'refused', reason: 'pins' };
  const pictures = picturesOf(sources, draft);
  const pins = draft.pins === null ? null : await pinsOf(sources, draft.pins);
  if (pictures === null || pins === 'upload') return { kind: 'refused', reason: 'upload' };
  // Validated before anything is written.
  const sound = readSettings(draft.stand);
  if (sound.kind === 'faults') return { kind: 'faults', faults: [...sound.faults] };
  try {
    const settings = withPictures(folder, sound.settings, pictures);
    const aside = writeStand(folder, settings, isChanged || found.kind === 'faults', clock.now());
    if (pins !== null) keepPins(sources, pins);
    if (platform !== null) {
      sources.hide(platform.key);
      // After a change of the address the device does not belong to its hub any more.
      const hub = readHubFile(folder);
      if (hub.taken !== null && !sameAddress(platform.address, sources.access()?.address ?? ''))
        writeHubFile(folder, { ...hub, taken: null });
      writePlatformFile(folder, { ...platform, key: await sources.keyPlace.keep(platform.key) });
    }
    sources.uploads.clear();
    log.info('the set-up was changed on the screen', { platform: platform !== null, aside });
    return { kind: 'saved', aside };
  } catch (error) {
    log.error('the set-up could not be stored', { error: String(error) });
    return { kind: 'refused', reason: 'disk' };
  }
}

/** A chosen event with its key as text. */
type Chosen = Omit<KeptPlatform, 'key'> & { readonly key: string };

/** The access to store; null if it does not change. */
async function platformOf(
  { access }: SetupSources,
  accessOf: SetupService['accessOf'],
  asked: SetupDraft['access'],
): Promise<Chosen | null | 'access'> {
  const present = access();
  if (asked === null) return present === null ? 'access' : null;
  // The event from the command line, or the demo event, cannot be changed on the set-up page.
  if (present !== null && present.origin !== 'screen') return 'access';
  const found = await accessOf(asked);
  if (found === 'keyMissing' || found.key === '') return 'access';
  return { ...found, address: found.address.trim().replace(/\/+$/, ''), expo: asked.expo };
}

/** Reads the files that a draft names; null when one of them is missing. */
function picturesOf(
  { folder, uploads }: SetupSources,
  { logo, attract, stand }: SetupDraft,
): ChosenPictures | null {
  const bytes = logo === null || logo.upload === null ? null : uploads.bytes(logo.upload);
  if (logo !== null && logo.upload !== null && bytes === null) return null;
  if (attract === null) return { logo: logo && { bytes }, attract: null };
  const there = attractNames(folder, stand.attract);
  const chosen: SetupPicture[] = [];
  for (const { name, upload } of attract) {
    const given = upload === null ? null : uploads.bytes(upload);
    if (upload === null && there.includes(name))
      chosen.push(readPicture(join(resolve(folder, stand.attract ?? ''), name)));
    else if (given !== null && isShown(name)) chosen.push({ name, bytes: given });
    else return null;
  }
  return { logo: logo && { bytes }, attract: chosen };
}

/** PINs to store, and the name of a member to add. */
type ChosenPins = SetupPins & { readonly name: string | null };

/** The PINs of a draft: typed, or those of an uploaded set-up file. */
async function pinsOf(
  { random, uploads }: SetupSources,
  pins: NonNullable<SetupDraft['pins']>,
): Promise<ChosenPins | 'upload'> {
  if ('upload' in pins) {
    const read = readUpload(uploads, pins.upload);
    return read.kind === 'refused' || read.content.pins === null
      ? 'upload'
      : { ...read.content.pins, name: null };
  }
  const team = await keepPin(pins.team, random.bytes(16));
  const technician = await keepPin(pins.technician, random.bytes(16));
  return { team, technician, name: pins.name };
}

function keepPins({ folder, random }: SetupSources, { team, technician, name }: ChosenPins): void {
  const file = createStaffFile(folder);
  const found = file.read();
  const before = found === 'damaged' ? emptyRecord : found;
  const isNew = name !== null && !before.members.some((member) => member.name === name);
  const id = Buffer.from(random.bytes(8)).toString('hex');
  const members = isNew ? [...before.members, { id, name, email: '', badges: [] }] : before.members;
  file.write({ ...before, failures: 0, pin: team, technicianPin: technician, members });
}

/** Both stored PINs; null when one is missing. */
function storedPins(staff: StaffRecord | 'damaged'): SetupPins | null {
  if (staff === 'damaged' || staff.pin === null || staff.technicianPin === null) return null;
  return { team: staff.pin, technician: staff.technicianPin };
}

async function write(
  { folder, access, usualStand }: SetupSources,
  { withKey, withPins }: Parameters<SetupService['write']>[0],
): ReturnType<SetupService['write']> {
  const present = access();
  if (present === null) return null;
  const pins = withPins ? storedPins(createStaffFile(folder).read()) : null;
  if (withPins && pins === null) return null;
  const found = findStand(folder);
  const stand: StandSettings = found.kind === 'settings' ? found.settings : usualStand();
  const { logo } = stand.brand;
  const text = writeSetup({
    platform: {
      address: present.address,
      expo: present.expo,
      privateHttp: present.privateHttp,
      key: withKey ? await present.key.read() : null,
    },
    stand,
    pins,
    logo: isFile(logo) ? readPicture(resolve(folder, logo)) : null,
    attract: attractNames(folder, stand.attract).map((name) =>
      readPicture(join(resolve(folder, stand.attract ?? ''), name)),
    ),
  });
  return { name: `touchpoint-${present.expo}-${stand.touchpoint ?? 'stand'}.json`, text };
}

function readUpload(uploads: Pick<Uploads, 'bytes'>, upload: string): ReturnType<typeof readSetup> {
  const bytes = uploads.bytes(upload);
  return readSetup(bytes === null ? '' : new TextDecoder().decode(bytes));
}

async function take(sources: SetupSources, upload: string): Promise<SetupTaken> {
  const { uploads } = sources;
  const read = readUpload(uploads, upload);
  if (read.kind === 'refused') return { ...read, faults: [...read.faults] };
  const { platform, stand, pins, logo, attract } = read.content;
  const { event } = fixedEvent(sources);
  if (event !== null && event !== platform.expo) return { kind: 'refused', reason: 'otherEvent', faults: [] };
  const put = async (picture: SetupPicture) => ({
    upload: uploads.put(null, picture.bytes) ?? '',
    name: picture.name,
    picture: await drawPicture(sources.draw, picture.bytes),
  });
  const pictures: Awaited<ReturnType<typeof put>>[] = [];
  for (const one of attract) pictures.push(await put(one));
  const draft: StandDraft = stand;
  return {
    kind: 'setup',
    ...platform,
    stand: draft,
    pins: pins === null ? null : upload,
    logo: logo === null ? null : await put(logo),
    attract: pictures,
  };
}

/** The event that this device must keep: the one of its facts, or of the command line. */
function fixedEvent({ access, heldEvent }: SetupSources): FixedEvent {
  const present = access();
  const isSaid = present !== null && present.origin !== 'screen';
  return { isSaid, event: isSaid ? present.expo : heldEvent() };
}

function sameAddress(one: string, other: string): boolean {
  return one.trim().replace(/\/+$/, '') === other.trim().replace(/\/+$/, '');
}
