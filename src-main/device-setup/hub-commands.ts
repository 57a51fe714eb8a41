/**
 * Verifies commands of this device's hub. `box.json` names the hub's key and the device's id.
 *
 * Invariant: a device that was not set up by a hub executes no command.
 */
import type { OpenCommand } from '../core/delivery/hub/commands.ts';
import { readCommand } from '../provision/signed-command.ts';
import { readHubFile } from './hub-file.ts';

/** Opens commands for the device of a data folder. */
export function openCommands(folder: string): OpenCommand {
  return (text, now) => {
    const { fingerprint, taken } = readHubFile(folder);
    if (fingerprint === null || taken === null) return null;
    return readCommand(text, now, { fingerprint, device: taken.device });
  };
}

/** Whether the device of this data folder was set up with a hub's file. */
export function belongsToHub(folder: string): boolean {
  return readHubFile(folder).fingerprint !== null;
}
