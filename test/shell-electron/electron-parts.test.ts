/**
 * The parts of the Electron shell that need no Electron: what is answered, denied, allowed and restarted.
 */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { os } from '@orpc/server';
import { describe, expect, test } from 'vitest';
import { openAttractFiles } from '../../src-main/page/attract-files.ts';
import { createPortHandler, mayConnect } from '../../src-main/shell-electron/contract-port.ts';
import { createCrashGuard } from '../../src-main/shell-electron/crash-guard.ts';
import {
  lockContents,
  lockedPreferences,
  lockSession,
  openingSwitch,
} from '../../src-main/shell-electron/lock-down.ts';
import { answerPage, PAGE_ADDRESS } from '../../src-main/shell-electron/page-protocol.ts';

const given = {
  files: {
    find: (path: string) => (path === '/' ? { type: 'text/html', bytes: Buffer.from('<p>page</p>') } : null),
  },
  attract: openAttractFiles(null),
};

describe('the page under its own scheme', () => {
  test('is given with the whole policy', async () => {
    const answer = answerPage(given, 'GET', PAGE_ADDRESS, null);
    expect([answer.status, await answer.text()]).toEqual([200, '<p>page</p>']);
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  test.each([
    ['POST', 'app://touchpoint/', 403],
    ['GET', 'app://other/', 403],
    ['GET', 'file:///etc/passwd', 403],
    ['GET', 'app://touchpoint', 403],
    ['GET', 'app://touchpoint/../../etc/passwd', 404],
    ['GET', 'app://touchpoint/%2e%2e/%2e%2e/etc/passwd', 404],
    ['GET', 'app://touchpoint/?x', 200],
    ['GET', 'app://touchpoint/safe', 200],
  ])('%s %s is answered with %i', (method, address, status) => {
    expect(answerPage(given, method, address, null).status).toBe(status);
  });
});

describe('what a session may', () => {
  type Session = Parameters<typeof lockSession>[0];
  type Ask = Parameters<NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>>;
  type Check = Parameters<NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>>;

  /** Answers of a locked session to a request, a check, a device and a capture. */
  function answers(request: [Ask[1], object], check: [Check[1], string, object]): unknown[] {
    const given: unknown[] = [];
    lockSession({
      setPermissionRequestHandler: (handler) =>
        handler?.(null as never, request[0], (granted) => given.push(granted), request[1] as never),
      setPermissionCheckHandler: (handler) =>
        given.push(handler?.(null, check[0], check[1], check[2] as never)),
      setDevicePermissionHandler: (handler) => given.push(handler?.(null as never)),
      setDisplayMediaRequestHandler: (handler) => given.push(handler),
    });
    return given;
  }
  const own = { isMainFrame: true, requestingUrl: PAGE_ADDRESS };
  const origin = 'app://touchpoint';
  const camera = { ...own, mediaTypes: ['video'] };

  test('is a picture from the camera, for our own page', () => {
    const check = { ...own, mediaType: 'video' };
    expect(answers(['media', camera], ['media', origin, check])).toEqual([true, true, false, null]);
  });

  test.each([
    [
      'a microphone',
      'media',
      { ...own, mediaTypes: ['video', 'audio'] },
      origin,
      { ...own, mediaType: 'audio' },
    ],
    ['nothing named', 'media', { ...own, mediaTypes: [] }, origin, { ...own, mediaType: 'unknown' }],
    [
      "another's page",
      'media',
      { ...camera, requestingUrl: 'app://touchpoint.evil/' },
      'app://touchpoint.evil',
      { ...own, mediaType: 'video' },
    ],
    [
      'a frame',
      'media',
      { ...camera, isMainFrame: false },
      origin,
      { mediaType: 'video', isMainFrame: false },
    ],
    ['a screen', 'display-capture', camera, origin, { ...own, mediaType: 'video' }],
    ['a place', 'geolocation', own, origin, own],
    ['a device', 'hid', own, origin, own],
  ] as const)('is not %s', (_what, permission, request, from, check) => {
    expect(answers([permission, request], [permission, from, check])).toEqual([false, false, false, null]);
  });
});

test('contents go nowhere but to our own pages, and open nothing', () => {
  const contents = new EventEmitter();
  let opened: unknown;
  lockContents(
    Object.assign(contents, {
      setWindowOpenHandler: (handler: () => unknown) => {
        opened = handler();
      },
    }) as never,
  );
  const prevented = (event: string, url: string) => {
    let stopped = false;
    contents.emit(event, { url, preventDefault: () => (stopped = true) });
    return stopped;
  };
  expect(opened).toEqual({ action: 'deny' });
  for (const event of ['will-navigate', 'will-redirect']) {
    expect(prevented(event, 'https://evil.example/')).toBe(true);
    expect(prevented(event, 'app://touchpoint.evil/')).toBe(true);
    expect(prevented(event, 'file:///etc/passwd')).toBe(true);
    expect(prevented(event, 'app://touchpoint/')).toBe(false);
  }
  expect(prevented('will-attach-webview', '')).toBe(true);
});

test('the page runs sandboxed and without Node.js', () => {
  expect(lockedPreferences('/p.cjs')).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
});

test('a start that would open the page to other programs is refused', () => {
  expect(openingSwitch((name) => name === 'remote-debugging-port')).toBe('remote-debugging-port');
  expect(openingSwitch(() => false)).toBeNull();
});

test('the package keeps its fuses', () => {
  const config = readFileSync(join(import.meta.dirname, '..', '..', 'electron-builder.yml'), 'utf8');
  for (const fuse of [
    'runAsNode: false',
    'enableCookieEncryption: true',
    'enableNodeOptionsEnvironmentVariable: false',
    'enableNodeCliInspectArguments: false',
    'enableEmbeddedAsarIntegrityValidation: true',
    'onlyLoadAppFromAsar: true',
    'grantFileProtocolExtraPrivileges: false',
  ]) {
    expect(config).toContain(fuse);
  }
});

describe('a port to the contract', () => {
  const frame = (url: string, parent: unknown = null) => ({ senderFrame: { url, parent } });

  test('is given to the top frame of our page only', () => {
    expect(mayConnect(frame('app://touchpoint/'))).toBe(true);
    expect(mayConnect(frame('app://touchpoint/', {}))).toBe(false);
    expect(mayConnect(frame('https://evil.example/'))).toBe(false);
    expect(mayConnect({ senderFrame: null })).toBe(false);
  });

  test('carries the contract, and is replaced when the page asks again or another router serves', async () => {
    const given: unknown[] = [];
    const closed: unknown[] = [];
    const ports = createPortHandler({ name: os.handler(() => 'Touchpoint') }, () => {
      const channel = new MessageChannel();
      channel.port1.once('close', () => closed.push(channel));
      return channel as never;
    });
    const sender = {
      postMessage: (_channel: string, _message: unknown, ports: unknown[]) => given.push(ports[0]),
    };
    const ask = (url: string) => ports.connect({ ...frame(url), sender } as never);
    ask('https://evil.example/');
    expect(given).toHaveLength(0);
    ask('app://touchpoint/');
    ask('app://touchpoint/');
    expect(given).toHaveLength(2);
    await expect.poll(() => closed.length).toBe(1);
    const port = given[1] as MessagePort;
    port.start();
    const client = createORPCClient<{ name: () => Promise<string> }>(new RPCLink({ port: port as never }));
    expect(await client.name()).toBe('Touchpoint');
    ports.serve({ name: os.handler(() => 'Another') });
    await expect.poll(() => closed.length, { timeout: 15_000 }).toBe(2);
    ask('app://touchpoint/');
    const next = given[2] as MessagePort;
    next.start();
    const again = createORPCClient<{ name: () => Promise<string> }>(new RPCLink({ port: next as never }));
    expect(await again.name()).toBe('Another');
    next.close();
  });
});

test('a page that dies is loaded again three times a minute, then gives way to the safe page', () => {
  let now = 0;
  const guard = createCrashGuard(() => now);
  expect([guard.gone(), guard.gone(), guard.gone(), guard.gone()]).toEqual([
    'reload',
    'reload',
    'reload',
    'safe page',
  ]);
  now = 61_000;
  expect(guard.gone()).toBe('reload');
});
