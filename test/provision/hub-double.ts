/** A small fake of the hub: it enrols devices by their one-time keys, and distributes set-ups. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { makeSigningKey, type Provision, writeProvision } from '../../src-main/provision/provision-file.ts';

export const ONE_TIME = (device: string): string => `one-time-key-of-${device}`;
const DAY = 24 * 60 * 60_000;

/** Starts a hub on loopback that stops when the test ends. */
export async function openHub() {
  const signing = makeSigningKey();
  const enrolled = new Map<string, string>();
  const asked: { readonly path: string; readonly key: string; readonly body: string }[] = [];
  const moods = { silent: false, status: 0 };
  /** The set-ups that the hub distributes, by their hashes. */
  const stands = new Map<string, string>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request);
    const key = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64')
      .toString()
      .slice(0, -1);
    asked.push({ path: request.url ?? '', key, body });
    const say = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    const refuse = (status: number) => say(status, { title: 'refused', status, errors: [] });
    const [, sha256 = ''] = /^\/v2\/hub\/stand\/(\w+)$/.exec(request.url ?? '') ?? [];
    const stand = stands.get(sha256);
    if (stand !== undefined) return say(200, { text: stand });
    if (request.url !== '/v2/hub/enrol') return refuse(404);
    if (moods.status !== 0) return refuse(moods.status);
    const wish = JSON.parse(body) as { device: string; key: string };
    if (key !== ONE_TIME(wish.device)) return refuse(401);
    const held = enrolled.get(wish.device);
    if (held !== undefined && held !== wish.key) return refuse(409);
    enrolled.set(wish.device, wish.key);
    if (moods.silent) return void request.destroy();
    say(200, { key: wish.key });
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;

  const file = (devices: readonly string[], more: Partial<Provision> = {}): string => {
    const content: Provision = {
      expo: 'E1',
      address,
      hub: 'Hall 7',
      issuedAt: new Date(Date.now()).toISOString(),
      expiresAt: new Date(Date.now() + DAY).toISOString(),
      devices: devices.map((id) => ({
        id,
        name: `Robots ${id}`,
        key: ONE_TIME(id),
        touchpoint: `T-${id}`,
        partner: 'P2',

        purpose: 'lead' as const,
        settings: { showCompany: true },
      })),
      ...more,
    };
    return writeProvision(content, signing.privateKey);
  };
  return { address, fingerprint: signing.fingerprint, file, enrolled, asked, moods, stands };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
