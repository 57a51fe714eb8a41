/** The platform from the command line: start, refusal, keys, stop. */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listKeys } from '../../src-platform/keys/keys.ts';
import { parseKeysCommand } from '../../src-platform/keys-command.ts';
import { BadOption, parseServeOptions } from '../../src-platform/options.ts';
import { demoKey } from '../../src-platform/seed/demo.ts';
import { newestVersion } from '../../src-platform/store/migrations.ts';
import { openSqlite } from '../../src-platform/store/open.ts';
import { type Child, runChild, startChild } from './child.ts';
import { basic } from './raw-http.ts';

let folder: string;
let demo: Child;
let base: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-main-'));
  demo = startChild('--port', '0', '--data', join(folder, 'demo'), '--seed', 'demo');
  const line = await demo.firstLine;
  const parts = /^Demo platform: (http:\/\/127\.0\.0\.1:\d+\/create\/v2) key (\S+) expo (\S+)$/.exec(line);
  expect(parts, line).not.toBeNull();
  expect(parts?.slice(2)).toEqual([demoKey, 'AD2026']);
  base = parts?.[1] ?? '';
});
afterAll(async () => {
  demo.process.kill('SIGKILL');
  await demo.finished;
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, key = demoKey) => fetch(base + path, { headers: { authorization: basic(key) } });

describe('starting', () => {
  it('prints one line and answers at the address in it', async () => {
    const visitors = (await (await get('/visitors/AD2026')).json()) as unknown[];
    expect(visitors).toHaveLength(100);
    expect(demo.out().trim().split('\n')).toHaveLength(1);
  });

  it('is deterministic: two demo databases give the same answers', async () => {
    const other = startChild(
      '--port',
      '0',
      '--data',
      join(folder, 'again'),
      '--seed',
      'demo',
      '--base-path',
      '/api',
    );
    const address = /http:\S+/.exec(await other.firstLine)?.[0] ?? '';
    expect(address).toMatch(/\/api$/);
    for (const path of [
      '/visitors/AD2026?fromRevision=600',
      '/contents/AD2026',
      '/activities/AD2026',
      '/expos',
    ]) {
      const there = await fetch(address + path, { headers: { authorization: basic(demoKey) } });
      expect(await there.text()).toBe(await (await get(path)).text());
    }
    other.process.kill('SIGTERM');
    expect((await other.finished).code).toBe(0);
  });

  it('leaves a database with an event unchanged, and prints only its address without the demo', async () => {
    const data = join(folder, 'bulk');
    const first = startChild('--port', '0', '--data', data, '--seed', '50');
    expect(await first.firstLine).toMatch(/^Platform: http:\/\/127\.0\.0\.1:\d+\/create\/v2$/);
    first.process.kill('SIGTERM');
    await first.finished;
    const second = startChild('--port', '0', '--data', data, '--seed', '90');
    const address = /http:\S+/.exec(await second.firstLine)?.[0] ?? '';
    const answer = await fetch(`${address}/visitors/AD2026`, { headers: { authorization: basic(demoKey) } });
    expect(await answer.json()).toHaveLength(50);
    second.process.kill('SIGTERM');
    await second.finished;
  });
});

describe('the data folder', () => {
  it('is readable only by the service, and so is every file of the database in it', async () => {
    await get('/expos');
    const data = join(folder, 'demo');
    const files = (await readdir(data)).filter((file) => file.startsWith('platform.db'));
    expect(files).toEqual(['platform.db', 'platform.db-shm', 'platform.db-wal']);
    for (const file of files) expect((await stat(join(data, file))).mode & 0o777, file).toBe(0o600);
    expect((await stat(data)).mode & 0o777).toBe(0o700);
  });

  it('loses the permissions that an older platform gave other users', async () => {
    const data = join(folder, 'open');
    await (await openSqlite(await mkdtemp(data))).close();
    const [name = ''] = (await readdir(folder)).filter((entry) => entry.startsWith('open'));
    const file = join(folder, name, 'platform.db');
    await chmod(file, 0o644);
    await (await openSqlite(join(folder, name))).close();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});

describe('refusing', () => {
  const refusal = async (...args: readonly string[]) => {
    const { code, out, err } = await runChild(...args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).not.toMatch(/\bat .*\.ts:/);
    return err;
  };

  it('names the option that it does not accept in one sentence', async () => {
    const word = (...args: readonly string[]): string => {
      try {
        parseServeOptions(args);
      } catch (error) {
        expect(error).toBeInstanceOf(BadOption);
        return (error as Error).message;
      }
      throw new Error(`${args.join(' ')} was taken.`);
    };
    expect(word('--port', 'eighty')).toContain('--port');
    expect(word('--port', '65536')).toContain('65535');
    expect(word('--seed', 'lots')).toContain('--seed');
    expect(word('--base-path', 'x y')).toContain('--base-path');
    expect(word('--database', 'mysql://x')).toContain('postgres://');
    expect(word('--port')).toContain('--port');
    expect(word('serve')).toContain('serve');
    expect(await refusal('--nonsense')).toContain('--nonsense');
  });

  it('says that a port is in use', async () => {
    const { port } = new URL(base);
    expect(await refusal('--port', port, '--data', join(folder, 'port'))).toContain(`Port ${port}`);
  });

  it('says that a folder cannot be written', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    expect(await refusal('--port', '0', '--data', join(file, 'below'))).toContain('cannot be written');
  });

  it('says that a database is newer, and leaves it unchanged', async () => {
    const data = join(folder, 'newer');
    const first = startChild('--port', '0', '--data', data);
    await first.firstLine;
    first.process.kill('SIGTERM');
    await first.finished;
    const database = new Database(join(data, 'platform.db'));
    database.prepare('update schema_version set version = ?').run(newestVersion + 10);
    database.close();
    expect(await refusal('--port', '0', '--data', data)).toContain('newer platform');
  });

  it('says that a file is not a database', async () => {
    const data = join(folder, 'demo-broken');
    const first = startChild('--port', '0', '--data', data);
    await first.firstLine;
    first.process.kill('SIGTERM');
    await first.finished;
    await writeFile(join(data, 'platform.db'), 'x'.repeat(10_000));
    await chmod(join(data, 'platform.db'), 0o600);
    expect(await refusal('--port', '0', '--data', data)).toContain('cannot be opened');
  });

  it('shows its help without starting', async () => {
    const { code, out } = await runChild('--help');
    expect(code).toBe(0);
    for (const option of ['--port', '--host', '--data', '--seed', '--base-path', 'keys'])
      expect(out).toContain(option);
  });
});

describe('keys', () => {
  const data = () => ['--data', join(folder, 'demo')] as const;

  it('are added, work at once, are listed without their secret, and end when revoked', async () => {
    const added = await runChild(
      'keys',
      'add',
      '--name',
      'Stand B17',
      '--expo',
      'AD2026',
      '--write',
      ...data(),
    );
    expect(added.code).toBe(0);
    const [about = '', key = ''] = added.out.trim().split('\n');
    expect(key).toMatch(/^[0-9a-f]{40}$/);
    expect((await get('/visitors/AD2026', key)).status).toBe(200);
    expect((await get('/visitors/PN2027', key)).status).toBe(403);
    expect((await get('/connections/AD2026', key)).status).toBe(403);
    const listed = await runChild('keys', 'list', ...data());
    expect(listed.out).toContain('Stand B17');
    expect(listed.out).toContain('events: AD2026, write');
    expect(listed.out).not.toContain(key);
    const file = await readFile(join(folder, 'demo', 'platform.db'));
    expect(file.includes(key)).toBe(false);
    const id = /K[0-9a-f]{11}/.exec(about)?.[0] ?? '';
    expect((await runChild('keys', 'revoke', id, ...data())).code).toBe(0);
    expect((await get('/visitors/AD2026', key)).status).toBe(401);
    const again = await runChild('keys', 'revoke', id, ...data());
    expect([again.code, again.err.trim()]).toEqual([2, `There is no valid key ${id}.`]);
  });

  it('are looked up in an existing folder; a mistyped folder is refused and not created', async () => {
    const typo = join(folder, 'typo');
    for (const args of [['list'], ['add', '--name', 'X'], ['revoke', 'K0']]) {
      const { code, err } = await runChild('keys', ...args, '--data', typo);
      expect([code, err]).toEqual([2, expect.stringContaining('There is no database in')]);
    }
    expect(existsSync(typo)).toBe(false);
  });

  it('are not created from invalid options', async () => {
    const store = await openSqlite(join(folder, 'demo'));
    const refuse = async (word: string, ...args: readonly string[]) => {
      const made = (async () => parseKeysCommand(args)?.run(store, new Date()))();
      await expect(made).rejects.toThrow(BadOption);
      await expect(made).rejects.toThrow(word);
    };
    const before = await listKeys(store.db);
    await refuse('--name', 'add');
    await refuse('NOPE', 'add', '--name', 'x', '--expo', 'NOPE');
    await refuse('--address', 'add', '--name', 'x', '--address', '10.0.0.0/40');
    await refuse('--expires', 'add', '--name', 'x', '--expires', 'tomorrow');
    await refuse('--partner', 'add', '--name', 'x', '--partner', 'AD2026P001');
    await refuse('--rights', 'add', '--name', 'x', '--rights', 'all');
    await refuse('keys add', 'steal');
    expect(await listKeys(store.db)).toEqual(before);
    await store.close();
  });
});

describe('watching', () => {
  it('answers health, readiness and metrics without a key and without ids', async () => {
    const { origin } = new URL(base);
    expect(await (await fetch(`${origin}/health/live`)).json()).toEqual({ status: 'live' });
    expect(await (await fetch(`${origin}/health/ready`)).json()).toEqual({ status: 'ready' });
    await get('/visitors/AD2026/AD2026V000001');
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    expect(metrics).toMatch(
      /platform_request_duration_seconds_count\{[^}]*route="\/create\/v2\/visitors\/:expoId"/,
    );
    expect(metrics).toMatch(/platform_revision \d+/);
    expect(metrics).toMatch(/platform_slots_in_use \d/);
    expect(metrics).not.toContain('AD2026V000001');
  });
});

describe('stopping', () => {
  /** Well below the ten seconds after which open connections are closed by force. */
  const BEFORE_FORCE_MS = 8_000;

  it('returns at once when idle', async () => {
    const idle = startChild('--port', '0', '--data', join(folder, 'idle'), '--seed', 'demo');
    const address = /http:\S+/.exec(await idle.firstLine)?.[0] ?? '';
    // An idle keep-alive connection must not delay the stop.
    await (await fetch(`${address}/expos`, { headers: { authorization: basic(demoKey) } })).text();
    const asked = Date.now();
    idle.process.kill('SIGTERM');
    expect((await idle.finished).code).toBe(0);
    expect(Date.now() - asked).toBeLessThan(BEFORE_FORCE_MS);
  });

  it('finishes a request in flight before it exits, and accepts no new one', async () => {
    const busy = startChild('--port', '0', '--data', join(folder, 'busy'), '--seed', 'demo');
    const address = /http:\S+/.exec(await busy.firstLine)?.[0] ?? '';
    const outgoing = request(`${address}/labels/AD2026`, {
      method: 'POST',
      headers: { authorization: basic(demoKey), 'content-type': 'application/json' },
    });
    const answered = new Promise<number>((resolve, reject) => {
      outgoing.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      outgoing.on('error', reject);
    });
    outgoing.write('{"name":"Last","color":"#000000",');
    const { origin } = new URL(address);
    await expect
      .poll(async () => (await fetch(`${origin}/metrics`)).text())
      .toContain('platform_slots_in_use 1');
    busy.process.kill('SIGINT');
    await expect
      .poll(() =>
        fetch(`${address}/expos`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    expect(busy.process.exitCode).toBeNull();
    outgoing.end('"types":["profile"]}');
    expect(await answered).toBe(200);
    expect((await busy.finished).code).toBe(0);
    const database = new Database(join(folder, 'busy', 'platform.db'), { readonly: true });
    expect(database.prepare(`select count(*) as n from record where basic like '%"Last"%'`).get()).toEqual({
      n: 1,
    });
    database.close();
  });

  it('exits after its last answer, even if its clients keep connections', async () => {
    const kept = startChild('--port', '0', '--data', join(folder, 'kept'), '--seed', 'demo');
    const address = new URL(/http:\S+/.exec(await kept.firstLine)?.[0] ?? '');
    const head = `Host: ${address.host}\r\nAuthorization: ${basic(demoKey)}\r\n`;
    const open = async (text: string): Promise<Socket> => {
      const socket = connect(Number(address.port), address.hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(text);
      return socket;
    };
    const sockets = [
      await open(''),
      await open(`GET ${address.pathname}/expos HTTP/1.1\r\n${head}`),
      await open(
        `POST ${address.pathname}/labels/AD2026 HTTP/1.1\r\n${head}Content-Type: application/json\r\n` +
          'Content-Length: 57\r\n\r\n{"name":"Last",',
      ),
    ];
    await expect
      .poll(async () => (await fetch(`${address.origin}/metrics`)).text())
      .toContain('platform_slots_in_use 1');
    kept.process.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(`${address.origin}/health/live`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    expect(kept.process.exitCode).toBeNull();
    const answered = once(sockets[2] as Socket, 'data');
    sockets[2]?.write('"color":"#000000","types":["profile"]    }');
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 200 .*connection: close/is);
    const last = performance.now();
    expect((await kept.finished).code).toBe(0);
    expect(performance.now() - last).toBeLessThan(BEFORE_FORCE_MS);
    for (const socket of sockets) socket.destroy();
  });
});
