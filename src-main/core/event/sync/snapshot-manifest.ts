/**
 * Reads and verifies the manifest of a hub's snapshot. Pure.
 *
 * Invariant: only text that the hub of this device signed is read.
 */
import { z } from 'zod';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { MIRROR_VERSION, SNAPSHOT_VERSION } from '../mirror/snapshot-file.ts';

/** A signed text of the hub. */
type SignedText = { readonly text: string; readonly publicKey: string; readonly signature: string };

/** Whether the hub of this device signed the text. */
export type IsFromHub = (signed: SignedText) => boolean;

/** The hub's answer is not a snapshot for this device. The message is the reason. */
export class UnusableSnapshot extends Error {}

const signedSchema = z.object({ text: z.string().max(10_000), publicKey: z.string(), signature: z.string() });

const manifestSchema = z.object({
  format: z.literal('touchpoint-snapshot'),
  version: z.literal(SNAPSHOT_VERSION),
  /** Schema version of the mirror in the snapshot. */
  mirror: z.int().max(MIRROR_VERSION),
  compression: z.literal('zstd'),
  expo: z.string(),
  epoch: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** `length`: bytes as sent. `size`: bytes after decompression. */
  length: z.int().min(1).max(2_000_000_000),
  size: z.int().min(1).max(8_000_000_000),
});

/** The manifest of a snapshot. */
export type SnapshotManifest = z.infer<typeof manifestSchema>;

/** Reads the answer of a hub. `wanted`: the event, and the store id of the answering hub. @throws UnusableSnapshot */
export function readManifest(
  answer: string,
  isFromHub: IsFromHub | undefined,
  wanted: { readonly expo: string; readonly epoch: string },
): SnapshotManifest {
  const signed = signedSchema.safeParse(parseOrUndefined(answer));
  if (!signed.success) throw new UnusableSnapshot('it cannot be read');
  if (isFromHub?.(signed.data) !== true) throw new UnusableSnapshot('the hub did not sign it');
  const manifest = manifestSchema.safeParse(parseOrUndefined(signed.data.text));
  if (!manifest.success) throw new UnusableSnapshot('its format is unknown here');
  if (manifest.data.expo !== wanted.expo) throw new UnusableSnapshot('it belongs to another event');
  if (manifest.data.epoch !== wanted.epoch)
    throw new UnusableSnapshot('it belongs to another store of the hub');
  return manifest.data;
}
