/**
 * The hub that this device belongs to: `box.json` in the data folder.
 *
 * Invariants:
 * - readable by its owner only;
 * - it contains the device's credential only during an enrolment, so that a lost answer or a power cut does not use
 *   up the device's entry.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StartRefusal } from '../core/foundations/refusal.ts';
import { type SignedText, signerOf } from '../provision/signed-text.ts';
import { writeWhole } from './whole-file.ts';

const hubSchema = z.strictObject({
  version: z.literal(1),
  /** Fingerprint of the hub (trusted on first use); null until a hub enrolled this device. */
  fingerprint: z.string().nullable(),
  /** SHA-256 of the file that set this device up, and the device's id in it; null until a hub enrolled this device. */
  taken: z.strictObject({ file: z.string(), device: z.string() }).nullable(),
  /** An enrolment in progress. */
  asked: z.strictObject({ file: z.string(), device: z.string(), key: z.string() }).nullable(),
});

/** The stored data about the hub of this device. */
export type KnownHub = Omit<z.infer<typeof hubSchema>, 'version'>;

const NAME = 'box.json';
const NONE: KnownHub = { fingerprint: null, taken: null, asked: null };

/** Reads the file. @throws StartRefusal when it exists and is invalid */
export function readHubFile(folder: string): KnownHub {
  const path = join(folder, NAME);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return NONE;
  try {
    const { version: _version, ...known } = hubSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return known;
  } catch {
    throw new StartRefusal(
      'options',
      `${path} cannot be used: it does not name the hub of this device. Move it away and set the device up ` +
        'again with a new file; nothing that was captured is touched.',
    );
  }
}

/** Writes the file. @throws the error of the file system */
export function writeHubFile(folder: string, known: KnownHub): void {
  writeWhole(join(folder, NAME), `${JSON.stringify({ version: 1, ...known }, null, 2)}\n`);
}

/** `isFromHub` verifies signatures of this device's hub. It is absent without a hub. @throws as `readHubFile` */
export function signedByHub(folder: string): { readonly isFromHub?: (signed: SignedText) => boolean } {
  const { fingerprint } = readHubFile(folder);
  return fingerprint === null ? {} : { isFromHub: (signed) => signerOf(signed) === fingerprint };
}
