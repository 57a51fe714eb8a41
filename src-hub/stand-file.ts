/**
 * The set-up with which devices of a hub start: the file that a device saved, without its key, PINs and touchpoint.
 *
 * Invariant: a file that belongs to another event, is damaged or is too large for a device results in one clear
 * sentence (`BadOption`).
 */
import { readFileSync } from 'node:fs';
import { readSetup, writeSetup } from '../src-main/device-setup/setup-file.ts';
import { LONGEST_STAND } from '../src-platform/hub/stands.ts';
import { BadOption } from '../src-platform/options.ts';

/** The text that the hub serves for the file at `path`. @throws BadOption */
export function readStandFile(path: string, expo: string): string {
  return standOf(textAt(path), path, expo);
}

/** Turns the text of a saved set-up into the text that the hub serves. A refusal names `path`. @throws BadOption */
export function standOf(file: string, path: string, expo: string): string {
  const read = readSetup(file);
  if (read.kind === 'refused')
    throw new BadOption(
      `${path} is no whole set-up of a device; save it there with "Save as a file". ${read.faults.join('. ')}`.trim(),
    );
  const { platform, stand, logo, attract } = read.content;
  if (platform.expo !== expo)
    throw new BadOption(`${path} is the set-up of another event, ${platform.expo}.`);
  // A device's entry contains its touchpoint and the address of the hub, so this file does not.
  const text = writeSetup({
    platform: { address: '', expo, privateHttp: false, key: null },
    stand: { ...stand, touchpoint: null },
    // Every device of the hub can download this text, so it contains no secret.
    pins: null,
    logo,
    attract,
  });
  if (text.length > LONGEST_STAND)
    throw new BadOption(
      `${path} is too large for a hub to hand out: pictures and films of at most ${Math.floor((LONGEST_STAND * 0.75) / 1_000_000)} MB.`,
    );
  return text;
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new BadOption(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
}
