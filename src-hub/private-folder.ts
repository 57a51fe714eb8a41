/**
 * Restricts the data folder of a hub to its owner: it holds the mirror of the event, the facts and the key that signs
 * files.
 *
 * Invariants
 * - No other user can read a file of the hub, with any umask, even if an older version created the file.
 * - Files that do not belong to the hub are not changed.
 * - On Windows, which has no file modes, nothing changes.
 */
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BadOption } from '../src-platform/options.ts';

/** The files that a hub creates in its folder. */
const OWN = /^((platform|mirror)\.db.*|box-(key|certificate)\.pem|hub-id|snapshot|uploads|outbox)$/;

/**
 * Restricts `folder`, the hub's files in it, and every file that this process creates from now on.
 *
 * @throws BadOption if it is not a folder
 */
export function closeFolder(folder: string): void {
  process.umask(0o077);
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory())
    throw new BadOption(`--data must be a folder, and ${folder} is a file.`);
  const own = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => OWN.test(name));
  if (own.length > 0) chmodSync(folder, 0o700);
  for (const entry of own) close(join(folder, entry.name), entry.isDirectory());
}

function close(path: string, isFolder: boolean): void {
  chmodSync(path, isFolder ? 0o700 : 0o600);
  if (!isFolder) return;
  for (const entry of readdirSync(path, { withFileTypes: true }))
    close(join(path, entry.name), entry.isDirectory());
}
