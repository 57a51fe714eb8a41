/**
 * `devices add|list|details|revoke|backup|restore`: the devices of a hub from the command line, even while the hub
 * serves.
 *
 * Invariants
 * - The key of a device leaves the hub only once, in signed files and codes, and is valid only for enrolment.
 * - If the files cannot be written, no device is added.
 */
import { hostname } from 'node:os';
import { type Purpose, purposeSchema } from '../src-main/contract/device.ts';
import { createWallClock, type WallClock } from '../src-main/core/team/formats/wall-clock.ts';
import { fingerprintOfKey, type Provision } from '../src-main/provision/provision-file.ts';
import { openData, openExistingData } from '../src-platform/data.ts';
import { keepStand } from '../src-platform/hub/stands.ts';
import {
  addDevice,
  dropDevices,
  giveDetails,
  type KnownDevice,
  listDevices,
  revokeDevice,
} from '../src-platform/keys/devices.ts';
import { BadOption, parseDatabase, readArguments } from '../src-platform/options.ts';
import { findExpo } from '../src-platform/store/expo.ts';
import { readHubSetting } from '../src-platform/store/hub-setting.ts';
import { findRecords } from '../src-platform/store/records.ts';
import type { Store } from '../src-platform/store/store.ts';
import { openSigningKey, pinOfHub } from './certificate/hub-keys.ts';
import { checkDeviceFiles, type SheetWishes, writeDeviceFiles } from './device-files.ts';
import { backupDevices, restoreDevicesFrom } from './devices-backup.ts';
import { hubName } from './lease/claim.ts';
import { basePath, usualFolder } from './options.ts';
import { readScheme, type Scheme } from './settings.ts';
import { SHEET_LANGUAGES } from './sheet.ts';
import { readStandFile } from './stand-file.ts';

const devicesHelp = `Devices of the hub

  devices add --address URL (--touchpoint ID ... | --count N) [--out FILE] [--each FOLDER] [--sheet FILE]
                                  add devices and write the signed files that set them up
  devices list                    show all devices and the delivery state of their facts
  devices details ID [--all-details]
                                  give a device the contact details of all visitors, or of those who tapped again
  devices revoke ID               end a device's access to the hub at once
  devices backup --out FILE       write a signed backup of them, without keys, for a replacement machine
  devices restore FILE            restore them from such a backup; box-key.pem of the hub must be in the folder

Options of devices add
  --address URL      address at which devices reach the hub, for example https://192.168.1.10:8820/create/v2;
                     repeat it for a standby, which devices use when the first does not answer
  --touchpoint ID    a device for this touchpoint; may be given several times
  --count N          a device for each of the first N touchpoints without a device
  --out FILE         one signed file for all of them
  --each FOLDER      a signed file for each, named after its touchpoint
  --sheet FILE       a page of HTML with a QR code for each, to be printed on A4
  --stand FILE       the set-up they start with, as a device saved it ("Save as a file"): settings, texts, pictures
  --all-details      give them the contact details of all visitors, not only of those who tapped: for a stand that has to
                     export without the hub
  --language en|de   language of the sheet (default en)
  --days N           days for which the files can enrol devices (default 7)
  --name NAME        name of the hub in the files (default: its --name at the last start)

Where
  --data DIR         folder of the hub (default .data/hub)
  --database ADDRESS postgres://... where the hub was started with it
`;

const known = {
  address: { type: 'string', multiple: true },
  touchpoint: { type: 'string', multiple: true },
  count: { type: 'string' },
  out: { type: 'string' },
  each: { type: 'string' },
  sheet: { type: 'string' },
  language: { type: 'string' },
  stand: { type: 'string' },
  days: { type: 'string' },
  name: { type: 'string' },
  'all-details': { type: 'boolean' },
  data: { type: 'string' },
  database: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const DAY_MS = 86_400_000;

type Values = ReturnType<typeof readArguments<typeof known>>['values'];

function wholeNumber(text: string, name: string, most: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most)
    throw new BadOption(`--${name} must be a whole number from 1 to ${most}, got "${text}".`);
  return value;
}

