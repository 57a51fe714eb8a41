/**
 * Electron's windows as pages of a real Chromium: the shell's preload runs in an isolated world, the shell's handler
 * answers `app://`, and the shell decides about navigation, new windows and downloads as in Electron.
 *
 * Chromium does not support `app:`, so pages are under `https://touchpoint.invalid/`, and every address is translated.
 */
import { EventEmitter } from 'node:events';
import type {
  Browser,
  BrowserContext,
  CDPSession,
  Frame,
  Page,
  Request as PageRequest,
  Route,
} from '@playwright/test';
import type { BrowserWindowConstructorOptions, Input, MessagePortMain } from 'electron';
import type { ConnectEvent } from '../../../src-main/shell-electron/electron-api.ts';
import { mainWorldScript, preloadWorldScript, SEND, WORLD } from './preload-world.ts';

const OUTSIDE = 'https://touchpoint.invalid/';
const INSIDE = 'app://touchpoint/';

/** The address in Electron's form. */
export const inside = (address: string) => address.replace(OUTSIDE, INSIDE);
const outside = (address: string) => address.replace(INSIDE, OUTSIDE);

/** The parts of the app that a window uses. */
export type Surroundings = {
  readonly browser: () => Promise<Browser>;
  /** The handler of `app:`; null until it is set. */
  readonly answer: (request: Request) => Response | Promise<Response>;
  readonly hear: (channel: string, event: ConnectEvent) => void;
  readonly download: (event: { preventDefault: () => void }, item: object) => void;
  /** Whether the session's handlers grant this permission to our page: the check, or else the request. */
  readonly grants: (permission: string) => boolean;
};

type Said = { kind: 'send' | 'port' | 'close'; channel?: string; id: number; data?: string };

/** The frame of a request, or null while its window is opening. */
function frameOf(request: PageRequest): Frame | null {
  try {
    return request.frame();
  } catch {
    return null;
  }
}

export class FakeContents extends EventEmitter {
  readonly #around: Surroundings;
  readonly #preload: string;
  #opened: Promise<Page> | null = null;
  #context: BrowserContext | null = null;
  #ports = new Map<number, MessagePortMain>();
  #world: { session: CDPSession; contextId: number } | null = null;
  #openHandler: ((details: never) => { action: 'deny' | 'allow' }) | null = null;
  #loading = '';
  #settled: Promise<void> = Promise.resolve();
  #held: Promise<void> = Promise.resolve();
  #last = 0;
  zoomLevel = 0;
  /** The page's console errors. */
  readonly complaints: string[] = [];
  /** Addresses to which navigation was prevented. */
  readonly refused: string[] = [];

  constructor(around: Surroundings, preload: string) {
    super();
    this.#around = around;
    this.#preload = preload;
  }

