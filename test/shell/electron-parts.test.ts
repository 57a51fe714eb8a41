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
import { createPortGiver, mayConnect } from '../../src-main/shell-electron/contract-port.ts';
import { createCrashGuard } from '../../src-main/shell-electron/crash-guard.ts';
import {
  lockContents,
  lockedPreferences,
  lockSession,
  openingSwitch,
} from '../../src-main/shell-electron/lock-down.ts';
import { answerPage, PAGE_ADDRESS } from '../../src-main/shell-electron/page-protocol.ts';

const files = {
  find: (path: string) => (path === '/' ? { type: 'text/html', bytes: Buffer.from('<p>page</p>') } : null),
};

describe('the page under its own scheme', () => {
  test('is given with the whole policy', async () => {
    const answer = answerPage(files, 'GET', PAGE_ADDRESS);
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
    expect(answerPage(files, method, address).status).toBe(status);
  });
});

test('every permission, device and capture is denied', () => {
  const answers: unknown[] = [];
  lockSession({
    setPermissionRequestHandler: (handler) =>
      handler?.(null as never, 'media', (granted) => answers.push(granted), null as never),
    setPermissionCheckHandler: (handler) =>
      answers.push(handler?.(null, 'hid', 'app://touchpoint', null as never)),
    setDevicePermissionHandler: (handler) => answers.push(handler?.(null as never)),
    setDisplayMediaRequestHandler: (handler) => answers.push(handler),
  });
  expect(answers).toEqual([false, false, false, null]);
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

  test('carries the contract, and is replaced when the page asks again', async () => {
    const given: unknown[] = [];
    const closed: unknown[] = [];
    const give = createPortGiver({ name: os.handler(() => 'Touchpoint') }, () => {
      const channel = new MessageChannel();
      channel.port1.once('close', () => closed.push(channel));
      return channel as never;
    });
    const sender = {
      postMessage: (_channel: string, _message: unknown, ports: unknown[]) => given.push(ports[0]),
    };
    const ask = (url: string) => give({ ...frame(url), sender } as never);
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
    port.close();
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
