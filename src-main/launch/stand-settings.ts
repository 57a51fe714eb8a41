/**
 * What the stand offers and asks: `stand.json` in the data folder (docs/stand-settings.md). Nothing beyond the tap
 * without it; the demo event brings a stand of its own.
 *
 * Invariant: a file that cannot be understood stops the start with one sentence that names the field, before anything
 * is opened, because a stand that asks something else than its owner meant is worse than none.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import demoStand from '../../assets/demo/stand.json' with { type: 'json' };
import { StartRefusal } from '../core/refusal.ts';
import { readSettings, type StandSettings } from '../core/stand/settings.ts';

/**
 * The settings of a data folder, files in them by their whole path; null where there are none.
 *
 * @throws StartRefusal when the file is there and wrong
 */
export const readStandSettings = (folder: string): StandSettings | null => {
  const path = join(folder, 'stand.json');
  if (!existsSync(path)) return null;
  const wrong = (what: string) =>
    new StartRefusal('options', `${path} cannot be used: ${what}. Mend or remove it.`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw wrong('it is not JSON');
  }
  const read = readSettings(value);
  if (read.kind === 'fault') throw wrong(read.fault);
  const { settings } = read;
  const { logo } = settings.brand;
  const isFile = logo !== null && !/^(https?|data):/i.test(logo);
  const logoPath = isFile ? resolve(folder, logo) : logo;
  const attract = settings.attract === null ? null : resolve(folder, settings.attract);
  if (isFile && !statSync(String(logoPath), { throwIfNoEntry: false })?.isFile())
    throw wrong(`brand.logo names a file that is not there (${logoPath})`);
  if (attract !== null && !statSync(attract, { throwIfNoEntry: false })?.isDirectory())
    throw wrong(`attract names a folder that is not there (${attract})`);
  return { ...settings, brand: { ...settings.brand, logo: logoPath }, attract };
};

/** The stand of the demo event. */
export const demoSettings = (): StandSettings => {
  const read = readSettings(demoStand);
  if (read.kind === 'fault') throw new Error(`Expected the demo stand to be sound: ${read.fault}`);
  return read.settings;
};