  /** The current page. */
  page(): Promise<Page> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  load(address: string): Promise<void> {
    const loaded = this.page().then(async (page) => {
      this.#loading = outside(address);
      await page.goto(this.#loading, { waitUntil: 'load' });
      this.emit('did-finish-load');
    });
    this.#settled = loaded.catch(() => undefined);
    return loaded;
  }

  /** The current page, after the last load has finished. */
  async settled(): Promise<Page> {
    await this.#settled;
    return this.page();
  }

  /** Opens no page until the returned function is called. */
  hold(): () => void {
    let release = () => {};
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  async #open(): Promise<Page> {
    await this.#held;
    const browser = await this.#around.browser();
    this.#context = await browser.newContext({
      locale: 'en',
      acceptDownloads: true,
      reducedMotion: 'reduce',
    });
    const context = this.#context;
    const page = await context.newPage();
    context.on('page', (other) => {
      if (this.#openHandler?.({} as never).action !== 'allow') void other.close().catch(() => undefined);
    });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('crash', () => {
      this.#forget();
      this.#opened = null;
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 139 });
      void context.close().catch(() => undefined);
    });
    page.on('download', (download) => {
      let kept: Promise<unknown> = Promise.resolve();
      const item = {
        getURL: () => inside(download.url()),
        getFilename: () => download.suggestedFilename(),
        setSavePath: (path: string) => {
          kept = download.saveAs(path);
        },
      };
      this.#around.download({ preventDefault: () => void download.cancel() }, item);
      kept.catch(() => undefined);
    });
    await context.route('**/*', (route) => this.#answer(route));
    const session = await context.newCDPSession(page);
    const { targetInfo } = await session.send('Target.getTargetInfo');
    await session.send('Browser.setPermission', {
      ...(targetInfo.browserContextId && { browserContextId: targetInfo.browserContextId }),
      permission: { name: 'clipboard-write' },
      setting: this.#around.grants('clipboard-sanitized-write') ? 'granted' : 'denied',
      origin: new URL(OUTSIDE).origin,
    });
    await this.#openWorld(session);
    return page;
  }

  /**
   * Routes every request: the handler of `app:` answers our addresses. The shell's listeners may prevent a navigation
   * that the page starts.
   */
  async #answer(route: Route) {
    const request = route.request();
    const address = inside(request.url());
    if (request.isNavigationRequest() && request.url() !== this.#loading) {
      let stopped = false;
      const event = { url: address, preventDefault: () => (stopped = true) };
      const frame = frameOf(request);
      this.emit('will-frame-navigate', event);
      if (frame?.parentFrame() === null) this.emit('will-navigate', event);
      if (stopped || frame === null) {
        this.refused.push(address);
        return route.abort('aborted');
      }
    }
    if (!address.startsWith(INSIDE)) return route.continue();
    const answer = await this.#around.answer(
      new Request(address, { method: request.method(), headers: request.headers() }),
    );
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    });
  }

  async #openWorld(session: CDPSession) {
    session.on('Runtime.executionContextsCleared', () => this.#forget());
    session.on('Runtime.bindingCalled', ({ payload, executionContextId }) => {
      // A sender is always the current document, whatever the order in which Chromium reports old and new ones.
      this.#world = { session, contextId: executionContextId };
      this.#said(JSON.parse(payload) as Said);
    });
    await session.send('Runtime.enable');
    await session.send('Page.enable');
    await session.send('Runtime.addBinding', { name: SEND, executionContextName: WORLD });
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorldScript });
    await session.send('Page.addScriptToEvaluateOnNewDocument', {
      source: preloadWorldScript(this.#preload),
      worldName: WORLD,
    });
  }

  #said({ kind, channel = '', id, data }: Said) {
    if (kind === 'port') this.#ports.get(id)?.postMessage(data);
    else if (kind === 'close') this.#ports.get(id)?.close();
    else this.#around.hear(channel, { sender: this, senderFrame: { url: this.#address(), parent: null } });
  }

  #address() {
    const [page] = this.#context?.pages() ?? [];
    return inside(page?.url() ?? '');
  }

  /** Closes every port of a document that was replaced. */
  #forget() {
    this.#world = null;
    for (const port of this.#ports.values()) port.close();
    this.#ports.clear();
  }

  postMessage(channel: string, _message: unknown, transfer: MessagePortMain[] = []) {
    const ids = transfer.map((port) => {
      this.#last += 1;
      const id = this.#last;
      this.#ports.set(id, port);
      port.on('message', ({ data }) => this.#tell({ kind: 'port', id, data }));
      port.on('close', () => {
        this.#ports.delete(id);
        this.#tell({ kind: 'close', id });
      });
      port.start();
      return id;
    });
    this.#tell({ kind: 'message', channel, ids });
  }

  #tell(message: object) {
    if (this.#world === null) return;
    const { session, contextId } = this.#world;
    const expression = `touchpointShellHear(${JSON.stringify(message)})`;
    // A document that is replaced meanwhile receives nothing.
    session.send('Runtime.evaluate', { expression, contextId }).catch(() => undefined);
  }

  /** Kills every renderer process of the browser, as the system may do. */
  async kill() {
    const browser = await this.#around.browser();
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
    await session.detach();
  }

  forcefullyCrashRenderer() {
    void this.kill();
  }

  setWindowOpenHandler(handler: (details: never) => { action: 'deny' } | { action: 'allow' }) {
    this.#openHandler = handler;
  }

  /** Asks the shell to open a window with the address, as a page would. */
  open(url: string) {
    return this.#openHandler?.({ url } as never);
  }

  setZoomLevel(level: number) {
    this.zoomLevel = level;
  }

  setVisualZoomLevelLimits() {
    return Promise.resolve();
  }

  /** Presses a key: the page receives it if the shell allows it. */
  async press(input: Partial<Input> & { readonly key: string }): Promise<boolean> {
    let stopped = false;
    const event = { preventDefault: () => (stopped = true) };
    const plain = { control: false, shift: false, alt: false, meta: false };
    this.emit('before-input-event', event, { ...plain, ...input });
    if (!stopped) await (await this.page()).keyboard.press(input.key);
    return !stopped;
  }
}

export class FakeWindow extends EventEmitter {
  readonly webContents: FakeContents;
  readonly options: BrowserWindowConstructorOptions;
  readonly addresses: string[] = [];
  shown = false;
  kiosk: boolean;
  #destroyed = false;

  readonly #draws: boolean;

  constructor(options: BrowserWindowConstructorOptions, around: Surroundings, draws: boolean) {
    super();
    this.#draws = draws;
    this.options = options;
    this.kiosk = options.kiosk === true;
    this.webContents = new FakeContents(around, options.webPreferences?.preload ?? '');
  }

  async loadURL(address: string) {
    this.addresses.push(address);
    if (!this.#draws) return;
    await this.webContents.load(address);
    if (!this.shown) this.emit('ready-to-show');
  }

  show() {
    this.shown = true;
  }

  focus() {
    this.emit('focus');
  }

  restore() {}

  isMinimized() {
    return false;
  }

  isDestroyed() {
    return this.#destroyed;
  }

  removeMenu() {}

  setKiosk(kiosk: boolean) {
    this.kiosk = kiosk;
  }

  destroy() {
    this.#destroyed = true;
  }

  /** Closes the window; false when that was prevented. */
  close(): boolean {
    let stopped = false;
    this.emit('close', { preventDefault: () => (stopped = true) });
    if (!stopped) this.destroy();
    return !stopped;
  }
}
