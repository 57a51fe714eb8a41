/**
 * Tokens of destinations: `destination-keys.json` in the data folder, stored like the platform key.
 *
 * Invariants:
 * - The file holds a token encrypted by the system's keychain if there is one, otherwise as plain text. Only its owner
 *   can read the file.
 * - No backup and no diagnostics file contains a token.
 * - No promise here rejects. An unreadable token counts as missing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../core/foundations/ports.ts';
import type { SecretStore } from '../core/team/destinations/access.ts';
import type { KeptKey, KeyPlace } from '../device-key/key-place.ts';
import { writeWhole } from './whole-file.ts';

const keptSchema = z.record(
  z.string(),
  z.discriminatedUnion('place', [
    z.object({ place: z.literal('file'), text: z.string() }),
    z.object({ place: z.literal('keychain'), sealed: z.string() }),
  ]),
);

/** The tokens in `folder`. */
export function keptSecrets(
  folder: string,
  place: KeyPlace,
  log: Log & { readonly hide: (secret: string) => void },
): SecretStore {
  const path = join(folder, 'destination-keys.json');
  const all = (): Readonly<Record<string, KeptKey>> => {
    try {
      return keptSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isMissing) log.warn('the tokens of destinations cannot be read', { kind: (error as Error).name });
      return {};
    }
  };
  const write = (kept: Readonly<Record<string, KeptKey>>): boolean => {
    try {
      writeWhole(path, JSON.stringify(kept));
      return true;
    } catch (error) {
      log.error('the tokens of destinations cannot be written', { kind: (error as Error).name });
      return false;
    }
  };
  return {
    keep: async (id, secret) => {
      const kept = await place.keep(secret);
      // The file is read after the wait, so that a token that was stored in the meantime stays.
      return write({ ...all(), [id]: kept });
    },
    read: async (id) => {
      const kept = all()[id];
      if (kept === undefined) return null;
      const read = await place.read(kept);
      return read.kind === 'key' ? read.key : null;
    },
    forget: async (id) => {
      const { [id]: _forgotten, ...others } = all();
      write(others);
    },
    hide: log.hide,
    keepOnly: (ids) => {
      const kept = Object.entries(all());
      const known = kept.filter(([id]) => ids.includes(id));
      const others = kept.length - known.length;
      return others > 0 && write(Object.fromEntries(known)) ? others : 0;
    },
  };
}
