/**
 * The data folder of a hub is its owner's alone: the copy of the event, the facts and the key by which files are signed.
 *
 * Invariants: what the hub makes from now on nobody else can read, whatever the machine's mask says; what an older version made
 * is closed, too; a file that is not the hub's own is left as it is. Where there are no modes (Windows), nothing changes.
 */
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BadOption } from '../src-platform/options.ts';

/** What a hub makes in its folder. */
const OWN = /^((platform|mirror)\.db.*|hub-key\.pem|snapshot|uploads|outbox)$/;

/**
 * Closes `folder` and everything in it that is the hub's, and whatever this process makes from now on.
 *
 * @throws BadOption where it is no folder
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