async function eventOf(store: Store): Promise<string> {
  const expo = await readHubSetting(store.db, 'expo');
  if (expo === null) throw new BadOption('This hub was never started: it does not know its event yet.');
  return expo;
}

export type Place = {
  readonly id: string;
  readonly name: string;
  readonly partner: string | null;
  readonly purpose: Purpose;
};

/** The fields of a touchpoint that its device needs. @throws BadOption if this version does not know its purpose */
export function placeOf({
  id,
  doc,
}: {
  readonly id: string;
  readonly doc: Readonly<Record<string, unknown>>;
}): Place {
  const { data: purpose } = purposeSchema.safeParse(doc.purpose);
  if (purpose === undefined)
    throw new BadOption(
      `The touchpoint ${id} has the purpose ${JSON.stringify(doc.purpose ?? null)}; known purposes are ${purposeSchema.options.join(', ')}.`,
    );
  const partner = typeof doc.partnerID === 'string' ? doc.partnerID : null;
  return { id, name: typeof doc.name === 'string' ? doc.name.slice(0, 80) : id, partner, purpose };
}

async function touchpointsOf(
  store: Store,
  expo: string,
  { touchpoint, count }: Values,
): Promise<readonly Place[]> {
  if ((touchpoint === undefined) === (count === undefined))
    throw new BadOption('Name the devices with --touchpoint ID (repeatable) or --count N.');
  if (touchpoint !== undefined) {
    const found = await findRecords(store.db, 'touchpoint', expo, touchpoint);
    return touchpoint.map((id) => {
      const record = found.find((one) => one.id === id && !one.deleted);
      if (record === undefined) throw new BadOption(`The event has no touchpoint ${id}.`);
      return placeOf(record);
    });
  }
  const wanted = wholeNumber(count ?? '', 'count', 2_000);
  const taken = new Set((await livingDevices(store, expo)).map((device) => device.touchpoint_id));
  const rows = await store.db
    .selectFrom('record')
    .select('id')
    .where('expo_id', '=', expo)
    .where('kind', '=', 'touchpoint')
    .where('deleted', '=', 0)
    .orderBy('id')
    .execute();
  const free = rows.map(({ id }) => id).filter((id) => !taken.has(id));
  if (free.length < wanted)
    throw new BadOption(`The event has only ${free.length} touchpoints without a device.`);
  const chosen = await findRecords(store.db, 'touchpoint', expo, free.slice(0, wanted));
  return chosen.map(placeOf).sort((one, other) => (one.id < other.id ? -1 : 1));
}

async function livingDevices(store: Store, expo: string): Promise<readonly KnownDevice[]> {
  return (await listDevices(store.db, expo)).filter(({ revoked }) => revoked === null);
}

/** The addresses for the file, in the given order. */
function addressesOf(given: readonly string[], scheme: Scheme): readonly [string, ...string[]] {
  const [first, ...others] = given.map((address) => addressOf(address, scheme));
  if (first === undefined) throw new BadOption(NO_ADDRESS);
  if (new Set([first, ...others]).size < given.length || given.length > MOST_ADDRESSES)
    throw new BadOption(`--address may be given up to ${MOST_ADDRESSES} times, each another one.`);
  return [first, ...others];
}

const NO_ADDRESS = '--address must be the address at which devices reach this hub.';
const MOST_ADDRESSES = 4;

/** One address in the form that the file contains. If it has no path, it gets the path of the hub's API. */
function addressOf(given: string, scheme: Scheme): string {
  if (!URL.canParse(given) || !/^https?:/.test(given)) throw new BadOption(NO_ADDRESS);
  const { hostname: host, pathname, protocol } = new URL(given);
  if (host === '0.0.0.0' || host === '[::]')
    throw new BadOption(
      '--address must be one that devices can reach: the address of this machine in their network.',
    );
  if (scheme === 'https' && protocol === 'http:')
    throw new BadOption('--address must begin with https://, because this hub serves https.');
  return pathname === '/' ? new URL(basePath, given).href : given;
}

