/**
 * `npm start -- --provision FILE`: sets the device up with a hub's file before anything else starts.
 *
 * Invariants:
 * - a fault of the file is one sentence, and changes no settings of the device;
 * - a start with the file that already set the device up is a normal start, so the option may stay on the command line.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Random } from '../core/foundations/ports.ts';
import { StartRefusal } from '../core/foundations/refusal.ts';
import { plainSettings } from '../core/stand/visit/settings.ts';
import { type EnrolRefusal, enrol, isTakenWith, keepEnrolled, openFile } from './enrolment.ts';
import { readPlatformFile } from './platform-file.ts';
import { findStand } from './stand-file.ts';

/** The file, and the device's id in it; null means its only device. */
export type ProvisionOption = { readonly file: string; readonly device: string | null };

const LARGEST = 20_000_000;
/** Maximum number of ids in a sentence. */
const NAMED = 12;

/**
 * Sets up the device of a data folder; returns a line to print, or null when this file had done so before.
 *
 * @throws StartRefusal with one sentence
 */
export async function provisionFolder(
  folder: string,
  clock: Clock,
  random: Random,
  option: ProvisionOption,
): Promise<string | null> {
  const text = readText(option.file);
  const kept = readPlatformFile(folder);
  if (kept !== null && isTakenWith(folder, text, option.device)) return null;
  if (kept === null && existsSync(join(folder, 'journal.db'))) {
    throw refusal(
      'The data folder holds facts of another set-up; name an empty one for this device after --data.',
    );
  }
  const opened = openFile(folder, clock.now(), text, kept?.expo ?? null);
  if (opened.kind === 'refused') {
    const isOfClock = opened.reason === 'early' || opened.reason === 'expired';
    const says = ` The clock of this computer says ${new Date(clock.now()).toUTCString()}.`;
    throw refusal(`${sentences[opened.reason]}${isOfClock ? says : ''}`);
  }
  const { content, fingerprint } = opened;
  const device = option.device ?? theOnly(content.devices.map(({ id }) => id));
  const found = findStand(folder);
  if (found.kind === 'faults') throw refusal(`stand.json cannot be used: ${found.faults.join('. ')}`);
  const stand = found.kind === 'settings' ? found.settings : plainSettings();
  const taken = await enrol({ folder, clock, random, opened, device, stand });
  if (taken.kind === 'refused') {
    const faults = taken.faults.length === 0 ? '' : ` ${taken.faults.join('. ')}.`;
    throw refusal(`${sentences[taken.reason]}${faults}`);
  }
  const platform = { ...taken.platform, key: { place: 'file', text: taken.platform.key } as const };
  keepEnrolled(folder, clock.now(), opened, device, { ...taken, platform });
  return `This device is ${device} of the hub ${content.hub}. The hub must show the same fingerprint: ${fingerprint}`;
}

/** Sentences for the technician at the terminal. */
const sentences: Readonly<Record<EnrolRefusal, string>> = {
  notOurs: 'The file after --provision is not a file of a hub.',
  cut: 'The file after --provision ends too early. Copy it again.',
  newer: 'The file after --provision was written by a newer Touchpoint. Update this one.',
  altered: 'The file after --provision was changed after the hub signed it. Write it again at the hub.',
  otherHub:
    'The file after --provision belongs to another hub than this device does. If the hub was replaced, move box.json out of the data folder.',
  early:
    'The file after --provision was signed in the future: the clock of this computer or of the hub is wrong.',
  expired:
    'The file after --provision has expired, or the clock of this computer or of the hub is wrong. Set the clock, or write the file again at the hub.',
  otherEvent:
    'The file after --provision is for another event than this folder; name another folder after --data.',
  noDevice: 'The file after --provision has no device with the id after --device.',
  unsound: 'The file after --provision has invalid settings of the stand.',
  insecure: 'The file after --provision names an address to which a credential must not be sent.',
  used: 'Another device was set up with this file already. Write it again at the hub.',
  revoked: 'The hub does not know this device any more. Write a new file at the hub.',
  noHub: 'The server at the address in the file after --provision is not a hub.',
  wrongHub:
    'The server at the address in the file after --provision is not the hub that wrote the file. Check the network of this device, and the address of the hub.',
  noStand:
    'The hub does not have the set-up that this file names. Write the file again at the hub, with --stand.',
  noAnswer: 'The hub does not answer. Check that this device is in its network, and start again.',
};

function theOnly(ids: readonly string[]): string {
  const [first, ...others] = ids;
  if (first !== undefined && others.length === 0) return first;
  const named = ids.slice(0, NAMED).join(', ');
  const more = ids.length > NAMED ? ' ...' : '';
  throw refusal(`The file is for ${ids.length} devices; name this one after --device: ${named}${more}`);
}

function readText(file: string): string {
  try {
    if (statSync(file).size > LARGEST) throw refusal(sentences.notOurs);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    throw refusal('The file after --provision cannot be read.');
  }
}

function refusal(sentence: string): StartRefusal {
  return new StartRefusal('options', sentence);
}
