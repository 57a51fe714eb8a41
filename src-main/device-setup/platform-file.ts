/**
 * The event somebody chose on the screen, with the key to it: `platform.json` in the data folder.
 *
 * Invariants: the key stands in this file alone, and the file is for its owner alone; whatever cannot be read as one of ours
 * is never taken for "no event was chosen".
 */
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { checkAddress } from '../core/api/address.ts';
import { StartRefusal } from '../core/refusal.ts';
import { writeWhole } from './whole-file.ts';

const keptSchema = z.strictObject({
  version: z.literal(1),
  address: z.string().refine((address) => checkAddress(address, true).kind === 'fits'),
  expo: z.string().regex(/^[\w-]{1,64}$/),
  key: z.string().min(1),
  privateHttp: z.boolean(),
});

/** An event and the way to it. */
export type KeptPlatform = Omit<z.infer<typeof keptSchema>, 'version'>;

const NAME = 'platform.json';
const OTHERS = 0o077;

/** The event that was chosen in this folder, or null. @throws StartRefusal when the file is there and cannot be used */
export function readPlatformFile(folder: string): KeptPlatform | null {
  const path = join(folder, NAME);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  try {
    // A copy of the folder may have opened it to others.
    if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0) chmodSync(path, 0o600);
    const { version: _version, ...kept } = keptSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return kept;
  } catch {
    throw new StartRefusal(
      'options',
      `${path} cannot be used: it does not hold the event and the key that were chosen on the screen. ` +
        'Move it away and start with --set-up to choose them again; nothing that was captured is touched.',
    );
  }
}

/** Keeps the event of this folder. @throws what the disk says */
export function writePlatformFile(folder: string, kept: KeptPlatform): void {
  writeWhole(join(folder, NAME), `${JSON.stringify({ version: 1, ...kept }, null, 2)}\n`);
}
