/**
 * The policies of the Electron shell as tables, by the twenty items of Electron's security checklist. Items
 * without a policy name the place that ensures them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAttractFiles } from '../../../src-main/page/attract-files.ts';
import { lockContents, lockSession } from '../../../src-main/shell-electron/locks.ts';
import { downloadPlace } from '../../../src-main/shell-electron/policies/downloads.ts';
import {
  mayGo,
  mayLoad,
  maySpeak,
  mayUse,
  PAGE_ADDRESS,
  type PermissionAsk,
} from '../../../src-main/shell-electron/policies/own-page.ts';
import { answerPage } from '../../../src-main/shell-electron/policies/page-protocol.ts';
import { openingSwitch } from '../../../src-main/shell-electron/policies/switches.ts';
import { windowOptions } from '../../../src-main/shell-electron/policies/window-options.ts';
import { FakeContents } from '../fakes/browser-window.ts';
import { fakeElectron } from '../fakes/electron.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Foreign addresses, and some that resemble ours. */
const foreign = [
  'https://evil.example/',
  'http://127.0.0.1:9/',
  'app://other/',
  'app://touchpoint.evil/',
  'app://touchpoint',
  'app://user@touchpoint/',
  'APP://touchpoint/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'about:blank',
  'chrome://gpu',
  'blob:https://evil.example/1',
  '',
];

const files = {
  find: (path: string) => (path === '/' ? { type: 'text/html', bytes: Buffer.from('<p>page</p>') } : null),
};
const ask = (method: string, url: string) =>
  answerPage({ files, attract: openAttractFiles(null) }, { method, url, headers: new Headers() });

