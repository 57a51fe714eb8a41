/**
 * Entry of the hub that a laptop of a stand starts for its other laptops, without a terminal. It is the hub of
 * `hub.ts` with invitations.
 *
 *     app ─► start ─► serves ─► touchpoints read ─► ready ─► invite ─► invitation ...
 *
 * Invariants
 * - The process exits when the app exits.
 * - The app passes the platform key in a message.
 */
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openParentChannel, type ParentChannel } from '../../src-main/devices/reader/parent-channel.ts';
import { writeJoinCode } from '../../src-main/provision/join-code.ts';
import { type FromHub, type ToHub, toHubSchema } from '../../src-main/sharing/messages.ts';
import { pinOfHub } from '../certificate/hub-keys.ts';
import { sentenceOf, serve } from '../hub.ts';
import { basePath } from '../options.ts';
import { standOf } from '../stand-file.ts';
import { createInvitations, type Invitations } from './invitations.ts';

/** How often the store is polled for the touchpoint of this laptop, in milliseconds. */
const AGAIN_MS = 200;

type Start = Extract<ToHub, { readonly kind: 'start' }>;
type Serving = { readonly invitations: Invitations; readonly port: number; readonly pin: string };

function run(channel: ParentChannel): void {
  const send = (message: FromHub): void => channel.send(message);
  let serving: Promise<Serving | null> = Promise.resolve(null);
  channel.onEnd(() => process.kill(process.pid, 'SIGTERM'));
  channel.onMessage((received) => {
    const message = toHubSchema.parse(received);
    if (message.kind === 'start') serving = start(message, send);
    else void serving.then((now) => now && invite(now, message.address, send));
  });
}

function invite(
  { invitations, port, pin }: Serving,
  address: string,
  send: (message: FromHub) => void,
): void {
  const { secret, until } = invitations.open(addressOf(address, port));
  send({ kind: 'invitation', code: writeJoinCode({ address, port, pin, secret }), until });
}

/** Starts the hub, which then serves until this process exits. Returns null if it cannot serve. */
async function start(asked: Start, send: (message: FromHub) => void): Promise<Serving | null> {
  const { upstream, expo, touchpoint, laptop, folder: data } = asked;
  const port = await portFor(asked);
  if (port === null) {
    send({ kind: 'failed', reason: 'portTaken', fault: `Port ${asked.port} is in use.` });
    return null;
  }
  let serving: Serving | null = null;
  try {
    const stand = standOf(asked.setup, 'The set-up', expo);
    const onJoined = () => void report(serving, true, send);
    await serve(
      {
        ...{ upstream: { ...upstream, password: '' }, privateHttp: upstream.privateHttp, expo, data, port },
        ...{ database: null, standby: false, serve: false, leaseMs: 15_000, name: laptop, host: '0.0.0.0' },
        ...{ scheme: 'https', log: join(data, 'hub.log') },
      },
      (app, store, signingKey) => {
        const sources = { store, signingKey, expo, touchpoint, laptop, stand, now: Date.now, onJoined };
        const invitations = createInvitations(sources);
        invitations.mount(app);
        serving = { invitations, port, pin: pinOfHub(signingKey) };
      },
    );
    return await announce(serving, asked.needsFile, send);
  } catch (error) {
    const fault = sentenceOf(error);
    if (fault === null) throw error;
    send({ kind: 'failed', reason: 'hub', fault });
    return null;
  }
}

/** Reports that the hub is ready once it has read the touchpoint of this laptop. */
async function announce(
  serving: Serving | null,
  needsFile: boolean,
  send: (message: FromHub) => void,
): Promise<Serving | null> {
  if (serving === null) return null;
  const { invitations, port } = serving;
  while (!(await invitations.isReady())) await sleep(AGAIN_MS);
  const file = needsFile ? await invitations.ownFile(addressOf('127.0.0.1', port)) : null;
  send({ kind: 'ready', port, file });
  await report(serving, false, send);
  return serving;
}

async function report(
  serving: Serving | null,
  isInvitationUsed: boolean,
  send: (message: FromHub) => void,
): Promise<void> {
  if (serving === null) return;
  send({ kind: 'laptops', names: [...(await serving.invitations.laptops())], isInvitationUsed });
}

function addressOf(address: string, port: number): string {
  return `https://${address}:${port}${basePath}`;
}

/**
 * Returns the requested port if it is free. If it is in use: another free port if no device uses the requested port
 * yet, otherwise null.
 */
async function portFor({ port, isPortKnown }: Start): Promise<number | null> {
  return (await freeAt(port)) ?? (isPortKnown ? null : freeAt(0));
}

function freeAt(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe: Server = createServer();
    probe.once('error', () => resolve(null));
    probe.listen({ port, host: '0.0.0.0' }, () => {
      const found = probe.address();
      probe.close(() => resolve(typeof found === 'object' && found !== null ? found.port : null));
    });
  });
}

const channel = openParentChannel();
if (channel === null) process.exitCode = 2;
else run(channel);
