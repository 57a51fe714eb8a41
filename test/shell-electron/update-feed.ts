/** A feed of updates over HTTP, as `packaging/sign-update.ts` writes it, and the AppImage of a device. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { writeUpdateFeed } from '../../packaging/sign-update.ts';
import { ownFolder } from '../core/fixture.ts';

/** electron-updater runs a new AppImage once with `APPIMAGE_EXIT_AFTER_INSTALL` set; its AppRun then exits at once. */
const programOf = (words: string) =>
  `#!/bin/sh\nprintf '%s' "$APPIMAGE_EXIT_AFTER_INSTALL" > "$0.ran"\n# ${words}\n`;
export const OLD = programOf('version 1.0.0');
export const NEW = programOf('version 1.1.0, a little longer');

const ours = generateKeyPairSync('ed25519');
/** The public key that devices trust. */
export const updateKey = ours.publicKey.export({ type: 'spki', format: 'pem' }).toString();

type Offer = {
  readonly version?: string;
  readonly by?: KeyObject;
  /** Changes the feed after it was signed. */
  readonly changed?: object;
  /** Sent in place of the program. */
  readonly sent?: string;
};

/** Opens a feed that offers 1.1.0. `asked`: the requested paths; `offer` changes the offer from now on. */
export async function openFeed() {
  const folder = join(ownFolder(), 'feed');
  mkdirSync(folder);
  const files = new Map<string, string>();
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const path = new URL(url, 'http://feed').pathname.slice(1);
    asked.push(path);
    const content = files.get(path);
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const offer = async ({
    version = '1.1.0',
    by = ours.privateKey,
    changed = {},
    sent = NEW,
  }: Offer): Promise<void> => {
    const name = `touchpoint-${version}-linux-x86_64.AppImage`;
    writeFileSync(join(folder, name), NEW);
    const key = by.export({ type: 'pkcs8', format: 'pem' }).toString();
    const feed = await writeUpdateFeed({ path: join(folder, name), key, share: 100 });
    const signed = JSON.parse(readFileSync(feed, 'utf8')) as object;
    files.set('latest-linux.yml', JSON.stringify({ ...signed, ...changed }));
    files.set(name, sent);
  };
  await offer({});
  return { address: `http://127.0.0.1:${port}/`, asked, offer, away: () => files.clear() };
}

/** Writes the old AppImage of a device, and sets `APPIMAGE` to its path, as the runtime of an AppImage does. */
export function placeProgram(name = 'Touchpoint stand ü.AppImage') {
  const folder = ownFolder();
  const program = join(folder, name);
  writeFileSync(program, OLD, { mode: 0o755 });
  const before = process.env.APPIMAGE;
  process.env.APPIMAGE = program;
  onTestFinished(() => {
    if (before === undefined) delete process.env.APPIMAGE;
    else process.env.APPIMAGE = before;
  });
  return {
    program,
    folder,
    /** The content of the program's file; null when it is missing. */
    content: (path = program) => (existsSync(path) ? readFileSync(path, 'utf8') : null),
  };
}
