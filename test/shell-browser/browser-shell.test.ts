/** The loopback server of the browser shell. */
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { StartRefusal } from '../../src-main/core/foundations/refusal.ts';
import { cookieOf, startShell } from './shell-under-test.ts';

let shell: Awaited<ReturnType<typeof startShell>>;
beforeEach(async () => {
  shell = await startShell();
});
afterEach(() => shell.end());

describe('a launch link', () => {
  test('sets a SameSite=Strict cookie named after the port, and redirects to the address without the token', async () => {
    const { status, head } = await shell.ask(`GET ${shell.freshPath()}`);
    expect(status).toBe(303);
    expect(head).toMatch(/^location: \/\r?$/im);
    expect(head).toMatch(
      new RegExp(
        `^set-cookie: touchpoint-${shell.port()}=[\\w-]{43}; Max-Age=\\d+; Path=/; HttpOnly; SameSite=Strict`,
        'im',
      ),
    );
    expect(head).toMatch(/^referrer-policy: no-referrer/im);
  });

  test('works once; a second browser gets instructions for a new link', async () => {
    const path = shell.freshPath();
    const first = await shell.ask(`GET ${path}`);
    const second = await shell.ask(`GET ${path}`);
    expect([first.status, second.status]).toEqual([303, 403]);
    expect(second.body).toContain('Press Enter');
    expect(second.head).not.toMatch(/set-cookie/i);
  });

  test('leads to the page when the same browser opens it again', async () => {
    const path = shell.freshPath();
    const first = await shell.ask(`GET ${path}`);
    expect((await shell.ask(`GET ${path}`, [`Cookie: ${cookieOf(first)}`])).status).toBe(303);
  });

  test('is not used up by a prefetch or a HEAD', async () => {
    const path = shell.freshPath();
    expect((await shell.ask(`GET ${path}`, ['Sec-Purpose: prefetch;prerender'])).status).toBe(503);
    expect((await shell.ask(`HEAD ${path}`)).status).toBe(503);
    expect((await shell.ask(`GET ${path}`)).status).toBe(303);
  });

  test('is given only to a tool with the bearer token', async () => {
    const { body } = await shell.ask('POST /link', ['Authorization: Bearer tool-token']);
    const { address } = JSON.parse(body) as { address: string };
    expect((await shell.ask(`GET /${new URL(address).search}`)).status).toBe(303);
    expect((await shell.ask('POST /link', ['Authorization: Bearer other'])).status).toBe(401);
    expect((await shell.ask('POST /link')).status).toBe(401);
    expect((await shell.ask('POST /link', [`Cookie: ${await shell.signIn()}`])).status).toBe(401);
  });

  test('cannot be guessed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.base64String({ minLength: 0, maxLength: 60 }), async (token) => {
        expect((await shell.ask(`GET /?launch=${encodeURIComponent(token)}`)).status).toBe(403);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a cookie', () => {
  test('opens the page and its files', async () => {
    const cookie = await shell.signIn();
    expect(await shell.ask('GET /', [`Cookie: ${cookie}`])).toMatchObject({
      status: 200,
      body: '<!doctype html><title>page</title>',
    });
    expect(await shell.ask('GET /assets/main.js', [`Cookie: other=1; ${cookie}`])).toMatchObject({
      status: 200,
    });
    expect(await shell.ask('HEAD /', [`Cookie: ${cookie}`])).toMatchObject({ status: 200, body: '' });
  });

  test('is required for every request', async () => {
    for (const path of ['/', '/assets/main.js', '/nowhere'])
      expect((await shell.ask(`GET ${path}`)).status).toBe(403);
    expect((await shell.ask('GET /', [`Cookie: touchpoint-${shell.port()}=x`])).status).toBe(403);
  });

  test('is valid after a restart on the same port, and expires after thirty days without use', async () => {
    const cookie = await shell.signIn();
    const port = shell.port();
    await shell.restart(port);
    expect((await shell.ask('GET /', [`Cookie: ${cookie}`])).status).toBe(200);
    shell.wait(29 * 86_400_000);
    expect((await shell.ask('GET /', [`Cookie: ${cookie}`])).status).toBe(200);
    shell.wait(29 * 86_400_000);
    expect((await shell.ask('GET /', [`Cookie: ${cookie}`])).status).toBe(200);
    shell.wait(31 * 86_400_000);
    expect((await shell.ask('GET /', [`Cookie: ${cookie}`])).status).toBe(403);
  });

  test('is stored only as a hash, in a file readable by this user only', async () => {
    const cookie = await shell.signIn();
    const file = join(shell.folder, 'browsers.json');
    expect(await readFile(file, 'utf8')).not.toContain(cookie.split('=')[1]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('is refused if the file of cookies is invalid, so every browser needs a new link', async () => {
    const cookie = await shell.signIn();
    const port = shell.port();
    await writeFile(join(shell.folder, 'browsers.json'), '[{"hash":1}]');
    await shell.restart(port);
    expect((await shell.ask('GET /', [`Cookie: ${cookie}`])).status).toBe(403);
    expect((await shell.ask('GET /', [`Cookie: ${await shell.signIn()}`])).status).toBe(200);
  });
});

describe('a request from elsewhere', () => {
  test('is refused under another host name, even with our cookie', async () => {
    const cookie = `Cookie: ${await shell.signIn()}`;
    for (const host of [
      'evil.example',
      `evil.example:${shell.port()}`,
      '127.0.0.1',
      `127.0.0.1:${shell.port()}.evil`,
      `0.0.0.0:${shell.port()}`,
      `LOCALHOST.evil:${shell.port()}`,
    ]) {
      expect((await shell.ask('GET /', [cookie], host)).status).toBe(421);
    }
    for (const host of [`localhost:${shell.port()}`, `[::1]:${shell.port()}`]) {
      expect((await shell.ask('GET /', [cookie], host)).status).toBe(200);
    }
  });

  test('is refused without a host name, or with two', async () => {
    const host = `Host: 127.0.0.1:${shell.port()}`;
    expect((await shell.raw('GET / HTTP/1.0\r\n\r\n')).status).toBe(400);
    expect((await shell.raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).status).toBe(400);
    expect(
      (await shell.raw(`GET / HTTP/1.1\r\n${host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`))
        .status,
    ).toBe(400);
  });

  test('is refused with a foreign origin, or if another site caused it', async () => {
    const cookie = `Cookie: ${await shell.signIn()}`;
    const refused = [
      ['Origin: http://evil.example'],
      ['Origin: null'],
      [`Origin: http://localhost:${shell.port()}`],
      [`Origin: https://127.0.0.1:${shell.port()}`],
      ['Sec-Fetch-Site: cross-site'],
      ['Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: cors'],
      ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'],
    ];
    for (const headers of refused)
      expect((await shell.ask('GET /', [cookie, ...headers])).status, headers.join()).toBe(403);
    expect((await shell.ask('GET /', [cookie, `Origin: http://127.0.0.1:${shell.port()}`])).status).toBe(200);
  });

  test('is repeated from our own page if it follows a link from another site', async () => {
    const headers = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'];
    const { status, body } = await shell.ask('GET /', headers);
    expect(status).toBe(200);
    expect(body).toContain('http-equiv="refresh"');
    expect((await shell.ask('GET /', ['Sec-Fetch-Site: same-origin'])).status).toBe(403);
  });

  test('finds no server at other addresses of this machine', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .filter((net) => net !== undefined && !net.internal && net.family === 'IPv4')
      .map((net) => net?.address ?? '');
    for (const address of outside)
      expect((await shell.raw('GET / HTTP/1.0\r\n\r\n', address)).status).toBe(0);
    expect((await shell.raw('GET / HTTP/1.0\r\n\r\n', '::1')).status).toBe(400);
  });
});

describe('every answer', () => {
  test('restricts the page to itself, and forbids others to store, read or frame it', async () => {
    const cookie = `Cookie: ${await shell.signIn()}`;
    const ofPage = /^content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; /im;
    // A browser without access gets a page without scripts and files.
    const ofRefusal =
      /^content-security-policy: default-src 'none'; style-src 'sha256-[^']+'; frame-ancestors/im;
    const replies = [
      { policy: ofPage, ...(await shell.ask('GET /', [cookie])) },
      { policy: ofRefusal, ...(await shell.ask('GET /')) },
      { policy: ofPage, ...(await shell.ask('GET /nowhere', [cookie])) },
    ];
    for (const { policy, head } of replies) {
      expect(head).toMatch(policy);
      expect(head).toContain("frame-ancestors 'none'");
      for (const open of ["'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'"])
        expect(head).not.toContain(open);
      expect(head).toMatch(/^cross-origin-resource-policy: same-origin/im);
      expect(head).toMatch(/^x-content-type-options: nosniff/im);
      expect(head).toMatch(/^cache-control: no-store/im);
      expect(head).not.toMatch(/access-control/i);
    }
  });

  test('never leaves the folder of the page', async () => {
    const cookie = `Cookie: ${await shell.signIn()}`;
    const paths = [
      '/../outside.json',
      '/%2e%2e/outside.json',
      '/..%2foutside.json',
      '/assets/../../outside.json',
      '/assets/..\\..\\outside.json',
      '/link.json',
      '/.secret.json',
      '/assets',
      '/assets/',
      '/\\[',
      '/%00',
      '/__proto__',
      '/constructor',
    ];
    for (const path of paths) expect((await shell.ask(`GET ${path}`, [cookie])).status, path).toBe(404);
    for (const target of ['//evil.example/', 'http://evil.example/', '*']) {
      expect((await shell.ask(`GET ${target}`, [cookie])).status, target).toBe(400);
    }
  });
});

describe('limits', () => {
  test('refuse other methods, large headers and large bodies', async () => {
    expect((await shell.ask('DELETE /')).status).toBe(405);
    expect((await shell.ask('OPTIONS /')).status).toBe(405);
    expect((await shell.ask('GET /', [`X-Long: ${'x'.repeat(9000)}`])).status).toBe(431);
    expect((await shell.ask('POST /link', ['Content-Length: 65537'])).status).toBe(413);
    expect((await shell.ask('POST /link', ['Transfer-Encoding: chunked'])).status).toBe(413);
  });

  /** Opens sockets that never send anything. */
  const idle = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect(shell.port(), '127.0.0.1');
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        return socket;
      }),
    );

  test('close the oldest idle socket when too many are open', async () => {
    const cookie = `Cookie: ${await shell.signIn()}`;
    const [oldest, ...others] = await idle(32);
    const cut = oldest === undefined ? Promise.resolve() : once(oldest, 'close');
    expect((await shell.ask('GET /', [cookie])).status).toBe(200);
    expect((await shell.ask('GET /')).status).toBe(403);
    await cut;
    for (const socket of others) socket.destroy();
  });

  test('keep a connection with a cookie, however many others connect', async () => {
    const cookie = await shell.signIn();
    const page = connect(shell.port(), '127.0.0.1');
    const ask = () =>
      page.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${shell.port()}\r\nCookie: ${cookie}\r\n\r\n`);
    ask();
    expect(String(await once(page, 'data'))).toContain('HTTP/1.1 200');
    const origin = `http://127.0.0.1:${shell.port()}`;
    const socket = new WebSocket(shell.rpc(), { headers: { Origin: origin, Cookie: cookie } });
    await once(socket, 'open');
    const pressing = [...(await idle(40)), ...(await idle(40))];
    ask();
    expect(String(await once(page, 'data'))).toContain('HTTP/1.1 200');
    socket.ping();
    await once(socket, 'pong');
    for (const open of [page, ...pressing]) open.destroy();
    socket.terminate();
  });

  test('close a socket that sends nothing, or half a request', async () => {
    await Promise.all([shell.raw(''), shell.raw('GET / HTTP/1.1\r\nHost:')]);
  });

  test('are not broken by invalid input', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        await shell.raw(`${text}\r\n\r\n`, '127.0.0.1', true);
      }),
      { numRuns: 50 },
    );
    expect((await shell.ask('GET /')).status).toBe(403);
  });
});

describe('a port', () => {
  test('is refused when it was requested and is in use on either address', async () => {
    for (const host of ['127.0.0.1', '::1']) {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen({ port: 0, host }, resolve));
      const { port } = other.address() as { port: number };
      await expect(shell.open(port)).rejects.toThrow(StartRefusal);
      await new Promise((resolve) => other.close(resolve));
    }
  });

  test('falls back to another one when the default is in use and none was requested', async () => {
    const second = await shell.open();
    const third = await shell.open();
    expect(new Set([shell.port(), second.port, third.port]).size).toBe(3);
    await Promise.all([second.stop(), third.stop()]);
  });
});
