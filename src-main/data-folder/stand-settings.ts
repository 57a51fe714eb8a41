/**
 * The stand's settings: `stand.json` in the data folder (docs/stand-settings.md). Without the file a stand has only
 * the tap. The demo event has its own settings.
 *
 * Invariant: with an invalid file the start fails before log and journal are opened, with one message that lists the
 * faults. Otherwise a stand could run with the wrong questions.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import demoStand from '../../assets/demo/stand.json' with { type: 'json' };
import { readSettings, type StandSettings } from '../core/stand/visit/settings.ts';
import { readSettingsFile } from './settings-file.ts';

/**
 * The settings of a data folder, with absolute paths of files; null without settings.
 *
 * @throws StartRefusal when the file exists and is invalid
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

/** Whether an event is the demo event, which has its own settings. */
export function isDemoEvent(event: string): boolean {
  return event === 'AD2026';
}

/** The settings of the demo event. */
export function demoSettings(): StandSettings {
  const read = readSettings(demoStand);
  if (read.kind === 'faults') throw new Error(`Expected the demo stand to be sound: ${read.faults.join()}`);
  return read.settings;
}
