/**
 * `node packaging/sign-update.ts KEY FILE [--share N]`: writes `latest-linux.yml` beside an AppImage, the feed from which
 * devices update. For an arm64 AppImage the name is `latest-linux-arm64.yml` (docs/release.md).
 *
 * Invariants:
 * - it signs the text that devices verify (`update-signature.ts`) with a private Ed25519 key;
 * - the feed is JSON, which is also YAML.
 */
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ReleasedFile, signedText } from '../src-main/shell-electron/updates/update-signature.ts';

const HELP =
  'node packaging/sign-update.ts KEY FILE [--share N]: a private Ed25519 key as PEM, an AppImage with its version in its name, a share from 0 to 100.\n';

export type Release = {
  /** The AppImage, with its version in its name. */
  readonly path: string;
  /** The private key as PEM. */
  readonly key: string;
  /** Percentage of devices that install the update. */
  readonly share: number;
};

/** Writes the feed and returns its path. @throws Error when a file or the key cannot be read */
export async function writeUpdateFeed({ path, key, share }: Release): Promise<string> {
  const version = versionIn(path);
  if (version === null) throw new Error(`The name of ${path} holds no version`);
  const { size, sha512 } = await measure(path);
  const file: ReleasedFile = { url: basename(path), size, sha512 };
  const feed = {
    version,
    files: [file],
    path: file.url,
    sha512,
    releaseDate: new Date().toISOString(),
    stagingPercentage: share,
    signature: sign(null, signedText(version, file), createPrivateKey(key)).toString('base64'),
  };
  const out = join(dirname(path), feedName(path));
  writeFileSync(out, `${JSON.stringify(feed, null, 2)}\n`);
  return out;
}

/** The name that electron-updater asks for on the machine of this AppImage. */
function feedName(path: string): string {
  return /-arm64\.AppImage$/i.test(path) ? 'latest-linux-arm64.yml' : 'latest-linux.yml';
}

/** The version in the name of an AppImage, or null. */
function versionIn(path: string): string | null {
  return /\d+\.\d+\.\d+/.exec(basename(path))?.[0] ?? null;
}

/** Size, and SHA-512 in base64. */
async function measure(path: string): Promise<{ size: number; sha512: string }> {
  const hash = createHash('sha512');
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha512: hash.digest('base64') };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { share: { type: 'string', default: '100' } },
    allowPositionals: true,
  });
  const [key, path] = positionals;
  const share = Number(values.share);
  if (key === undefined || path === undefined || versionIn(path) === null || !(share >= 0 && share <= 100)) {
    process.stderr.write(HELP);
    process.exitCode = 2;
    return;
  }
  process.stdout.write(`${await writeUpdateFeed({ path, key: readFileSync(key, 'utf8'), share })}\n`);
}

if (import.meta.main) await main();
