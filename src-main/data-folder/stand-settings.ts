/**
 * What the stand offers and asks: `stand.json` in the data folder (docs/stand-settings.md). Nothing beyond the tap
 * without it; the demo event brings a stand of its own.
 *
 * Invariant: a file that cannot be understood stops the start with one message that names its faults, before anything
 * is opened, because a stand that asks something else than its owner meant is worse than none.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import demoStand from '../../assets/demo/stand.json' with { type: 'json' };
import { readSettings, type StandSettings } from '../core/stand/visit/settings.ts';
import { readSettingsFile } from './settings-file.ts';

/**
 * The settings of a data folder, files in them by their whole path; null where there are none.
 *
 * @throws StartRefusal when the file is there and wrong
 */
export function readStandSettings(folder: string): StandSettings | null {
  const file = readSettingsFile(folder, 'stand.json');
  if (file === null) return null;
  const read = readSettings(file.value);
  if (read.kind === 'faults') throw file.wrong(...read.faults);
  const { settings } = read;
  const { logo: given } = settings.brand;
  const isFile = given !== null && !/^(https?|data):/i.test(given);
  const logo = isFile ? resolve(folder, given) : given;
  const attract = settings.attract === null ? null : resolve(folder, settings.attract);
  const missing: string[] = [];
  if (isFile && !statSync(resolve(folder, given), { throwIfNoEntry: false })?.isFile())
    missing.push(`brand, logo: there is no file ${logo}`);
  if (attract !== null && !statSync(attract, { throwIfNoEntry: false })?.isDirectory())
    missing.push(`attract: there is no folder ${attract}`);
  if (missing.length > 0) throw file.wrong(...missing);
  return { ...settings, brand: { ...settings.brand, logo }, attract };
}

/** Whether an event is the demo's, which brings a stand of its own. */
export function isDemoEvent(event: string): boolean {
  return event === 'AD2026';
}

/** The stand of the demo event. */
export function demoSettings(): StandSettings {
  const read = readSettings(demoStand);
  if (read.kind === 'faults') throw new Error(`Expected the demo stand to be sound: ${read.faults.join()}`);
  return read.settings;
}
