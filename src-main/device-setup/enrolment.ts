/**
 * Enrols a device at a hub: exchanges the one-time key of its file for its own credential.
 *
 *     file ─► signature, time, event ─► choice of device ─► stand ─► POST /hub/enrol ─► address, credential, stand
 *
 * Invariants:
 * - nothing is requested from the hub before this device has validated everything it can;
 * - the device makes the credential and stores it before sending it, so a retry after a lost answer uses the same one;
 * - `enrol` changes no settings of the device.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { checkAddress } from '../core/foundations/api/address.ts';
import { type ApiClient, createClient } from '../core/foundations/api/client.ts';
import { ApiError } from '../core/foundations/api/error-class.ts';
import { parseOrUndefined } from '../core/foundations/api/json.ts';
import type { Clock, Random } from '../core/foundations/ports.ts';
import { readSettings, type StandSettings } from '../core/stand/visit/settings.ts';
import { type Provision, type ProvisionRefusal, readProvision } from '../provision/provision-file.ts';
import { readHubFile, writeHubFile } from './hub-file.ts';
import { type KeptPlatform, writePlatformFile } from './platform-file.ts';
import { readSetup, type SetupContent } from './setup-file.ts';
import { writeStand } from './stand-file.ts';
import { isFile, withPictures } from './stand-pictures.ts';

/**
 * Why a device was not set up. `otherEvent`: it holds another event; `noDevice`: the file has no such device;
 * `unsound`: its settings are invalid (with sentences); `insecure`: the address must not receive a key; `used`:
 * another device used this entry; `revoked`: the hub does not have the entry now; `noHub`: no hub answers at the
 * address; `wrongHub`: not the hub that wrote the file; `noStand`: the hub does not distribute this set-up;
 * `noAnswer`: retry later.
 */
export type EnrolRefusal =
  | ProvisionRefusal
  | (
      | 'otherEvent'
      | 'noDevice'
      | 'unsound'
      | 'insecure'
      | 'used'
      | 'revoked'
      | 'noHub'
      | 'wrongHub'
      | 'noStand'
      | 'noAnswer'
    );

export type Refused = {
  readonly kind: 'refused';
  readonly reason: EnrolRefusal;
  readonly faults: readonly string[];
};

/** A valid file. */
export type OpenedFile = {
  readonly kind: 'file';
  readonly content: Provision;
  readonly fingerprint: string;
  /** Identifies the file by its content. */
  readonly digest: string;
};

/** The result of an enrolment. */
export type Enrolled = {
  readonly kind: 'enrolled';
  readonly platform: Omit<KeptPlatform, 'key'> & { readonly key: string };
  readonly stand: StandSettings;
  /** Pictures that the hub distributes; null if the device's pictures do not change. */
  readonly pictures: Pick<SetupContent, 'logo' | 'attract'> | null;
};

/** The addresses and pin of a hub. */
type Way = Omit<KeptPlatform, 'key' | 'expo'>;

const answerSchema = z.object({ key: z.string().min(1).max(500) });

/**
 * Reads a file for this device. `event`: the one it must keep, or null. `known`: the fingerprint of the hub that must
 * have signed it, or null; by default the one of this device's hub. @throws StartRefusal when `box.json` is invalid
 */
export function openFile(
  folder: string,
  now: number,
  text: string,
  event: string | null,
  known: string | null = readHubFile(folder).fingerprint,
): OpenedFile | Refused {
  const read = readProvision(text, now, known);
  if (read.kind === 'refused') return refused(read.reason);
  const { content, fingerprint } = read;
  if (event !== null && event !== content.expo) return refused('otherEvent');
  return { kind: 'file', content, fingerprint, digest: digestOf(text) };
}

/** Whether this file set up the device of this folder. @throws StartRefusal when `box.json` is invalid */
export function isTakenWith(folder: string, text: string, device: string | null): boolean {
  const { taken } = readHubFile(folder);
  return taken?.file === digestOf(text) && (device === null || device === taken.device);
}

/**
 * Enrols this device at the hub as `device` of the file. `stand`: the settings that the file's settings extend,
 * unless the hub distributes a set-up. That set-up is downloaded first, so that a failed download does not use up the
 * device's entry.
 */
export async function enrol({
  folder,
  clock,
  random,
  opened: { content, digest },
  device,
  stand,
}: {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly opened: OpenedFile;
  readonly device: string;
  readonly stand: StandSettings;
}): Promise<Enrolled | Refused> {
  const chosen = content.devices.find(({ id }) => id === device);
  if (chosen === undefined) return refused('noDevice');
  const { touchpoint } = chosen;
  const way = wayTo(content);
  if (way === null) return refused('insecure');
  const handed = content.stand === undefined ? null : await askStand(way, chosen.key, content.stand, clock);
  if (typeof handed === 'string') return refused(handed);
  const sound = readSettings({ ...(handed?.stand ?? stand), ...chosen.settings, touchpoint });
  if (sound.kind === 'faults') return refused('unsound', sound.faults);
  const key = keyToAskFor(folder, digest, device, random);
  const given = await ask(way, chosen.key, { device, key }, clock);
  if (typeof given === 'string') return refused(given);
  return {
    kind: 'enrolled',
    platform: { ...way, expo: content.expo, key: given.key },
    stand: sound.settings,
    pictures: handed,
  };
}