async function add(store: Store, folder: string, values: Values, now: Date): Promise<readonly string[]> {
  const scheme = await readScheme(store);
  const [address, ...others] = addressesOf(values.address ?? [], scheme);
  const language = SHEET_LANGUAGES.find((one) => one === (values.language ?? 'en'));
  if (language === undefined) throw new BadOption('--language must be en or de.');
  const { out, each, sheet } = values;
  const files = { out, each, sheet };
  checkDeviceFiles(files);
  const expo = await eventOf(store);
  const until = new Date(now.getTime() + wholeNumber(values.days ?? '7', 'days', 365) * DAY_MS);
  const places = await touchpointsOf(store, expo, values);
  const wishes = await sheetWishes(store, expo, places, language);
  const stand = values.stand === undefined ? null : await keepStand(store, readStandFile(values.stand, expo));
  const devices = [];
  for (const { id: touchpoint, name, partner, purpose } of places) {
    const seesAllDetails = values['all-details'] === true;
    const about = { expoId: expo, name, touchpointId: touchpoint, partnerId: partner, seesAllDetails };
    const { id, key } = await addDevice(store, about, now, until);
    devices.push({ id, name, key, touchpoint, partner, purpose });
  }
  const privateKey = openSigningKey(folder);
  const hub = (values.name ?? (await hubName(store)) ?? hostname()).slice(0, 80) || 'hub';
  const content: Provision = {
    expo,
    address,
    others: others.length === 0 ? undefined : others,
    pin: scheme === 'https' ? pinOfHub(privateKey) : undefined,
    hub,
    stand: stand ?? undefined,
    issuedAt: now.toISOString(),
    expiresAt: until.toISOString(),
    devices,
  };
  try {
    writeDeviceFiles(files, content, privateKey, wishes);
  } catch (error) {
    await dropDevices(
      store,
      devices.map(({ id }) => id),
    );
    const { code = 'unknown', path = 'The file' } = error as NodeJS.ErrnoException;
    throw new BadOption(`${path} cannot be written (${code}); nothing was added.`);
  }
  const clock = createWallClock(wishes.timezone);
  const written = [out, each, sheet].filter((place) => place !== undefined).join(', ');
  return [
    `${devices.length === 1 ? 'One device was' : `${devices.length} devices were`} added, to be set up until ${clock.time(until.getTime())} (${clock.zone}): ${written}`,
    ...devices.map(({ id, name, touchpoint }) => `${id}  ${name} (${touchpoint})`),
    fingerprintLine(privateKey),
  ];
}

/** The event and the partners, as a sheet shows them. */
async function sheetWishes(
  store: Store,
  expo: string,
  places: readonly Place[],
  language: SheetWishes['language'],
): Promise<SheetWishes> {
  const ids = [...new Set(places.flatMap(({ partner }) => partner ?? []))];
  const partners = (await findRecords(store.db, 'partner', expo, ids)).flatMap(({ id, doc }) =>
    typeof doc.name === 'string' ? [[id, doc.name] as const] : [],
  );
  const event = await findExpo(store.db, expo);
  return {
    event: event?.name ?? expo,
    timezone: createWallClock(event?.timezone ?? null).zone,
    partners: new Map(partners),
    language,
  };
}

/** The number of facts by device and state. */
async function countsOf(store: Store, expo: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await store.db
    .selectFrom('relay_fact')
    .select(({ fn }) => ['device_id', 'state', fn.countAll().as('count')])
    .where('expo_id', '=', expo)
    .groupBy(['device_id', 'state'])
    .orderBy('state')
    .execute();
  const counts = new Map<string, string[]>();
  for (const { device_id: device, state, count } of rows) {
    const words = `${count} ${state.replace('_', ' ')}`;
    counts.set(device ?? '', [...(counts.get(device ?? '') ?? []), words]);
  }
  return counts;
}

