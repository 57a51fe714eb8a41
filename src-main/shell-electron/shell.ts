/**
 * The Electron shell: locked-down windows around the page and a supervised core. It contains no product logic.
 *
 * ```
 *   options ─► one instance ─► locks ─► (Electron is ready) ─► core ─► ready ─► windows
 * ```
 *
 * Invariants:
 * - calls that Electron accepts only before it is ready run synchronously;
 * - one instance per data folder;
 * - a refused start prints one sentence and ends with code 2; a package usually also shows it in a dialog, because a
 *   double click has no terminal;
 * - if the core cannot be kept running, the app shows a notice, even if the core was never ready;
 * - quitting ends everything within two seconds.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../core/foundations/ports.ts';
import { traceOf } from '../core/foundations/trace.ts';
import { dataFolderPath } from '../data-folder/data-folder.ts';
import { givenFile, helpText, type Options, parseOptions } from '../launch/options.ts';
import { DEFECT_CODE } from '../launch/refused.ts';
import { type AttractFiles, createAttractLoop } from '../page/attract-files.ts';
import { readPageFiles } from '../page/page-files.ts';
import { keepAutostart } from './autostart.ts';
import { type CoreLink, createCoreLink } from './core-link.ts';
import type { CoreProgram } from './core-messages.ts';
import type { ElectronApi, ShellSession } from './electron-api.ts';
import { followGivenFiles } from './given-files.ts';
import {
  forkUtility,
  type HelperProcess,
  type HelperProgram,
  type NodeRuntime,
  spawnNode,
} from './helper-process.ts';
import { answerKeychain, createSystemKeychain } from './keychain/system-keychain.ts';
import { type LockTerms, lockContents, lockSession } from './locks.ts';
import { createPagePorts } from './page-ports.ts';
import type { Say } from './page-window.ts';
import { PAGE_ADDRESS } from './policies/own-page.ts';
import { answerPage } from './policies/page-protocol.ts';
import { createRestartBudget } from './policies/restart-budget.ts';
import { openingSwitch, switchSentence } from './policies/switches.ts';
import { appImageOf, relaunch, type startDetached } from './relaunch.ts';
import { createUpdateQuestions, takeUpdates } from './shell-updates.ts';
import { beginStart, type Start } from './start-record.ts';
import { openWindows, type Windows } from './windows.ts';

/** Paths of the parts of this app. */
export type Places = {
  readonly core: string;
  readonly reader: string;
  readonly platform: string;
  readonly drawing: string;
  readonly sharing: string;
  readonly reading: string;
  /** Programs of the core's threads. */
  readonly leads: string;
  readonly exports: string;
  readonly snapshot: string;
  readonly preload: string;
  /** Folder of the page. */
  readonly page: string;
  /** The Node.js that runs helper processes; null if they are utility processes of Electron. */
  readonly node: NodeRuntime | null;
};

/** The shell's environment. */
export type World = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly places: Places;
  readonly clock: Clock;
  /** The path that Electron was started with as its app; null in a package. */
  readonly appPath: string | null;
  readonly startDetached: typeof startDetached;
  /** Calls `listener` with every uncaught exception. Without a listener Electron shows a dialog over the screen. */
  readonly onDefect: (listener: (error: unknown) => void) => void;
  /** The public key with which updates of this build are signed; null if it accepts no updates. */
  readonly updateKey: string | null;
  /** Name of the operating system (`process.platform`). */
  readonly system: string;
  /** Prints a line to stdout. */
  readonly print: (line: string) => void;
  /** Prints a sentence about a fault to stderr. */
  readonly complain: (sentence: string) => void;
};

/** Time limit of a shutdown. */
export const END_WITHIN_MS = 1_800;

/** Starts the shell. Returns at once, before Electron is ready. */
export function startShell(electron: ElectronApi, world: World): void {
  const { app } = electron;
  const now: Now = { camera: false, microphone: false, ending: false, say: null, windows: null };
  endByDefects(electron, world, now);
  const decided = decideStart(electron, world);
  if (decided.kind === 'ended') {
    world.print(decided.text);
    app.exit(0);
    return;
  }
  if (decided.kind === 'refused') {
    world.complain(decided.sentence);
    if (decided.isShown) void app.whenReady().then(() => showRefusal(electron, decided.sentence));
    else app.exit(2);
    return;
  }
  const { options, start } = decided;
  if (options.autostart !== null) keepAutostart(app, world, options.autostart === 'on');
  prepare(electron, start);
  const run = createShell(electron, world, options, start, now);
  app.whenReady().then(run, (error: unknown) => {
    world.complain(String(error));
    app.exit(1);
  });
}

type Decided =
  | { readonly kind: 'start'; readonly options: Options; readonly start: Start }
  /** `isShown`: whether the sentence also appears in a dialog. */
  | { readonly kind: 'refused'; readonly sentence: string; readonly isShown: boolean }
  | { readonly kind: 'ended'; readonly text: string };

