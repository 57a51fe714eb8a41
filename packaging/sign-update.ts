/** `node packaging/sign-update.ts KEY FILE [--share N]`: signs an AppImage for devices that look for updates (docs/release.md). */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { versionIn, writeUpdateFeed } from './update-feed.ts';

const HELP =
  'node packaging/sign-update.ts KEY FILE [--share N]: a private Ed25519 key as PEM, an AppImage with its version in its name, a share from 0 to 100.\n';

const { values, positionals } = parseArgs({
  options: { share: { type: 'string', default: '100' } },
  allowPositionals: true,
});
const [key, path] = positionals;
const share = Number(values.share);

if (key === undefined || path === undefined || versionIn(path) === null || !(share >= 0 && share <= 100)) {
  process.stderr.write(HELP);
  process.exitCode = 2;
} else {
  const feed = await writeUpdateFeed({ path, key: readFileSync(key, 'utf8'), share });
  process.stdout.write(`${feed}\n`);
}
