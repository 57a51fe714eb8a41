/**
 * `latest-linux.yml` beside an AppImage, by which devices that look for updates find it.
 *
 * Invariants: signed is what devices check (`signed-offer.ts`), with a private Ed25519 key that is only read. The file is JSON,
 * which is YAML, too.
 */
import { createPrivateKey, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { measure } from '../src-main/shell-electron/updates/app-image.ts';
import { type OfferedFile, signedText } from '../src-main/shell-electron/updates/signed-offer.ts';

export type Release = {
  /** The AppImage, with its version in its name. */
  readonly path: string;
  /** The private key as PEM. */
  readonly key: string;
  /** Part of all devices in per cent. */
  readonly share: number;
};

/** The version in the name of an AppImage; null: none. */
export function versionIn(path: string): string | null {
  return /\d+\.\d+\.\d+/.exec(basename(path))?.[0] ?? null;
}

/** Writes the feed; gives its path. @throws Error where a file or the key cannot be read */
export async function writeUpdateFeed({ path, key, share }: Release): Promise<string> {
  const version = versionIn(path);
  if (version === null) throw new Error(`The name of ${path} holds no version`);
  const file: OfferedFile = { url: basename(path), ...(await measure(path)) };
  const signature = sign(null, signedText(version, file), createPrivateKey(key)).toString('base64');
  const feed = {
    ...{ version, files: [file], path: file.url, sha512: file.sha512 },
    ...{ releaseDate: new Date().toISOString(), stagingPercentage: share, signature },
  };
  const out = join(dirname(path), 'latest-linux.yml');
  writeFileSync(out, `${JSON.stringify(feed, null, 2)}\n`);
  return out;
}
