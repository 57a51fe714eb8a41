/**
 * The whole Electron shell on plain Node.js: `startShell`, core, reader and platform in separate processes, a fake of
 * Electron, and a real Chromium.
 */
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import type { Clock } from '../../src-main/core/foundations/ports.ts';
import { realClock } from '../../src-main/machine/real-time.ts';
import { END_WITHIN_MS, type Places, startShell } from '../../src-main/shell-electron/shell.ts';
import { fakeElectron } from './fakes/electron.ts';

const root = join(import.meta.dirname, '../..');

/** The parts as sources instead of bundles, which plain Node.js runs. */
const places: Places = {
  core: join(root, 'src-main/shell-electron/core-process.ts'),
  reader: join(root, 'src-main/devices/reader/reader-process.ts'),
  platform: join(root, 'src-platform/main.ts'),
  drawing: join(root, 'src-main/drawing/drawing-process.ts'),
  sharing: join(root, 'src-hub/sharing/sharing-process.ts'),
  reading: join(root, 'src-main/reading/reading-process.ts'),
  leads: join(root, 'src-main/core/team/leads/worker.ts'),
  exports: join(root, 'src-main/core/team/exports/export-worker.ts'),
  snapshot: join(root, 'src-main/core/event/sync/snapshot-worker.ts'),
  preload: join(root, 'src-main/shell-electron/preload.ts'),
  page: join(root, 'out/renderer'),
  node: null,
};

/** A longer limit for an orderly end, for a busy machine. */
const patient = (clock: Clock): Clock => ({
  ...clock,
  sleep: (ms, signal) => clock.sleep(ms === END_WITHIN_MS ? 60_000 : ms, signal),
});

type Changes = {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly updateKey?: string;
  readonly clock?: Clock;
  readonly places?: Partial<Places>;
  readonly electron?: ReturnType<typeof fakeElectron>;
  /** Whether the app uses its default data folder, below `folder`. */
  readonly usualPlace?: boolean;
};

/** Starts the shell on `folder`, by default with the demo event and without a reader. */
export function startShellUnderTest(folder: string, changes: Changes = {}) {
  const electron = changes.electron ?? fakeElectron();
  const lines: string[] = [];
  const complaints: string[] = [];
  const detached: (readonly string[])[] = [];
  const defects = new EventEmitter();
  const changed = new EventEmitter();
  const data = changes.usualPlace === true ? [] : ['--data', folder];
  const dataFolder = changes.usualPlace === true ? { XDG_DATA_HOME: folder } : {};
  startShell(electron.api, {
    args: [...data, ...(changes.args ?? ['--demo', '--reader', 'none'])],
    env: { ...dataFolder, ...changes.env },
    places: { ...places, ...changes.places },
    clock: patient(changes.clock ?? realClock),
    system: 'linux',
    appPath: electron.app.isPackaged ? null : 'out',
    onDefect: (hear) => void defects.on('defect', hear),
    startDetached: (program, args) => void detached.push([program, ...args]),
    updateKey: changes.updateKey ?? null,
    print: (line) => {
      lines.push(line);
      changed.emit('line');
    },
    complain: (sentence) => void complaints.push(sentence),
  });
  const exited = () =>
    electron.app.exitCode === null ? once(electron.app, 'exited') : Promise.resolve(null);
  return {
    ...electron,
    lines,
    complaints,
    detached,
    /** An uncaught exception. Without a listener Electron shows a box over everything. */
    defect: (error: Error) => {
      if (!defects.emit('defect', error)) electron.boxes.push(error.message);
    },
    /** Waits until the app is ready, or has ended. */
    ready: async () => {
      const isReady = () => lines.some((line) => line.startsWith('Touchpoint is ready'));
      while (!isReady() && electron.app.exitCode === null) {
        await Promise.race([once(changed, 'line'), exited()]);
      }
      if (!isReady()) throw new Error(`The app ended with ${electron.app.exitCode}: ${complaints.join(' ')}`);
    },
    exited,
    /** The page of the first window. */
    page: async () => {
      const [window] = electron.windows;
      if (window === undefined) throw new Error('There is no window');
      if (!window.shown) await once(window, 'ready-to-show');
      return { window, contents: window.webContents, page: await window.webContents.settled() };
    },
    process: (name: string) => [...electron.utilities].find((child) => child.name === name),
    end: async () => {
      electron.app.quit();
      await exited();
      await electron.end();
    },
  };
}