/**
 * Stores the result of an enrolment. An existing `stand.json` is kept under another name. @throws the error of the
 * file system
 */
export function keepEnrolled(
  folder: string,
  now: number,
  { fingerprint, digest }: OpenedFile,
  device: string,
  { stand, pictures, platform }: Pick<Enrolled, 'stand' | 'pictures'> & { readonly platform: KeptPlatform },
): void {
  const shown =
    pictures === null
      ? stand
      : withPictures(folder, stand, {
          // A logo that is a URL needs no file.
          logo:
            pictures.logo === null && !isFile(stand.brand.logo)
              ? null
              : { bytes: pictures.logo?.bytes ?? null },
          attract: pictures.attract,
        });
  writeStand(folder, shown, true, now);
  writePlatformFile(folder, platform);
  writeHubFile(folder, { fingerprint, taken: { file: digest, device }, asked: null });
}

/** The hub's addresses from its signed file; null when one of them must not receive a credential. */
function wayTo({ address: first, others: more, pin }: Provision): Way | null {
  const [address = '', ...others] = [first, ...(more ?? [])].map((text) => text.replace(/\/+$/, ''));
  const all = [address, ...others];
  // Plain http is allowed inside a private network.
  if (all.some((text) => checkAddress(text, true).kind === 'refused')) return null;
  return {
    address,
    privateHttp: all.some((text) => text.startsWith('http://')),
    ...(others.length === 0 ? {} : { others }),
    ...(pin === undefined ? {} : { pin }),
  };
}

function keyToAskFor(folder: string, file: string, device: string, random: Random): string {
  const known = readHubFile(folder);
  if (known.asked?.file === file && known.asked.device === device) return known.asked.key;
  const key = Buffer.from(random.bytes(32)).toString('base64url');
  writeHubFile(folder, { ...known, asked: { file, device, key } });
  return key;
}

function ask(
  way: Way,
  oneTimeKey: string,
  question: { readonly device: string; readonly key: string },
  clock: Clock,
): Promise<{ readonly key: string } | EnrolRefusal> {
  return atHub(way, oneTimeKey, clock, 'noHub', async (client) => {
    const text = await client.post('/hub/enrol', JSON.stringify(question));
    const answer = answerSchema.safeParse(parseOrUndefined(text));
    return answer.success ? answer.data : 'noHub';
  });
}

/** The set-up with this hash, which is in the signed file. */
function askStand(
  way: Way,
  oneTimeKey: string,
  sha256: string,
  clock: Clock,
): Promise<SetupContent | EnrolRefusal> {
  return atHub(way, oneTimeKey, clock, 'noStand', async (client) => {
    const text = await client.get(`/hub/stand/${sha256}`, {});
    const answer = z.object({ text: z.string() }).safeParse(parseOrUndefined(text));
    if (!answer.success || digestOf(answer.data.text) !== sha256) return 'noStand';
    const read = readSetup(answer.data.text);
    return read.kind === 'setup' ? read.content : 'noStand';
  });
}

/** Sends a request to the hub with the one-time key. `missing`: the meaning of a 404 answer. */
async function atHub<Answer>(
  { address, others, pin }: Way,
  oneTimeKey: string,
  clock: Clock,
  missing: EnrolRefusal,
  question: (client: ApiClient) => Promise<Answer | EnrolRefusal>,
): Promise<Answer | EnrolRefusal> {
  const access = { baseUrl: address, key: oneTimeKey, password: '', expoId: '', others, pin };
  const client = createClient(access, clock, { privateHttp: true });
  try {
    return await question(client);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { errorClass } = error;
    return errorClass.kind === 'reject' && errorClass.status === 404 ? missing : reasonOf(error);
  } finally {
    await client.close();
  }
}

function reasonOf({ errorClass }: ApiError): EnrolRefusal {
  switch (errorClass.kind) {
    case 'busy':
    case 'retry':
      return 'noAnswer';
    case 'stop':
      if (errorClass.pause === 'keyRefused' || errorClass.pause === 'forbidden') return 'revoked';
      if (errorClass.pause === 'wrongHub') return 'wrongHub';
      return errorClass.pause === 'addressUnknown' ? 'noAnswer' : 'noHub';
    case 'reject':
      if (errorClass.status === 409) return 'used';
      return errorClass.status === 410 ? 'expired' : 'noHub';
  }
}

function refused(reason: EnrolRefusal, faults: readonly string[] = []): Refused {
  return { kind: 'refused', reason, faults };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
