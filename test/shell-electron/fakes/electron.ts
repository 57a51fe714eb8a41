/**
 * A fake of Electron for the shell on plain Node.js: it behaves like Electron, including its refusals and faults.
 *
 * It does not cover the sandbox of the page's process, Chromium's permission dialogs, fuses, and the system's
 * handling of a kiosk window.
 */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { Browser } from '@playwright/test';
import type { BrowserWindowConstructorOptions, CustomScheme } from 'electron';
import type { ConnectEvent, ElectronApi } from '../../../src-main/shell-electron/electron-api.ts';
import { PAGE_ADDRESS } from '../../../src-main/shell-electron/policies/own-page.ts';
import { startBrowser } from '../../renderer/browser.ts';
import { FakeWindow, type Surroundings } from './browser-window.ts';
import { FakeChannel } from './message-channel.ts';
import { fakeSafeStorage } from './safe-storage.ts';
import { fakeUtilityProcesses } from './utility-process.ts';

class FakeApp extends EventEmitter {
  isPackaged = true;
  /** Whether the program is in the mount of an AppImage, which disappears with the app. */
  isMounted = false;
  /** The command line of each start that `relaunch` led to. */
  readonly starts: (readonly string[])[] = [];
  readonly switches: string[] = [];
  readonly paths = new Map<string, string>();
  isFirst = true;
  ready = false;
  hardware = true;
  exitCode: number | null = null;
  readonly commandLine = {
    hasSwitch: (name: string) => this.switches.includes(name),
    appendSwitch: (name: string) => void this.switches.push(name),
  };

  version = '0.0.0-test';

  /**
   * Makes the app run from an AppImage that is mounted or unpacked at `folder`. Returns the variables that the
   * AppImage's runtime sets.
   */
  runFromAppImage(file: string, folder = '/tmp/.mount_TouchpX1Y2Z3') {
    this.isMounted = true;
    this.paths.set('exe', `${folder}/touchpoint`);
    return { APPIMAGE: file, APPDIR: folder };
  }

  getVersion() {
    return this.version;
  }

  getPath(name: string) {
    return this.paths.get(name) ?? '/nowhere';
  }

  setPath(name: string, path: string) {
    if (!existsSync(path)) throw new Error(`Failed to set '${name}' path`);
    this.paths.set(name, path);
  }

  requestSingleInstanceLock() {
    return this.isFirst;
  }

  /**
   * Electron starts a helper from the app's own program. The helper waits for the app's end and then starts `execPath`
   * with `args` in place of all arguments. In an AppImage the helper loses its program with the mount, so it starts
   * nothing (electron-builder#1727).
   */
  relaunch({ execPath, args }: { execPath?: string; args?: readonly string[] } = {}) {
    if (!this.isMounted) this.starts.push([execPath ?? '/opt/Touchpoint/touchpoint', ...(args ?? [])]);
  }

  readonly loginItems: unknown[] = [];

  setLoginItemSettings(settings: unknown) {
    this.loginItems.push(settings);
  }

  disableHardwareAcceleration() {
    if (this.ready)
      throw new Error('app.disableHardwareAcceleration() can only be called before app is ready');
    this.hardware = false;
  }

  /** Ready in a later turn of the event loop, never while the entry module runs. */
  whenReady() {
    return new Promise<void>((resolve) =>
      setImmediate(() => {
        this.ready = true;
        resolve();
      }),
    );
  }

  quit() {
    let stopped = false;
    this.emit('before-quit', { preventDefault: () => (stopped = true) });
    if (!stopped) this.exit(0);
  }

  exit(code = 0) {
    this.exitCode ??= code;
    this.emit('exited');
  }
}