describe('1, 7, 18: serves only our content, under its own scheme and policy', () => {
  test('serves the page with the whole policy', async () => {
    const answer = ask('GET', PAGE_ADDRESS);
    expect([answer.status, await answer.text()]).toEqual([200, '<p>page</p>']);
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    for (const part of ["default-src 'none'", "require-trusted-types-for 'script'", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    for (const part of ['unsafe-inline', "'unsafe-eval'", 'http:', '*']) expect(policy).not.toContain(part);
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  test.each([
    ['POST', PAGE_ADDRESS, 403],
    ['HEAD', PAGE_ADDRESS, 403],
    ['GET', 'app://touchpoint/../../etc/passwd', 404],
    ['GET', 'app://touchpoint/%2e%2e/%2e%2e/etc/passwd', 404],
    ['GET', 'app://touchpoint/..\\..\\etc', 404],
    ['GET', 'app://touchpoint//etc/passwd', 404],
    ['GET', 'app://touchpoint/__proto__', 404],
    ['GET', 'app://touchpoint/constructor', 404],
    ['GET', 'app://touchpoint/media/none.png', 404],
    ['GET', 'app://touchpoint/?x', 200],
    ['GET', 'app://touchpoint/second', 200],
    ['GET', 'app://touchpoint/second.css', 200],
    ['GET', 'app://touchpoint/safe', 200],
    ['GET', 'app://touchpoint/stopped', 200],
  ])('%s %s is answered with %i', (method, address, status) => {
    const answer = ask(method, address);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  });

  test.each(foreign)('refuses and does not load %s', (address) => {
    expect(ask('GET', address).status).toBe(403);
    expect(mayLoad(address, false)).toBe(false);
  });

  test('a page may load its own files and blobs; DevTools may load theirs if they are allowed', () => {
    expect(mayLoad(`${PAGE_ADDRESS}assets/x.js`, false)).toBe(true);
    expect(mayLoad('blob:app://touchpoint/1', false)).toBe(true);
    expect([mayLoad('devtools://x', false), mayLoad('devtools://x', true)]).toEqual([false, true]);
  });
});

test('2, 3, 4, 6, 8, 9, 10, 11: every window has a locked page', () => {
  for (const kiosk of [true, false]) {
    for (const display of [null, { x: 1280, y: 0, width: 1920, height: 1080 }]) {
      const made = windowOptions({ kiosk, devTools: false, preload: '/p.cjs', display });
      expect(made.webPreferences).toMatchObject({
        sandbox: true,
        contextIsolation: true,
        webSecurity: true,
        preload: '/p.cjs',

        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,

        allowRunningInsecureContent: false,
        experimentalFeatures: false,
        webviewTag: false,

        devTools: false,
        navigateOnDragDrop: false,
      });
      expect(made.webPreferences).not.toHaveProperty('enableBlinkFeatures');
      expect(made).toMatchObject({
        kiosk,
        frame: !kiosk,
        fullscreen: kiosk || display !== null,
        show: false,
      });
    }
  }
});

describe('5: permissions', () => {
  const none = { camera: false, microphone: false };
  const camera = { camera: true, microphone: false };
  const both = { camera: true, microphone: true };
  const picture = { permission: 'media', kinds: ['video'], address: PAGE_ADDRESS, isMainFrame: true };

  test('grants the camera when the stand team switched it on', () => {
    expect([mayUse(picture, camera), mayUse(picture, none)]).toEqual([true, false]);
  });

  test('grants the microphone only while staff record a voice note', () => {
    const sound = { ...picture, kinds: ['audio'] };
    expect([none, camera, { camera: false, microphone: true }].map((uses) => mayUse(sound, uses))).toEqual([
      false,
      false,
      true,
    ]);
    expect(mayUse({ ...sound, isMainFrame: false }, both)).toBe(false);
  });

  test.each<readonly [string, PermissionAsk]>([
    ['a request for the microphone', { ...picture, kinds: ['audio'] }],
    ['a request for camera and microphone', { ...picture, kinds: ['video', 'audio'] }],
    ['a request that names no device', { ...picture, kinds: [] }],
    ['a request for an unknown device', { ...picture, kinds: ['unknown'] }],
    ['a request of a frame', { ...picture, isMainFrame: false }],
    ...foreign.map((address) => [`a request of the page ${address}`, { ...picture, address }] as const),
  ])('denies %s', (_what, asked) => {
    expect(mayUse(asked, camera)).toBe(false);
  });

  test('lets our top frame write text to the clipboard, and never read it', () => {
    const write = { ...picture, permission: 'clipboard-sanitized-write', kinds: [] };
    expect(mayUse(write, none)).toBe(true);
    expect(mayUse({ ...write, isMainFrame: false }, both)).toBe(false);
    expect(foreign.filter((address) => mayUse({ ...write, address }, both))).toEqual([]);
    expect(mayUse({ ...write, permission: 'clipboard-read' }, both)).toBe(false);
  });

  test('grants no other permission of Electron', () => {
    const types = read('node_modules/electron/electron.d.ts');
    const line = /setPermissionRequestHandler\(handler.*permission: ([^,]*),/.exec(types)?.[1] ?? '';
    const known = [...line.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
    expect(known.length).toBeGreaterThan(40);
    const given = known.filter((permission) => mayUse({ ...picture, permission }, both));
    expect(given).toEqual(['clipboard-sanitized-write', 'media']);
  });

  test('the handlers of a session apply the policies, and deny devices, captures and pairing', () => {
    const { defaultSession: session } = fakeElectron();
    const terms = { kiosk: true, devTools: false, downloads: () => '/d', exists: () => false };
    lockSession(session, { ...terms, uses: () => camera });
    const handler = (name: string) => session.handlers.get(name) as (...given: unknown[]) => unknown;
    const answers: unknown[] = [];
    const own = { isMainFrame: true, requestingUrl: PAGE_ADDRESS };
    const answer = (given: unknown) => answers.push(given);
    handler('permission')(null, 'media', answer, { ...own, mediaTypes: ['video'] });
    handler('permission')(null, 'media', answer, { ...own, mediaTypes: ['video', 'audio'] });
    handler('permission')(null, 'geolocation', answer, own);
    handler('request')({ url: 'https://evil.example/' }, answer);
    handler('pairing')({}, answer);
    expect(answers).toEqual([true, false, false, { cancel: true }, { confirmed: false }]);
    expect(handler('check')(null, 'media', 'app://touchpoint', { ...own, mediaType: 'video' })).toBe(true);
    expect(handler('check')(null, 'media', 'app://touchpoint/', { ...own, mediaType: 'video' })).toBe(true);
    expect(handler('check')(null, 'media', 'app://touchpoint.evil', { ...own, mediaType: 'video' })).toBe(
      false,
    );
    expect(handler('check')(null, 'hid', 'app://touchpoint', own)).toBe(false);
    expect(handler('device')({})).toBe(false);
    expect(session.handlers.get('capture')).toBeNull();
  });
});

test('12, 13, 14: contents embed nothing, open nothing and navigate only to our pages', () => {
  const contents = new FakeContents({} as never, '');
  const outside: string[] = [];
  lockContents(contents, false, (address) => void outside.push(address));
  const stopped = (event: string, url: string) => {
    let stop = false;
    contents.emit(event, { url, preventDefault: () => (stop = true) });
    return stop;
  };
  for (const url of foreign) expect(contents.open(url)).toEqual({ action: 'deny' });
  expect(outside).toEqual([]);
  for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
    for (const address of foreign) expect([event, address, stopped(event, address)]).toContain(true);
    expect(stopped(event, PAGE_ADDRESS)).toBe(false);
  }
  expect(stopped('will-attach-webview', PAGE_ADDRESS)).toBe(true);
  expect(foreign.filter(mayGo)).toEqual([]);
});

test("15: opens nothing in other programs except a CRM's sign-in page in the browser", () => {
  const path = '/services/oauth2/authorize?client_id=x';
  const allowed = [
    `https://login.salesforce.com${path}`,
    `https://fair.my.salesforce.com${path}`,
    `http://127.0.0.1:4711${path}`,
  ];
  const denied = [
    `http://login.salesforce.com${path}`,
    `https://evil-salesforce.com${path}`,
    `https://salesforce.com.evil.example${path}`,
    `https://login.salesforce.com@evil.example${path}`,
    `https://user@login.salesforce.com${path}`,
    `https://login.salesforce.com:8443${path}`,
    'https://login.salesforce.com/services/oauth2/token',
    `file://login.salesforce.com${path}`,
  ];
  const outside: string[] = [];
  const contents = new FakeContents({} as never, '');
  lockContents(contents, false, (address) => void outside.push(address));
  for (const url of [...allowed, ...denied, ...foreign])
    expect(contents.open(url)).toEqual({ action: 'deny' });
  expect(outside).toEqual(allowed);
});

test('16: one exact version of Electron, with update notices', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
  expect(devDependencies.electron).toMatch(/^\d+\.\d+\.\d+$/);
  expect(existsSync(join(root, '.github/dependabot.yml'))).toBe(true);
});

test('17: only the top frame of our page may send messages', () => {
  const frame = (url: string, parent: unknown = null) => ({ senderFrame: { url, parent } });
  expect(maySpeak(frame(PAGE_ADDRESS))).toBe(true);
  expect(maySpeak(frame(PAGE_ADDRESS, {}))).toBe(false);
  expect(maySpeak({ senderFrame: null })).toBe(false);
  expect(foreign.filter((address) => maySpeak(frame(address)))).toEqual([]);
});

test('19: fuses, and switches that no fuse covers', () => {
  const config = read('electron-builder.yml');
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
  for (const name of [
    'remote-debugging-port',
    'remote-debugging-pipe',
    'inspect',
    'inspect-brk',
    'no-sandbox',
  ])
    expect(openingSwitch((given) => given === name)).toBe(name);
  expect(openingSwitch(() => false)).toBeNull();
});

test('20: the page gets one function and no part of Electron', () => {
  const preload = read('src-main/shell-electron/preload.ts');
  expect(preload.match(/exposeInMainWorld\(/g)).toHaveLength(1);
  expect(preload).toMatch(/exposeInMainWorld\('touchpoint', \{\s*connect: \(\) => [^,]*,\s*\}\)/);
});

describe('downloads', () => {
  const own = 'blob:app://touchpoint/1';
  const place = (address: string, name: string, kiosk = true, taken: readonly string[] = []) =>
    downloadPlace({ address, name }, kiosk, '/downloads', (path) => taken.includes(path));

  test('from elsewhere are denied', () => {
    for (const address of [...foreign, PAGE_ADDRESS]) expect(place(address, 'x').kind).toBe('denied');
  });

  test('from our page ask the user for the place on a desktop; a kiosk opens no dialog', () => {
    expect(place(own, 'leads.csv', false)).toEqual({ kind: 'ask' });
    expect(place(own, 'leads.csv')).toEqual({ kind: 'path', path: join('/downloads', 'leads.csv') });
    expect(place(own, 'leads.csv', true, [join('/downloads', 'leads.csv')])).toEqual({
      kind: 'path',
      path: join('/downloads', 'leads (2).csv'),
    });
  });

  test.each([
    ['../../.bashrc', 'bashrc'],
    ['..\\..\\run.bat', 'run.bat'],
    ['/etc/passwd', 'passwd'],
    ['a:b*c?.csv', 'a_b_c_.csv'],
    ['..', 'touchpoint'],
    ['', 'touchpoint'],
  ])('%s lands in the folder, as %s', (name, kept) => {
    expect(place(own, name)).toEqual({ kind: 'path', path: join('/downloads', kept) });
  });
});
