/**
 * The Electron shell: locked-down windows around the page, a supervised core, and nothing of the product.
 *
 * ```
 *   options ─► one instance ─► locks ─► (Electron is ready) ─► core ─► ready ─► windows
 * ```
 *
 * Invariants: everything that has to be said to Electron before it is ready is said in one turn, without waiting; one instance per
 * data folder; a refused start says one sentence and ends with code 2; quitting ends all within two seconds.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../core/foundations/ports.ts';
import { dataFolderPath } from '../data-folder/data-folder.ts';
import { givenFile, helpText, type Options, parseOptions } from '../launch/options.ts';
import { readPageFiles } from '../page/page-files.ts';
import { type AttractMedia, createAttractMedia } from './attract-media.ts';
import { type CoreLink, type CoreLinkPorts, createCoreLink } from './core-link.ts';
import type { CoreProgram } from './core-messages.ts';
import type { ElectronApi, ShellSession } from './electron-api.ts';
import { followGivenFiles, type GivenFiles } from './given-files.ts';
import {
  forkUtility,
  type HelperProcess,
  type HelperProgram,
  type NodeRuntime,
  spawnNode,
} from './helper-process.ts';
import { answerKeychain } from './keychain/keychain-desk.ts';
import { createSystemKeychain } from './keychain/system-keychain.ts';
import { type LockTerms, lockContents, lockSession } from './locks.ts';
import { createPagePorts } from './page-ports.ts';
import type { Say } from './page-window.ts';
import { PAGE_ADDRESS } from './policies/page-address.ts';
import { answerPage } from './policies/page-protocol.ts';
import { createRestartBudget } from './policies/restart-budget.ts';
import { openingSwitch, switchSentence } from './policies/switches.ts';
import { appImageOf, relaunch, type startDetached } from './relaunch.ts';
import { askForUpdate, takeUpdates } from './shell-updates.ts';
import { beginStart, type Start } from './start-record.ts';
import { createUpdateQuestions } from './updates/update-core.ts';
import { openWindows, type Windows } from './windows.ts';

/** Where the parts of this app lie. */
export type Places = {
  readonly core: string;
  readonly reader: string;
  readonly platform: string;
  readonly drawing: string;
  /** Programs of the core's threads. */
  readonly leads: string;
  readonly exports: string;
  readonly preload: string;
  /** Folder of the page. */
  readonly page: string;
  /** The Node.js our helpers run on; null: utility processes of Electron. */
  readonly node: NodeRuntime | null;
};

/** What the shell is started with. */
export type World = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly places: Places;
  readonly clock: Clock;
  /** What Electron was given as its app; null in a package. */
  readonly appPath: string | null;
  readonly startDetached: typeof startDetached;
  /** Calls back with every exception that nobody caught. Without a listener Electron shows a box over the screen. */
  readonly onDefect: (hear: (error: unknown) => void) => void;
  /** The public key that updates of this build are signed with; null: it takes none. */
  readonly updateKey: string | null;
  /** Name of the operating system, as `process.platform` has it. */
  readonly system: string;
  /** Lines for whoever started the app. */
  readonly print: (line: string) => void;
  /** Sentences about what is wrong. */
  readonly complain: (sentence: string) => void;
};

/** Whoever has not ended in order by then is ended. */
export const END_WITHIN_MS = 1_800;

/** Starts the shell. Returns at once, before Electron is ready. */
export function startShell(electron: ElectronApi, world: World): void {
  const { app } = electron;
  const now: Now = { camera: false, ending: false, say: null, windows: null };
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
  prepare(electron, start);
  const run = createShell(electron, world, options, start, now);
  app.whenReady().then(run, (error: unknown) => {
    world.complain(String(error));
    app.exit(1);
  });
}

type Decided =
  | { readonly kind: 'start'; readonly options: Options; readonly start: Start }
  /** `isShown`: in a box, too, because who starts it has no terminal and could mend it. */
  | { readonly kind: 'refused'; readonly sentence: string; readonly isShown: boolean }
  | { readonly kind: 'ended'; readonly text: string };

