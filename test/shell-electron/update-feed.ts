/** A feed of updates over HTTP, as `packaging/sign-update.ts` writes it, and a device with an AppImage that looks there. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { writeUpdateFeed } from '../../packaging/update-feed.ts';
import { ownFolder } from '../core/fixture.ts';

export const OLD = 'the program of version 1.0.0';
export const NEW = 'the program of version 1.1.0, a little longer';

/** Whoever signs updates. */
export const ours = generateKeyPairSync('ed25519');
export const updateKey = ours.publicKey.export({ type: 'spki', format: 'pem' }).toString();

type Offer = {
  readonly version?: string;
  readonly by?: KeyObject;
  /** Changes what the feed says after it was signed. */
  readonly said?: object;
  /** What is sent in place of the program. */
  readonly sent?: string;
};

/** Opens one that offers 1.1.0. `asked`: the paths that were asked for; `offer` changes what it offers from now on. */
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
    said = {},
    sent = NEW,
  }: Offer): Promise<void> => {
    const name = `touchpoint-${version}-linux-x86_64.AppImage`;
    writeFileSync(join(folder, name), NEW);
    const key = by.export({ type: 'pkcs8', format: 'pem' }).toString();
    const feed = await writeUpdateFeed({ path: join(folder, name), key, share: 100 });
    const signed = JSON.parse(readFileSync(feed, 'utf8')) as object;
    files.set('latest-linux.yml', JSON.stringify({ ...signed, ...said }));
    files.set(name, sent);
  };
  await offer({});
  return { address: `http://127.0.0.1:${port}/`, asked, offer, away: () => files.clear() };
}

/** The AppImage of a device, old as it is. The environment names it as the part that mounts an AppImage does. */
export function placeProgram(): { readonly program: string; readonly is: () => string } {
  const program = join(ownFolder(), 'Touchpoint stand ü.AppImage');
  writeFileSync(program, OLD, { mode: 0o755 });
  const before = process.env.APPIMAGE;
  process.env.APPIMAGE = program;
  onTestFinished(() => {
    if (before === undefined) delete process.env.APPIMAGE;
    else process.env.APPIMAGE = before;
  });
  return { program, is: () => readFileSync(program, 'utf8') };
}