function decideStart(electron: ElectronApi, world: World): Decided {
  const { app } = electron;
  const { args, env } = world;
  const refused = (sentence: string, isShown = app.isPackaged): Decided => ({
    kind: 'refused',
    sentence,
    isShown,
  });
  const opening = app.isPackaged ? openingSwitch((name) => app.commandLine.hasSwitch(name)) : null;
  if (opening !== null) {
    const isAppImage = appImageOf(app, env) !== null;
    return refused(switchSentence(opening, isAppImage), isAppImage && opening === 'no-sandbox');
  }
  const parsed = parseOptions(args, env, app.isPackaged ? 'set-up' : 'demo');
  if (parsed.kind === 'wrong') return refused(parsed.sentence);
  if (parsed.kind === 'help') return { kind: 'ended', text: helpText.trimEnd() };
  const folder = dataFolderPath(parsed.options, env);
  const own = join(folder, 'electron');
  try {
    // Electron refuses a missing folder.
    mkdirSync(own, { recursive: true, mode: 0o700 });
  } catch (error) {
    return refused(`The data folder ${folder} cannot be made (${String(error)}).`);
  }
  app.setPath('userData', own);
  if (!app.requestSingleInstanceLock()) {
    // The first instance comes to the front.
    return refused(`Touchpoint is already running on the data folder ${folder}.`, false);
  }
  return { kind: 'start', options: parsed.options, start: beginStart(own) };
}

function showRefusal({ app, dialog }: ElectronApi, sentence: string): void {
  dialog.showErrorBox('Touchpoint', sentence);
  app.exit(2);
}

/**
 * Logs uncaught exceptions and continues, because page and core are separate processes. An exception before the core
 * was ready ends the app, and so does the fourth exception within a minute.
 */
function endByDefects({ app }: ElectronApi, { clock, complain, onDefect }: World, now: Now): void {
  const budget = createRestartBudget(clock.monotonic);
  onDefect((error) => {
    const details = { error: traceOf(error) };
    if (now.say === null || !budget.spend()) {
      complain(`A defect ended Touchpoint: ${details.error}`);
      app.exit(now.say === null ? 1 : DEFECT_CODE);
    } else now.say('error', 'A defect of the shell', details);
  });
}

/** Calls that Electron accepts only before it is ready. */
function prepare({ app, protocol }: ElectronApi, { isSafe }: Start): void {
  // For Linux: without it Chromium finds no system voice.
  app.commandLine.appendSwitch('enable-speech-dispatcher');
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
  if (isSafe) app.disableHardwareAcceleration();
}

/** Locks every new session and its contents; the returned function locks an existing session. */
function lockAll({ app, shell }: ElectronApi, terms: LockTerms, say: Say): (session: ShellSession) => void {
  const locked = new WeakSet<ShellSession>();
  const lock = (session: ShellSession) => {
    if (!locked.has(session)) lockSession(session, terms);
    locked.add(session);
  };
  app.on('session-created', lock);
  const openOutside = (address: string): void => {
    shell.openExternal(address).catch(() => say('warn', 'The browser could not be opened'));
  };
  app.on('web-contents-created', (_event, contents) => lockContents(contents, terms.devTools, openOutside));
  return lock;
}

/** The shell's mutable state. */
type Now = {
  camera: boolean;
  microphone: boolean;
  ending: boolean;
  /** Null until the core was ready once. */
  say: Say | null;
  windows: Windows | null;
};

