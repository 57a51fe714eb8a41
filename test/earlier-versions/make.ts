/**
 * `node test/earlier-versions/make.ts TREE NAME [OMIT]`: writes a data folder exactly as the version that is checked
 * out at TREE does, and stores it as `NAME.zip.br` beside this file, without files whose path matches OMIT. Run it
 * once for each release (`docs/release.md`). TREE needs its packages and its page, which `npm test -- test/log` there
 * installs.
 *
 * Invariants:
 * - That version's own app wrote the content, on the demo event, with the `stand.json` of that version.
 * - The app is killed while its last fact is in flight, so the last facts are in the write-ahead log and nothing is
 *   cleaned up. The demo platform is suspended for that moment (Linux).
 * - Tokens and logs are left out.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { zipSync } from 'fflate';
import { WebSocket } from 'ws';

type Call = (input?: unknown) => Promise<unknown>;
/** The contract of another version. A call shows which parts exist. */
type AnyClient = Readonly<Record<string, Readonly<Record<string, Call>>>>;
type Tap = { readonly kind: string; readonly factId?: string; readonly openQuestions?: readonly string[] };
type Device = {
  readonly mirror: { readonly complete: boolean };
  readonly delivery: { readonly captured: number; readonly confirmed: number; readonly inFlight: number };
};
type Stand = { readonly consents: readonly { readonly id: string }[] };
type Staff = { readonly demo: { readonly technicianPin: string } | null };

const KEPT = /^(journal\.|mirror\.db|stand\.json|staff|platform\/.*\.db)/;

const [tree, name, omit = '^$'] = process.argv.slice(2);
if (tree === undefined || name === undefined) throw new Error('Expected TREE and NAME');
const folder = mkdtempSync(join(tmpdir(), 'touchpoint-earlier-'));
try {
  const stand = join(tree, 'assets', 'demo', 'stand.json');
  if (existsSync(stand)) copyFileSync(stand, join(folder, 'stand.json'));
  const app = await start(tree);
  const platform = Number(
    execFileSync('pgrep', ['-P', String(app.pid), '-f', 'src-platform/main'], { encoding: 'utf8' }),
  );
  await work(await connect(), () => process.kill(platform, 'SIGSTOP'));
  app.kill('SIGKILL');
  await once(app, 'exit');
  process.kill(platform, 'SIGCONT');
  // The demo platform shuts down after the app. Its write-ahead log disappears when it has finished.
  await until(() => !existsSync(join(folder, 'platform', 'platform.db-wal')));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => KEPT.test(path) && !path.endsWith('-shm') && !new RegExp(omit).test(path))
    .map((path) => [path, new Uint8Array(readFileSync(join(folder, path)))] as const);
  const zip = zipSync(Object.fromEntries(files), { level: 0, mtime: '2000-01-01T00:00:00' });
  // A write-ahead log contains the same pages several times. They are too far apart for the window of a zip, but not for
  // this window of 16 MB.
  const small = brotliCompressSync(zip, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
  writeFileSync(join(import.meta.dirname, `${name}.zip.br`), small);
  process.stdout.write(`${files.map(([path]) => path).join(', ')}: ${small.length} bytes\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function start(from: string): Promise<ChildProcess> {
  const entry = join(from, 'src-main', 'launch', 'main.ts');
  const options = ['--data', folder, '--reader', 'none', '--no-open', '--shell', 'browser'];
  const app = spawn(process.execPath, [entry, ...options], {
    cwd: from,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of app.stdout.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('Touchpoint is ready')) break;
  }
  return app;
}

async function connect(): Promise<AnyClient> {
  const { rpc, token } = JSON.parse(readFileSync(join(folder, 'app.json'), 'utf8')) as Record<string, string>;
  const socket = new WebSocket(rpc ?? '', { headers: { Authorization: `Bearer ${token}` } });
  await once(socket, 'open');
  return createORPCClient(new RPCLink({ websocket: socket as never })) as never;
}

/**
 * Events of a morning at the stand: taps of known and unknown visitors, a second tap of one visitor, an undo, a
 * consent, and edits by the team. It ends with a tap in flight, after `stopPlatform`.
 */
async function work(client: AnyClient, stopPlatform: () => void): Promise<void> {
  const ask = (group: string, call: string, input?: unknown) => client[group]?.[call]?.(input);
  const offered = (group: string, call: string, input?: unknown) =>
    ask(group, call, input)?.catch(() => null);
  const device = follow<Device>(await ask('device', 'watch'));
  const taps = follow<Tap>(await ask('taps', 'watch'));
  const tap = async (text: string) => {
    const before = taps.length;
    await ask('taps', 'enter', { text, source: 'manual' });
    await until(() => taps.slice(before).some(({ kind }) => kind === 'captured'));
    return taps.findLast(({ kind }) => kind === 'captured')?.factId ?? '';
  };
  await until(() => device.at(-1)?.mirror.complete === true);
  const [known, taken, unknown] = ['04A1B2C3D4E5F6', '04F61B2C8D3A40', '04990000DEAD01'] as const;
  const factId = await tap(known);
  const stand = await first<Stand>(await offered('stand', 'watch'));
  const agreed = Object.fromEntries((stand?.consents ?? []).map(({ id }, index) => [id, index === 0]));
  for (const group of ['visit', 'session']) {
    await offered(group, 'consent', { factId, language: 'en', agreed });
    await offered(group, 'end', { factId });
  }
  await ask('taps', 'undo', { factId: await tap(taken) });
  await tap(unknown);
  const staff = await first<Staff>(await offered('staff', 'watch'));
  await offered('staff', 'signIn', { pin: staff?.demo?.technicianPin ?? '' });
  await offered('staff', 'addMember', { name: 'Mara' });
  const last = (await offered('leads', 'last')) as { readonly lead: string } | null;
  await offered('leads', 'edit', { lead: last?.lead, change: { rating: 4, note: 'Wants a demo in March' } });
  await until(() => device.at(-1)?.delivery.confirmed === device.at(-1)?.delivery.captured);
  // Longer than the time in which a resting badge counts as one tap.
  await delay(4000);
  stopPlatform();
  await tap(known);
  await until(() => device.at(-1)?.delivery.inFlight === 1);
}

/** The events of a stream, as a list that grows. */
function follow<T>(events: unknown): T[] {
  const heard: T[] = [];
  void (async () => {
    for await (const event of events as AsyncIterable<T>) heard.push(event);
  })().catch(() => undefined);
  return heard;
}

/** The first event of a stream. Null if that version has none. */
async function first<T>(events: unknown): Promise<T | null> {
  for await (const event of (events ?? []) as AsyncIterable<T>) return event;
  return null;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(100);
}