/** The line that a person compares with the fingerprint on the device. */
function fingerprintLine(privateKey: string): string {
  return `Fingerprint of this hub: ${fingerprintOfKey(privateKey)}`;
}

async function list(store: Store, folder: string): Promise<readonly string[]> {
  const expo = await eventOf(store);
  const counts = await countsOf(store, expo);
  const clock = createWallClock((await findExpo(store.db, expo))?.timezone ?? null);
  const devices = (await listDevices(store.db, expo)).map((device) =>
    describe(device, counts.get(device.id) ?? ['none accepted'], clock),
  );
  return [...devices, `Times are in the time zone ${clock.zone}.`, fingerprintLine(openSigningKey(folder))];
}

function describe(device: KnownDevice, counts: readonly string[], { time }: WallClock): string {
  const at = (moment: string): string => time(Date.parse(moment));
  const parts = [`touchpoint ${device.touchpoint_id}`];
  if (device.partner_id !== null) parts.push(`partner ${device.partner_id}`);
  parts.push(
    device.enrolled === null
      ? `to be enrolled until ${at(device.enrol_until)}`
      : `enrolled ${at(device.enrolled)}`,
  );
  if (device.reported !== null) parts.push(`last report ${at(device.reported)}`);
  if (device.revoked !== null) parts.push(`revoked ${at(device.revoked)}`);
  if (Number(device.all_details) === 1) parts.push('details of all visitors');
  parts.push(`facts: ${counts.join(', ')}`);
  return `${device.id}  ${device.name}  ${parts.join(', ')}`;
}

/** The verbs of this command, and whether each one needs an argument. */
const verbs: Readonly<Record<string, boolean>> = {
  add: false,
  list: false,
  details: true,
  revoke: true,
  backup: false,
  restore: true,
};

async function answer(args: readonly string[], now: Date): Promise<readonly string[] | null> {
  const { values, positionals } = readArguments(args, known, 'devices');
  const [verb = '', word, ...rest] = positionals;
  if (values.help === true) return null;
  if (rest.length > 0 || verbs[verb] !== (word !== undefined))
    throw new BadOption(
      'Use devices add, list, details ID, revoke ID, backup or restore FILE. See devices --help.',
    );
  const folder = values.data ?? usualFolder;
  const database = parseDatabase(values.database);
  // A replacement machine may never have run a hub before.
  const open = verb === 'restore' ? openData : openExistingData;
  const store = await open(folder, database);
  try {
    return await run(verb, word ?? '', store, folder, values, now);
  } finally {
    await store.close();
  }
}

/** Runs one verb; returns the lines to print. */
async function run(
  verb: string,
  word: string,
  store: Store,
  folder: string,
  values: Values,
  now: Date,
): Promise<readonly string[]> {
  switch (verb) {
    case 'add':
      return add(store, folder, values, now);
    case 'list':
      return list(store, folder);
    case 'backup': {
      const about = { expo: await eventOf(store), scheme: await readScheme(store) };
      return [await backupDevices(store, about, openSigningKey(folder), values.out)];
    }
    case 'details': {
      const seesAll = values['all-details'] === true;
      if (!(await giveDetails(store, word, seesAll))) throw new BadOption(`There is no device ${word}.`);
      return [
        seesAll
          ? `Device ${word} gets the contact details of all visitors. It needs some minutes to read them.`
          : `Device ${word} gets the contact details of those who tap there. It discards the others within minutes.`,
      ];
    }
    case 'restore':
      return [await restoreDevicesFrom(store, folder, word)];
    default:
      if (!(await revokeDevice(store, word, now)))
        throw new BadOption(`There is no device ${word} to revoke.`);
      return [`Device ${word} is revoked.`];
  }
}

/** Runs the command in the arguments after `devices` and prints its result. */
export async function manageDevices(args: readonly string[], say: (text: string) => void): Promise<void> {
  const lines = await answer(args, new Date());
  say(lines === null ? devicesHelp : lines.map((line) => `${line}\n`).join(''));
}
