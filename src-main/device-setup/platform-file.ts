/**
 * The event chosen on the screen, and its key: `platform.json` in the data folder.
 *
 * Invariants:
 * - the key is only in this file, encrypted if the system has a keychain, and the file is readable by its owner only;
 * - an invalid file never counts as "no event was chosen".
 */
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { checkAddress } from '../core/foundations/api/address.ts';
import { StartRefusal } from '../core/foundations/refusal.ts';
import type { KeptKey } from '../device-key/key-place.ts';
import { pinSchema } from '../provision/provision-file.ts';
import { writeWhole } from './whole-file.ts';

const addressSchema = z.string().refine((address) => checkAddress(address, true).kind === 'fits');
const event = {
  address: addressSchema,
  expo: z.string().regex(/^[\w-]{1,64}$/),
  privateHttp: z.boolean(),
  pin: pinSchema.optional(),
  others: z.array(addressSchema).optional(),
};
const keptSchema = z.discriminatedUnion('version', [
  z.strictObject({ version: z.literal(1), ...event, key: z.string().min(1) }),
  z.strictObject({ version: z.literal(2), ...event, sealed: z.base64().min(1) }),
]);

/** An event and its address. */
export type KeptPlatform = {
  readonly address: string;
  readonly expo: string;
  readonly privateHttp: boolean;
  /** Pin of the hub's key (`core/foundations/api/server-key.ts`), from the hub's file. */
  readonly pin?: string | undefined;
  /** Further addresses of the hub or its standby. */
  readonly others?: readonly string[] | undefined;
  readonly key: KeptKey;
};

/** The current access, and the direct one of a laptop that uses a colleague's hub (`src-main/sharing`). */
type Name = 'platform.json' | 'direct.json';
const OTHERS = 0o077;

/** The event chosen in this folder, or null. @throws StartRefusal when the file exists and is invalid */
export function readPlatformFile(folder: string, name: Name = 'platform.json'): KeptPlatform | null {
  const path = join(folder, name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  try {
    // A copy of the folder may have made it readable by others.
    if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0) chmodSync(path, 0o600);
    const read = keptSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    if (read.version === 1) {
      const { version: _version, key: text, ...chosen } = read;
      return { ...chosen, key: { place: 'file', text } };
    }
    const { version: _version, sealed, ...chosen } = read;
    return { ...chosen, key: { place: 'keychain', sealed } };
  } catch {
    throw new StartRefusal(
      'options',
      `${path} cannot be used: it lacks the event or the key that were chosen on the screen. ` +
        'Move it away and start with --set-up to choose them again; nothing that was captured is touched.',
    );
  }
}

/** Stores the event of this folder. @throws the error of the file system */
export function writePlatformFile(
  folder: string,
  { key, ...event }: KeptPlatform,
  name: Name = 'platform.json',
): void {
  const content =
    key.place === 'file'
      ? { version: 1, ...event, key: key.text }
      : { version: 2, ...event, sealed: key.sealed };
  writeWhole(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
}

/** Replaces the stored key with `now` if it still is `before`. @throws StartRefusal, or the error of the file system */
export function replaceKeptKey(folder: string, before: KeptKey, now: KeptKey): void {
  const kept = readPlatformFile(folder);
  if (kept !== null && isDeepStrictEqual(kept.key, before)) writePlatformFile(folder, { ...kept, key: now });
}
