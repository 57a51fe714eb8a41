/**
 * The key a hub signs with: `box-key.pem` in its folder, made at the first use, readable by its owner only.
 *
 * Invariant: it is never written anew; with another key it would be another hub to its devices.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSigningKey } from '../src-main/provision/provision-file.ts';

/** The private key of the hub of this folder, in PEM. */
export function openSigningKey(folder: string): string {
  const file = join(folder, 'box-key.pem');
  if (!existsSync(file)) writeFileSync(file, makeSigningKey().privateKey, { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8');
}
