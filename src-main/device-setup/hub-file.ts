/**
 * The hub in the hall that this device belongs to: `box.json` in the data folder.
 *
 * Invariants: for its owner alone; the credential of the device stands in it only between the question for it and its
 * answer, so that a lost answer, or a power cut, does not cost the device its place.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StartRefusal } from '../core/foundations/refusal.ts';
import { type SignedText, signerOf } from '../provision/signed-text.ts';
import { writeWhole } from './whole-file.ts';

const hubSchema = z.strictObject({
  version: z.literal(1),
  /** Of the hub that is known (first believed, then held to); null until one took this device in. */
  fingerprint: z.string().nullable(),
  /** SHA-256 of the file that set this device up, and which of its devices it is; null as above. */
  taken: z.strictObject({ file: z.string(), device: z.string() }).nullable(),
  /** An enrolment under way. */
  asked: z.strictObject({ file: z.string(), device: z.string(), key: z.string() }).nullable(),
});

/** What is known of the hub. */
export type KnownHub = Omit<z.infer<typeof hubSchema>, 'version'>;

const NAME = 'box.json';
const NONE: KnownHub = { fingerprint: null, taken: null, asked: null };

/** What this folder knows. @throws StartRefusal when the file is there and cannot be used */
export function readHubFile(folder: string): KnownHub {
  const path = join(folder, NAME);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return NONE;
  try {
    const { version: _version, ...known } = hubSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return known;
  } catch {
    throw new StartRefusal(
      'options',
      `${path} cannot be used: it does not say which hub this device belongs to. Move it away and set the device up ` +
        'again with a new file; nothing that was captured is touched.',
    );
  }
}

/** Keeps it. @throws what the disk says */
export function writeHubFile(folder: string, known: KnownHub): void {
  writeWhole(join(folder, NAME), `${JSON.stringify({ version: 1, ...known }, null, 2)}\n`);
}

/** How the device of this folder knows what its hub signed; nothing where it belongs to none. @throws as `readHubFile` */
export function signedByHub(folder: string): { readonly isFromHub?: (signed: SignedText) => boolean } {
  const { fingerprint } = readHubFile(folder);
  return fingerprint === null ? {} : { isFromHub: (signed) => signerOf(signed) === fingerprint };
}