function decideStart(electron: ElectronApi, world: World): Decided {
  const { app } = electron;
  const { args, env } = world;
  const refused = (sentence: string): Decided => ({ kind: 'refused', sentence, isShown: false });
  const opening = app.isPackaged ? openingSwitch((name) => app.commandLine.hasSwitch(name)) : null;
  if (opening !== null) {
    const isAppImage = appImageOf(app, env) !== null;
    const isShown = isAppImage && opening === 'no-sandbox';
    return { kind: 'refused', sentence: switchSentence(opening, isAppImage), isShown };
  }
  const parsed = parseOptions(args, env);
  if (parsed.kind === 'wrong') return refused(parsed.sentence);
  if (parsed.kind === 'help') return { kind: 'ended', text: helpText.trimEnd() };
  const folder = dataFolderPath(parsed.options, env);
  const own = join(folder, 'electron');
  try {
    // Electron refuses a folder that is not there.
    mkdirSync(own, { recursive: true, mode: 0o700 });
  } catch (error) {
    return refused(`The data folder ${folder} cannot be made (${String(error)}).`);
  }
  app.setPath('userData', own);
  if (!app.requestSingleInstanceLock()) {
    return refused(`Touchpoint is already running on the data folder ${folder}.`);
  }
  return { kind: 'start', options: parsed.options, start: beginStart(own) };
}

function showRefusal({ app, dialog }: ElectronApi, sentence: string): void {
  dialog.showErrorBox('Touchpoint', sentence);
  app.exit(2);
}

/**
 * Logs exceptions that nobody caught and goes on: page and core are processes of their own. Before the core was ready, and after three
 * within a minute, the app ends.
 */
function endByDefects({ app }: ElectronApi, { clock, complain, onDefect }: World, now: Now): void {
  const budget = createRestartBudget(clock.monotonic);
  onDefect((error) => {
    const details = { error: error instanceof Error ? error.stack : String(error) };
    if (now.say === null || !budget.spend()) {
      complain(`A defect ended Touchpoint: ${details.error}`);
      app.exit(1);
    } else now.say('error', 'A defect of the shell', details);
  });
}

/** What Electron only takes before it is ready. */
function prepare({ app, protocol }: ElectronApi, { isSafe }: Start): void {
  // Linux alone: without it Chromium looks for no voice of the system.
  app.commandLine.appendSwitch('enable-speech-dispatcher');
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
  if (isSafe) app.disableHardwareAcceleration();
}

/** Locks every session and everything shown from now on; the returned function locks a session that is there already. */
function lockAll(app: ElectronApi['app'], terms: LockTerms): (session: ShellSession) => void {
  const locked = new WeakSet<ShellSession>();
  const lock = (session: ShellSession) => {
    if (!locked.has(session)) lockSession(session, terms);
    locked.add(session);
  };
  app.on('session-created', lock);
  app.on('web-contents-created', (_event, contents) => lockContents(contents, terms.devTools));
  return lock;
}

/** What changes while the shell runs. */
type Now = {
  camera: boolean;
  ending: boolean;
  /** Null until the core was ready once. */
  say: Say | null;
  windows: Windows | null;
};

