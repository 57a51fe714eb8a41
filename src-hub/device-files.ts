/**
 * The output of `devices add`, each part optional: one signed file for all devices, one file per device, a sheet of
 * codes.
 *
 * Invariants
 * - The file and the code of one device have the same content, byte for byte.
 * - Either all files are written or none remains. An existing file is never overwritten.
 * - Only the owner can read a file, because it holds keys.
 */
import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileNameOf } from '../src-main/core/team/formats/file-name.ts';
import { writeCode } from '../src-main/provision/provision-code.ts';
import {
  fingerprintOfKey,
  type Provision,
  type ProvisionedDevice,
  writeProvision,
} from '../src-main/provision/provision-file.ts';
import { BadOption } from '../src-platform/options.ts';
import { readTypeface } from './page/typeface.ts';
import { type SheetAbout, writeSheet } from './sheet.ts';

/** The path for each kind of output. */
export type DeviceFiles = {
  /** One file for all devices. */
  readonly out: string | undefined;
  /** A folder with one file per device. */
  readonly each: string | undefined;
  /** The sheet of codes. */
  readonly sheet: string | undefined;
};

/** The content of a sheet, apart from the devices. */
export type SheetWishes = Pick<SheetAbout, 'event' | 'timezone' | 'language'> & {
  /** Names of partners by id. */
  readonly partners: ReadonlyMap<string, string>;
};

/** @throws BadOption if there is nothing to write, or a file exists already */
export function checkDeviceFiles({ out, each, sheet }: DeviceFiles): void {
  const places = [out, each, sheet].filter((place) => place !== undefined);
  if (places.length === 0) throw new BadOption('Give --out FILE, --each FOLDER or --sheet FILE.');
  for (const place of places)
    if (existsSync(place)) throw new BadOption(`${place} exists already and is not overwritten.`);
}

/** Writes the files. @throws the error of the file system, after removing the written files */
export function writeDeviceFiles(
  { out, each, sheet }: DeviceFiles,
  content: Provision,
  privateKey: string,
  wishes: SheetWishes,
): void {
  const single = content.devices.map((device) => ({
    device,
    text: writeProvision({ ...content, devices: [device] }, privateKey),
  }));
  const undo: (() => void)[] = [];
  const write = (path: string, text: string): void => {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    undo.push(() => rmSync(path, { force: true }));
  };
  try {
    if (out !== undefined) write(out, writeProvision(content, privateKey));
    if (each !== undefined) {
      mkdirSync(each, { mode: 0o700 });
      undo.push(() => rmdirSync(each));
      for (const { device, text } of single) write(join(each, nameOf(device)), text);
    }
    if (sheet !== undefined) write(sheet, sheetOf(single, content, privateKey, wishes));
  } catch (error) {
    for (const step of undo.toReversed()) step();
    throw error;
  }
}

/**
 * A file name that a technician recognises and every system accepts. Its only dot is the last one, so it is not a DOS
 * device name.
 */
function nameOf({ id, name, touchpoint }: Pick<ProvisionedDevice, 'id' | 'name' | 'touchpoint'>): string {
  const whose = fileNameOf({ name: `${touchpoint} ${name}`.replaceAll('.', '-'), company: null, id });
  return `${[...whose].slice(0, 50).join('')} (${id}).touchpoint`;
}

function sheetOf(
  single: readonly { readonly device: ProvisionedDevice; readonly text: string }[],
  { hub, address, expiresAt }: Provision,
  privateKey: string,
  { partners, event, timezone, language }: SheetWishes,
): string {
  const cards = single.map(({ device: { id, name, touchpoint, partner }, text }) => ({
    id,
    name,
    touchpoint,
    code: writeCode(text),
    partner: partner === null ? null : (partners.get(partner) ?? partner),
  }));
  return writeSheet(cards, {
    hub,
    address,
    event,
    timezone,
    language,
    font: readTypeface(),
    fingerprint: fingerprintOfKey(privateKey),
    until: new Date(expiresAt),
  });
}