/** Creates the shell's parts; the returned function starts them and is called when Electron is ready. */
function createShell(
  electron: ElectronApi,
  world: World,
  options: Options,
  start: Start,
  now: Now,
): () => void {
  const { app } = electron;
  const { clock, places, complain } = world;
  const kiosk = options.kiosk && !start.isSafe;
  const devTools = !app.isPackaged;

  const attract = createAttractLoop();
  const say: Say = (level, what, details = {}) => {
    if (core.isReady()) core.send({ kind: 'log', level, what, details });
    else if (level !== 'info') complain(what);
  };

  const terms: LockTerms = {
    uses: () => now,
    downloads: () => app.getPath('downloads'),
    exists: existsSync,
    kiosk,
    devTools,
  };
  const lock = lockAll(electron, terms, say);

  const open = () =>
    openWindows({
      electron,
      clock,
      say,
      kiosk,
      devTools,
      preload: places.preload,
      wanted: options.open,
      second: !start.isSafe,
      ending: () => now.ending,
    });

  // The core, and the reactions to its states and messages.
  const keychain = createSystemKeychain(electron.safeStorage, world.system);
  const core = createCoreLink({
    clock,
    fork: () =>
      forkHelper(electron, places, {
        name: 'core',
        entry: places.core,
        args: [],
        output: 'own',
        endsItself: true,
      }),
    forkChild: ({ program, args }) =>
      forkHelper(electron, places, {
        name: programNames[program],
        entry: places[program],
        args,
        output: program === 'platform' ? 'lines' : 'none',
        endsItself: program !== 'platform',
      }),
    askKeychain: (ask, answer) => {
      if (!answerKeychain(keychain, ask, answer))
        complain('The core sent a malformed question to the keychain.');
    },
    begin: {
      kind: 'start',
      options: { ...options, file: null },
      version: app.getVersion(),
      programs: {
        leads: places.leads,
        exports: places.exports,
        snapshot: places.snapshot,
        page: places.page,
      },
    },
    events: {
      ready: (lines) => {
        const isFirst = now.say === null;
        now.say = say;
        pages.ready();
        files.coreIsReady();
        now.windows?.coreIsBack();
        if (!isFirst) return;
        for (const line of lines) world.print(line);
        now.windows ??= open();
        world.print(`Touchpoint is ready: ${PAGE_ADDRESS}`);
      },
      refused: (sentence, again) => {
        complain(sentence);
        now.ending = !again;
        if (again) return;
        if (app.isPackaged) showRefusal(electron, sentence);
        else app.exit(2);
      },
      down: (how, waitMs) => {
        complain(downSentence(how, waitMs));
        pages.closeAll();
        if (waitMs === 0) return;
        now.windows ??= open();
        now.windows.coreIsStopped();
      },
      said: (message) => {
        if (message.kind === 'page-said') return pages.said(message.page, message.data);
        if (message.kind === 'pages-anew') return pages.closeAll();
        if (message.kind === 'update-said') return updates.take(message.what, message.answer);
        now.camera = message.display.camera;
        now.microphone = message.display.microphone;
        attract.show(message.display.attract);
      },
    },
  });

  // The connections between the core and pages, given files and updates.
  const pages = createPagePorts({
    makeChannel: () => new electron.MessageChannelMain(),
    isReady: core.isReady,
    send: core.send,
  });
  const files = followGivenFiles({
    app,
    first: options.file && givenFile([options.file], process.cwd()),
    isDemo: options.data === null && options.platform === null && !options.setUp,
    isReady: core.isReady,
    give: (path) => core.send({ kind: 'file', path }),
    beginAgain: (path) => relaunch(app, world, [...world.args.filter((arg) => arg !== '--demo'), path]),
    front: () => now.windows?.front(),
  });
  const updates = createUpdateQuestions((what) => {
    if (core.isReady()) core.send({ kind: 'update-ask', what });
    return core.isReady();
  }, clock);

  return () => {
    lock(electron.session.defaultSession);
    servePage(electron, places.page, attract);
    electron.ipcMain.on('touchpoint:connect', (event) => {
      if (pages.connect(event)) start.succeeded();
    });
    followMachine(electron, say);
    endInOrder(app, core, core.run(), clock, now);
    if (options.updates !== null) {
      void takeUpdates({
        app,
        started: world,
        args: world.args,
        clock,
        key: world.updateKey,
        feed: options.updates,
        core: updates,
        say,
        complain,
      });
    }
    if (start.isSafe) complain(safeStartSentence);
  };
}

function downSentence(how: string, waitMs: number): string {
  const next = waitMs === 0 ? 'now' : `in ${Math.ceil(waitMs / 1_000)} seconds`;
  return `The core of Touchpoint ended (${how}); it is started again ${next}.`;
}

const safeStartSentence =
  'Two starts failed: this one goes without the graphics card, in a window, on one display.';

/** Names of helper processes in process lists. */
const programNames: Readonly<Record<CoreProgram, string>> = {
  reader: 'badge reader',
  platform: 'demo platform',
  drawing: 'picture drawing',
  sharing: 'sharing hub',
  reading: 'text reading',
};

function forkHelper(electron: ElectronApi, { node }: Places, program: HelperProgram): HelperProcess {
  return node === null ? forkUtility(electron.utilityProcess, program) : spawnNode(node, program);
}

function servePage({ protocol }: ElectronApi, folder: string, attract: AttractFiles): void {
  const files = readPageFiles(folder);
  protocol.handle('app', (request) => answerPage({ files, attract }, request));
}

/** Logs sleep and wake of the machine, quits at its shutdown, and prevents a dark screen at the stand. */
function followMachine({ app, powerMonitor, powerSaveBlocker }: ElectronApi, say: Say): void {
  powerSaveBlocker.start('prevent-display-sleep');
  powerMonitor.on('suspend', () => say('info', 'The machine goes to sleep'));
  powerMonitor.on('resume', () => say('info', 'The machine woke up'));
  powerMonitor.on('shutdown', () => app.quit());
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (reason !== 'clean-exit') say('warn', 'A process of Electron ended', { type, reason });
  });
}

/** Stops the core before the app quits. `running` settles when the core has ended. */
function endInOrder(
  app: ElectronApi['app'],
  core: CoreLink,
  running: Promise<void>,
  clock: Clock,
  now: Pick<Now, 'ending'>,
): void {
  let asked = false;
  const ended = new AbortController();
  const endBy = async (): Promise<void> => {
    await clock.sleep(END_WITHIN_MS, ended.signal);
    if (ended.signal.aborted) return;
    core.stop(true);
    app.exit(1);
  };
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (asked) return;
    asked = true;
    now.ending = true;
    void endBy();
    core.stop(false);
    running
      .finally(() => ended.abort())
      .then(
        () => app.exit(0),
        () => app.exit(1),
      );
  });
}