class FakeSession extends EventEmitter {
  readonly handlers = new Map<string, unknown>();
  readonly webRequest = { onBeforeRequest: (handler: unknown) => void this.handlers.set('request', handler) };
  setPermissionRequestHandler(handler: unknown) {
    this.handlers.set('permission', handler);
  }
  setPermissionCheckHandler(handler: unknown) {
    this.handlers.set('check', handler);
  }
  setDevicePermissionHandler(handler: unknown) {
    this.handlers.set('device', handler);
  }
  setDisplayMediaRequestHandler(handler: unknown) {
    this.handlers.set('capture', handler);
  }
  setBluetoothPairingHandler(handler: unknown) {
    this.handlers.set('pairing', handler);
  }

  /** Most permissions are checked first, and requested if the check denies them. */
  grants(permission: string): boolean {
    const check = this.handlers.get('check') as (...asked: unknown[]) => boolean;
    const request = this.handlers.get('permission') as (...asked: unknown[]) => void;
    if (check(null, permission, PAGE_ADDRESS, { isMainFrame: true })) return true;
    let granted = false;
    const answer = (given: boolean) => {
      granted = given;
    };
    request(null, permission, answer, { isMainFrame: true, requestingUrl: PAGE_ADDRESS });
    return granted;
  }
}

/** Creates a fake. `draws`: whether windows have a page. `end`: ends everything that the fake started. */
export function fakeElectron(draws = true) {
  const app = new FakeApp();
  const defaultSession = new FakeSession();
  const ipcMain = new EventEmitter();
  const powerMonitor = new EventEmitter();
  const windows: FakeWindow[] = [];
  const blockers: string[] = [];
  const displays = [{ id: 1, bounds: { x: 0, y: 0, width: 1280, height: 800 } }];
  const screen = Object.assign(new EventEmitter(), {
    getAllDisplays: () => [...displays] as never[],
    getPrimaryDisplay: () => displays[0] as never,
  });
  const safeStorage = fakeSafeStorage('linux');
  const boxes: string[] = [];
  const utilities = fakeUtilityProcesses(() => app.ready);
  let handler: ((request: Request) => Response | Promise<Response>) | null = null;
  let browser: Promise<Browser> | null = null;

  const around: Surroundings = {
    browser: () => {
      // Electron reports to a page that the other end of its port is closed; Chromium needs a switch for that.
      browser ??= startBrowser(['--enable-blink-features=MessagePortCloseEvent']);
      return browser;
    },
    answer: (request) => handler?.(request) ?? new Response(null, { status: 404 }),
    hear: (channel, event: ConnectEvent) => void ipcMain.emit(channel, event),
    download: (event, item) => void defaultSession.emit('will-download', event, item),
    grants: (permission) => defaultSession.grants(permission),
  };
  class OwnWindow extends FakeWindow {
    constructor(options: BrowserWindowConstructorOptions) {
      super(options, around, draws);
      windows.push(this);
      app.emit('web-contents-created', {}, this.webContents);
    }
  }
  const api: ElectronApi = {
    app,
    BrowserWindow: OwnWindow,
    dialog: {
      // Before the app is ready, Electron shows no error box on Linux, only a line on stderr.
      showErrorBox: (_title, content) => {
        if (app.ready) boxes.push(content);
      },
    },
    ipcMain,
    MessageChannelMain: FakeChannel,
    powerMonitor,
    powerSaveBlocker: { start: (type) => blockers.push(type) },
    protocol: {
      handle: (scheme, given) => {
        if (scheme === 'app') handler = given as typeof handler;
      },
      registerSchemesAsPrivileged: (_schemes: CustomScheme[]) => {
        if (app.ready)
          throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
      },
    },
    safeStorage,
    screen,
    session: { defaultSession },
    shell: { openExternal: () => Promise.reject(new Error('this test opens no browser')) },
    utilityProcess: { fork: utilities.fork },
  };
  return {
    api,
    app,
    windows,
    blockers,
    boxes,
    displays,
    screen,
    powerMonitor,
    ipcMain,
    defaultSession,
    safeStorage,
    answer: around.answer,
    utilities: utilities.running,
    end: async () => {
      for (const child of utilities.running) child.kill();
      await browser?.then((open) => open.close());
    },
  };
}