/** Puts the shell together; what it gives is called when Electron is ready. */
function createShell(
  electron: ElectronApi,
  world: World,
  options: Options,
  start: Start,
  now: Now,
): () => void {
  const { app } = electron;
  const { clock, places } = world;
  const programs = { leads: places.leads, exports: places.exports };
  const kiosk = options.kiosk && !start.isSafe;
  const devTools = !app.isPackaged;
  const media = createAttractMedia();
  const lock = lockAll(app, {
    camera: () => now.camera,
    downloads: () => app.getPath('downloads'),
    exists: existsSync,
    kiosk,
    devTools,
  });
  const say: Say = (level, what, details = {}) => {
    if (core.isReady()) core.send({ kind: 'log', level, what, details });
    else if (level !== 'info') world.complain(what);
  };
  const show = () =>
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
  const core = createCoreLink({
    clock,
    ...helpers(electron, world),
    begin: { kind: 'start', options: { ...options, file: null }, version: app.getVersion(), programs },
    events: {
      ready: (lines) => {
        now.say = say;
        ports.ready();
        files.coreIsReady();
        if (now.windows !== null) return now.windows.coreIsBack();
        for (const line of lines) world.print(line);
        now.windows = show();
        world.print(`Touchpoint is ready: ${PAGE_ADDRESS}`);
      },
      refused: (sentence, again) => {
        world.complain(sentence);
        now.ending = !again;
        if (!again) app.exit(2);
      },
      down: (how, waitMs) => {
        world.complain(downSentence(how, waitMs));
        ports.closeAll();
        if (waitMs > 0) now.windows?.coreIsStopped();
      },
      said: (message) => {
        if (message.kind === 'page-said') return ports.said(message.page, message.data);
        if (message.kind === 'pages-anew') return ports.closeAll();
        if (message.kind === 'update-said') return update.take(message.what, message.answer);
        now.camera = message.display.camera;
        media.show(message.display.attract);
      },
    },
  });
  const files = takeGivenFiles(electron, world, options, core, () => now.windows?.front());
  const update = createUpdateQuestions((what) => askForUpdate(core, what), clock);
  const ports = createPagePorts({ makeChannel: () => new electron.MessageChannelMain(), ...core });

  return () => {
    lock(electron.session.defaultSession);
    servePage(electron, places.page, media);
    electron.ipcMain.on('touchpoint:connect', (event) => {
      if (ports.connect(event)) start.succeeded();
    });
    followMachine(electron, say);
    const ending = () => {
      now.ending = true;
    };
    endInOrder(electron, { core, running: core.run(), clock, ending });
    if (options.updates !== null) void takeUpdates(app, world, options.updates, update, say);
    if (start.isSafe) world.complain(safeStartSentence);
  };
}

function takeGivenFiles(
  { app }: ElectronApi,
  world: World,
  { file, data, platform, setUp }: Options,
  core: CoreLink,
  front: () => void,
): GivenFiles {
  return followGivenFiles({
    app,
    front,
    isReady: core.isReady,
    first: file && givenFile([file], process.cwd()),
    isDemo: data === null && platform === null && !setUp,
    give: (path) => core.send({ kind: 'file', path }),
    beginAgain: (path) => relaunch(app, world, [...world.args, path]),
  });
}

function downSentence(how: string, waitMs: number): string {
  const next = waitMs === 0 ? 'now' : `in ${Math.ceil(waitMs / 1_000)} seconds`;
  return `The core of Touchpoint ended (${how}); it is started again ${next}.`;
}

const safeStartSentence =
  'Two starts failed: this one goes without the graphics card, in a window, on one display.';

/** As lists of processes show them. */
const programNames: Readonly<Record<CoreProgram, string>> = {
  reader: 'badge reader',
  platform: 'demo platform',
  drawing: 'picture drawing',
};

function helpers(
  electron: ElectronApi,
  { places, system, complain }: World,
): Pick<CoreLinkPorts, 'fork' | 'forkChild' | 'askKeychain'> {
  const keychain = createSystemKeychain(electron.safeStorage, system);
  return {
    askKeychain: (ask, answer) => {
      if (!answerKeychain(keychain, ask, answer)) complain('The core asked what no keychain answers.');
    },
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
  };
}

function forkHelper(electron: ElectronApi, { node }: Places, program: HelperProgram): HelperProcess {
  return node === null ? forkUtility(electron.utilityProcess, program) : spawnNode(node, program);
}

function servePage({ protocol }: ElectronApi, folder: string, attract: AttractMedia): void {
  const content = { files: readPageFiles(folder), attract };
  protocol.handle('app', (request) => answerPage(content, request));
}

/** Sleep, wake and shutdown of the machine; a screen at a stand never goes dark by itself. */
function followMachine({ app, powerMonitor, powerSaveBlocker }: ElectronApi, say: Say): void {
  powerSaveBlocker.start('prevent-display-sleep');
  powerMonitor.on('suspend', () => say('info', 'The machine goes to sleep'));
  powerMonitor.on('resume', () => say('info', 'The machine woke up'));
  powerMonitor.on('shutdown', () => app.quit());
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (reason !== 'clean-exit') say('warn', 'A process of Electron ended', { type, reason });
  });
}

type Ending = {
  readonly core: CoreLink;
  /** Settles when the core has ended. */
  readonly running: Promise<void>;
  readonly clock: Clock;
  readonly ending: () => void;
};

function endInOrder({ app }: ElectronApi, { core, running, clock, ending }: Ending): void {
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
    ending();
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
