/**
 * The part of Electron that the shell uses.
 *
 * Invariants:
 * - methods are picked from Electron's own types; events are declared as we receive them;
 * - `main.ts` passes the real module and tests pass fakes, so the compiler reports a signature that changed in a new
 *   Electron.
 */
import type {
  App,
  BrowserWindowConstructorOptions,
  CommandLine,
  Dialog,
  DownloadItem,
  ForkOptions,
  Input,
  IpcMainEvent,
  MessagePortMain,
  PowerSaveBlocker,
  Protocol,
  RenderProcessGoneDetails,
  Screen,
  Session,
  Shell,
  UtilityProcess,
  WebContents,
  WebRequest,
} from 'electron';
import type { ShellSafeStorage } from './keychain/system-keychain.ts';

/** An object that emits these events: names and the arguments of their listeners. */
type Emits<Events extends Readonly<Record<string, readonly unknown[]>>> = {
  readonly on: Both<
    {
      [Name in keyof Events & string]: (event: Name, listener: (...given: Events[Name]) => void) => unknown;
    }[keyof Events & string]
  >;
};

/** The intersection of several signatures. */
type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** An event whose default action can be prevented. */
export type Stoppable = { readonly preventDefault: () => void };
/** The event of a frame that navigates; it can be prevented. */
export type Leading = Stoppable & { readonly url: string };

export type ShellApp = Pick<
  App,
  | 'exit'
  | 'quit'
  | 'getVersion'
  | 'getPath'
  | 'setPath'
  | 'isPackaged'
  | 'requestSingleInstanceLock'
  | 'whenReady'
  | 'disableHardwareAcceleration'
  | 'relaunch'
  | 'setLoginItemSettings'
> & {
  readonly commandLine: Pick<CommandLine, 'hasSwitch' | 'appendSwitch'>;
} & Emits<{
    'before-quit': [event: Stoppable];
    'second-instance': [event: unknown, args: readonly string[], folder: string];
    'open-file': [event: Stoppable, path: string];
    'session-created': [session: ShellSession];
    'web-contents-created': [event: unknown, contents: ShellContents];
    'child-process-gone': [event: unknown, details: { readonly type: string; readonly reason: string }];
  }>;

export type ShellSession = Pick<
  Session,
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setBluetoothPairingHandler'
> & {
  readonly webRequest: Pick<WebRequest, 'onBeforeRequest'>;
} & Emits<{ 'will-download': [event: Stoppable, item: ShellDownload] }>;

export type ShellDownload = Pick<DownloadItem, 'getURL' | 'getFilename' | 'setSavePath'>;

/** The contents of a window. */
export type ShellContents = Pick<
  WebContents,
  | 'setWindowOpenHandler'
  | 'forcefullyCrashRenderer'
  | 'setZoomLevel'
  | 'setVisualZoomLevelLimits'
  | 'postMessage'
> &
  Emits<{
    'will-attach-webview': [event: Stoppable];
    'will-navigate': [event: Leading];
    'will-frame-navigate': [event: Leading];
    'will-redirect': [event: Leading];
    'before-input-event': [event: Stoppable, input: Input];
    'zoom-changed': [];
    'render-process-gone': [event: unknown, details: RenderProcessGoneDetails];
    'preload-error': [event: unknown, path: string, error: Error];
    'did-finish-load': [];
  }>;

/** A window. */
export type ShellWindow = {
  readonly webContents: ShellContents;
  readonly loadURL: (address: string) => Promise<void>;
  readonly show: () => void;
  readonly focus: () => void;
  readonly restore: () => void;
  readonly isMinimized: () => boolean;
  readonly isDestroyed: () => boolean;
  readonly removeMenu: () => void;
  readonly setKiosk: (kiosk: boolean) => void;
  readonly destroy: () => void;
} & Emits<{
  'ready-to-show': [];
  unresponsive: [];
  responsive: [];
  'leave-full-screen': [];
  /** Windows shuts down, or its user signs out. `powerMonitor` reports that only on Linux and macOS. */
  'session-end': [];
  close: [event: Stoppable];
}>;

/** One end of a channel in the main process. */
export type ShellPort = Pick<MessagePortMain, 'postMessage' | 'start' | 'close'> &
  Emits<{ message: [event: { readonly data: unknown }]; close: [] }>;

/** A helper process. */
export type ShellUtility = Pick<UtilityProcess, 'pid' | 'stdout' | 'postMessage' | 'kill'> &
  Emits<{
    message: [message: unknown];
    exit: [code: number];
    /**
     * A fatal error of V8, such as running out of memory; the process ends. Without a listener the main process
     * throws.
     */
    error: [type: string, location: string, report: string];
  }>;

export type ElectronApi = {
  readonly app: ShellApp;
  readonly BrowserWindow: new (options: BrowserWindowConstructorOptions) => ShellWindow;
  readonly dialog: Pick<Dialog, 'showErrorBox'>;
  readonly ipcMain: Emits<{ 'touchpoint:connect': [event: ConnectEvent] }>;
  readonly MessageChannelMain: new () => { readonly port1: ShellPort; readonly port2: MessagePortMain };
  readonly powerMonitor: Emits<{ suspend: []; resume: []; shutdown: [] }>;
  readonly powerSaveBlocker: Pick<PowerSaveBlocker, 'start'>;
  readonly protocol: Pick<Protocol, 'handle' | 'registerSchemesAsPrivileged'>;
  readonly safeStorage: ShellSafeStorage;
  readonly screen: Pick<Screen, 'getAllDisplays' | 'getPrimaryDisplay'> &
    Emits<{ 'display-added': []; 'display-removed': [] }>;
  readonly session: { readonly defaultSession: ShellSession };
  readonly shell: Pick<Shell, 'openExternal'>;
  readonly utilityProcess: {
    readonly fork: (entry: string, args: string[], options: ForkOptions) => ShellUtility;
  };
};

/** A page that asks for a port to the core. */
export type ConnectEvent = {
  readonly senderFrame: Pick<NonNullable<IpcMainEvent['senderFrame']>, 'url' | 'parent'> | null;
  readonly sender: Pick<WebContents, 'postMessage'>;
};
