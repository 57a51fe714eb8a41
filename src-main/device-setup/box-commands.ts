/**
 * Commands of the box this device belongs to, as `box.json` says it: whose signature counts, and which device this is.
 *
 * Invariant: a device that no file of a box set up follows no command.
 */
import type { OpenCommand } from '../core/box/commands.ts';
import { readCommand } from '../provision/signed-command.ts';
import { readBoxFile } from './box-file.ts';

/** Opens commands for the device of a data folder. */
export function openCommands(folder: string): OpenCommand {
  return (text, now) => {
    const { fingerprint, taken } = readBoxFile(folder);
    if (fingerprint === null || taken === null) return null;
    return readCommand(text, now, { fingerprint, device: taken.device });
  };
}

/** Whether a file of a box set up the device of a data folder. */
export function belongsToBox(folder: string): boolean {
  return readBoxFile(folder).fingerprint !== null;
}
