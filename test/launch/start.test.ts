/**
 * Start and end of the real app with the browser shell and the embedded demo event. An ordinary run ends it by one of
 * three signals, which the seed of the run selects.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { contract } from '../../src-main/contract/contract.ts';
import { openDatabase } from '../../src-main/core/foundations/store/database.ts';
import { openHub } from '../provision/hub-double.ts';
import { inTurn } from '../thoroughness.ts';
import { entry, processesNaming, type RunningApp, startApp, watch } from './running-app.ts';

let folder: string;
const apps: RunningApp[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchpoint-start-'));
});

afterEach(async () => {
  for (const { child, ended } of apps.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  await expect.poll(() => processesNaming(folder), { timeout: 40_000 }).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

function start(options: readonly string[] = [], path = folder): RunningApp {
  const app = startApp(path, options);
  apps.push(app);
  return app;
}

const demoLine = /^Demo platform: (http:\S+) key (\S+) expo (\S+)$/;
const readyLine = /^Touchpoint is ready: (http:\/\/127\.0\.0\.1:\d+\/\?launch=[\w-]+)$/;
const standLine = /^Stand: /;

async function appFile() {
  return JSON.parse(await readFile(join(folder, 'app.json'), 'utf8')) as {
    pid: number;
    shell: string;
    rpc: string;
    token: string;
  };
}

test('a defect ends the app with the exit code on which `npm start` restarts it', async () => {
  const preload = 'data:text/javascript,process.on("SIGUSR2",()=>{throw new Error("planted")})';
  const options = ['--data', folder, '--reader', 'none', '--no-open', '--shell', 'browser'];
  const app = watch(spawn(process.execPath, ['--import', preload, entry, ...options]));
  apps.push(app);
  await app.line(standLine);
  app.child.kill('SIGUSR2');
  expect(await app.ended).toBe(70);
  const again = start();
  await again.line(readyLine);
});

describe('a start', () => {
  test('prints demo platform, address, PINs and stand, and nothing else, and serves the page there', async () => {
    const app = start();
    await app.line(standLine);
    expect(app.lines).toHaveLength(4);
    expect(app.lines[0]).toMatch(demoLine);
    const [, address = ''] = readyLine.exec(app.lines[1] ?? '') ?? [];
    expect(app.lines[2]).toMatch(/^Staff pages: press F2 there; PIN \d{4}, the technician's \d{4}$/);
    const first = await fetch(address, { redirect: 'manual' });
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const page = await fetch(new URL('/', address), { headers: { Cookie: cookie } });
    expect([first.status, page.status]).toEqual([303, 200]);
    expect(await page.text()).toContain('<div id="root">');
  });

  test('admits tools of this user through app.json, which only they can read and which is removed at the end', async () => {
    const app = start();
    await app.line(readyLine);
    const { pid, shell, rpc, token } = await appFile();
    expect({ pid, shell }).toEqual({ pid: app.child.pid, shell: 'browser' });
    expect((await stat(join(folder, 'app.json'))).mode & 0o777).toBe(0o600);
    const socket = new WebSocket(rpc, { headers: { Authorization: `Bearer ${token}` } });
    const client = createORPCClient<ContractRouterClient<typeof contract>>(
      new RPCLink({ websocket: socket as never }),
    );
    expect((await client.demo.badges()).length).toBeGreaterThan(3);
    socket.terminate();
    app.child.kill('SIGTERM');
    expect(await app.ended).toBe(0);
    expect(existsSync(join(folder, 'app.json'))).toBe(false);
  });

  test('runs a real event without starting the embedded one', async () => {
    const url = 'http://127.0.0.1:9/some-secret-path';
    const app = start(['--platform', url, '--key', 'some-secret-key', '--expo', '7']);
    await app.line(standLine);
    expect(app.lines).toHaveLength(2);
    expect(app.lines[0]).toMatch(readyLine);
    expect(existsSync(join(folder, 'platform'))).toBe(false);
    const logged = async () => {
      const logs = join(folder, 'logs');
      const texts = (await readdir(logs)).map((log) => readFile(join(logs, log), 'utf8'));
      return (await Promise.all(texts)).join('');
    };
    await expect.poll(logged, { timeout: 40_000 }).toContain('"platform":"http://127.0.0.1:9"');
    const { token } = await appFile();
    app.child.kill('SIGTERM');
    await app.ended;
    const text = await logged();
    expect(text).toContain('"msg":"ready"');
    expect(text).not.toContain('some-secret');
    expect(text).not.toContain(token);
  });

  test('accepts a hub with plain http in a private network with --private-http', async () => {
    const hub = ['--platform', 'http://[fd00::9]:9/v2', '--key', 'k', '--expo', '7'];
    await start([...hub, '--private-http']).line(readyLine);
  });

  test('prints its options without starting anything', async () => {
    const app = start(['--help']);
    expect(await app.ended).toBe(0);
    expect(app.lines.join('\n')).toContain('--shell auto|electron|browser');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a refused start prints one sentence, ends with code 2 and damages nothing:', () => {
  const refusal = async (app: RunningApp) => {
    expect(await app.ended).toBe(2);
    expect(app.lines).toEqual([]);
    expect(app.errors()).toMatch(/^[^\n]+\n$/);
    return app.errors().trim();
  };

  test('an unknown option', async () => {
    expect(await refusal(start(['--colour']))).toBe('There is no option --colour; --help lists them all.');
    expect(await readdir(folder)).toEqual([]);
  });

  test('a port in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen({ port: 0, host: '127.0.0.1' }, resolve));
    const { port } = other.address() as { port: number };
    expect(await refusal(start(['--port', String(port)]))).toBe(
      `The port ${port} is in use or not allowed; choose another with --port.`,
    );
    other.close();
    expect(existsSync(join(folder, 'app.json'))).toBe(false);
    await start().line(readyLine);
  });

  test('a data folder that is a file', async () => {
    await writeFile(join(folder, 'file'), 'mine');
    expect(await refusal(start([], join(folder, 'file')))).toMatch(/cannot be made/);
    expect(await readFile(join(folder, 'file'), 'utf8')).toBe('mine');
  });

  test('a second instance on the same folder, while the first one continues', async () => {
    const first = start();
    const [, address = ''] = await first.line(readyLine);
    expect(await refusal(start())).toMatch(/^Touchpoint is already running on the data folder /);
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(303);
    expect((await appFile()).pid).toBe(first.child.pid);
  });

  test('a journal of a newer Touchpoint, which does not change', async () => {
    const own = join(folder, 'newer');
    await mkdir(own);
    const journal = openDatabase(join(own, 'journal.db'), { durability: 'full', migrations: [] });
    journal.pragma('user_version = 9000');
    journal.pragma('wal_checkpoint(TRUNCATE)');
    journal.close();
    const before = await readFile(join(own, 'journal.db'));
    expect(await refusal(start([], own))).toMatch(/was written by a newer Touchpoint/);
    expect((await readFile(join(own, 'journal.db'))).equals(before)).toBe(true);
  });

  test('a stand.json with a fault, which names its field', async () => {
    const own = join(folder, 'stand');
    await mkdir(own);
    await writeFile(join(own, 'stand.json'), JSON.stringify({ brand: { colour: 'blue' } }));
    expect(await refusal(start([], own))).toMatch(
      /stand\.json cannot be used: brand, colour: it must look like/,
    );
    // The lock file stays. A start that removed it could remove the lock of the next start.
    expect((await readdir(own)).filter((name) => name !== 'running.lock')).toEqual(['stand.json']);
  });

  test('a stand.json with several faults, each on a line of one message', async () => {
    const own = join(folder, 'stand');
    await mkdir(own);
    await writeFile(join(own, 'stand.json'), JSON.stringify({ quesions: [], email: 'yes' }));
    const app = start([], own);
    expect(await app.ended).toBe(2);
    expect(app.lines).toEqual([]);
    expect(app.errors().trim().split('\n')).toEqual([
      expect.stringContaining('stand.json cannot be used, because of 2 faults:'),
      expect.stringMatching(/^ {2}- email: it must be true or false/),
      expect.stringMatching(/^ {2}- there is no setting "quesions"; here there are touchpoint, /),
      'Correct or remove it.',
    ]);
  });
});

test('quarantines a journal that is not a database, and continues', async () => {
  const own = join(folder, 'letter');
  await mkdir(own);
  await writeFile(join(own, 'journal.db'), 'this is a letter, not a database, and must stay one');
  await start([], own).line(readyLine);
  const aside = (await readdir(own)).find((name) => name.startsWith('quarantine-')) ?? 'none';
  expect(await readFile(join(own, aside, 'journal.db'), 'utf8')).toContain('this is a letter');
});

describe('a full log disk', () => {
  const realEvent = ['--platform', 'http://127.0.0.1:9', '--key', 'some-secret-key', '--expo', '7'];

  test('prevents neither start nor shutdown', async () => {
    await mkdir(join(folder, 'logs'));
    // Also the file of tomorrow, because a test may run past midnight.
    for (const at of [Date.now(), Date.now() + 86_400_000]) {
      const day = new Date(at).toLocaleDateString('sv');
      await symlink('/dev/full', join(folder, 'logs', `touchpoint.${day}.1.log`));
    }
    const app = start(realEvent);
    await app.line(readyLine);
    app.child.kill('SIGTERM');
    expect(await app.ended).toBe(0);
    expect(app.errors()).toContain('The log cannot be written');
  });

  test('does not end the app when its output cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const app = startApp(folder, realEvent, ['ignore', full, full]);
    apps.push(app);
    closeSync(full);
    await expect.poll(() => existsSync(join(folder, 'app.json')), { timeout: 40_000 }).toBe(true);
    const { rpc } = await appFile();
    const address = rpc.replace(/^ws/, 'http').replace(/rpc$/, '');
    await expect.poll(() => fetch(address).then(({ status }) => status)).toBe(403);
    app.child.kill('SIGTERM');
    expect(await app.ended).toBe(0);
  });
});

describe('the end', () => {
  test.each(inTurn(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, 0))(
    'on %s is orderly and within its time limit, and leaves nothing running',
    async (signal) => {
      const app = start();
      await app.line(readyLine);
      expect(processesNaming(folder).length).toBeGreaterThan(1);
      app.child.kill(signal);
      app.child.kill(signal);
      // A shutdown that exceeds its limit ends with another exit code.
      expect(await app.ended).toBe(0);
      expect(processesNaming(folder)).toEqual([]);
    },
  );

  test('leaves no demo platform running after a kill, and the next start works', async () => {
    const app = start();
    await app.line(readyLine);
    app.child.kill('SIGKILL');
    await app.ended;
    await expect.poll(() => processesNaming(folder), { timeout: 40_000 }).toEqual([]);
    await start().line(readyLine);
  });

  test('restarts the demo platform at the same address if it ends', async () => {
    const app = start();
    const [, base = ''] = await app.line(demoLine);
    await app.line(standLine);
    const answers = () =>
      fetch(base).then(
        () => true,
        () => false,
      );
    expect(await answers()).toBe(true);
    const [platform = 0] = processesNaming(join(folder, 'platform'));
    process.kill(platform, 'SIGKILL');
    await expect.poll(answers, { timeout: 40_000 }).toBe(false);
    await expect.poll(answers, { timeout: 40_000 }).toBe(true);
    expect(app.lines).toHaveLength(4);
  });
});

describe('a start with the file of a hub', () => {
  test('sets the device up at its stand, and ends with code 2 when the file is refused', async () => {
    const hub = await openHub();
    const file = join(folder, 'devices.json');
    await writeFile(file, hub.file(['D01', 'D02']));
    const refused = start(['--provision', file]);
    expect(await refused.ended).toBe(2);
    expect(refused.errors()).toMatch(/^The file is for 2 devices; name this one after --device/);
    const app = start(['--provision', file, '--device', 'D02']);
    await app.line(/^Touchpoint is ready/);
    expect(app.errors()).toContain('This device is D02 of the hub Hall 7.');
    expect(app.errors()).not.toContain(hub.enrolled.get('D02'));
  });
});
