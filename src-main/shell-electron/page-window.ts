/**
 * A window with one of our pages, which is reloaded after a crash.
 *
 * ```
 *   page ──crashes, or hangs and is killed──► page again, three times a minute ──► safe page
 * ```
 *
 * Invariants:
 * - a page that hangs is treated as one that crashed;
 * - no key combination closes a kiosk window or makes it smaller.
 */
import type { BrowserWindowConstructorOptions } from 'electron';
import type { Clock } from '../core/foundations/ports.ts';
import type { ElectronApi, ShellWindow } from './electron-api.ts';
import { SAFE_ADDRESS } from './policies/own-page.ts';
import { createRestartBudget } from './policies/restart-budget.ts';

export type Say = (
  level: 'error' | 'warn' | 'info',
  what: string,
  details?: Readonly<Record<string, unknown>>,
) => void;

export type PageWindow = {
  /** Shows another of our pages. */
  readonly load: (address: string) => void;
  /** Brings it to the front. */
  readonly front: () => void;
  readonly close: () => void;
};

/** Opens a window with the page at `address`. */
export function openPageWindow({
  electron,
  options,
  address,
  clock,
  say,
  ending,
}: {
  readonly electron: Pick<ElectronApi, 'app' | 'BrowserWindow'>;
  readonly options: BrowserWindowConstructorOptions;
  readonly address: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly say: Say;
  /** Whether the app is ending, so that every window may close. */
  readonly ending: () => boolean;
}): PageWindow {
  const window: ShellWindow = new electron.BrowserWindow(options);
  const contents = window.webContents;
  const budget = createRestartBudget(clock.monotonic);
  const load = (next: string) => {
    // After the window was destroyed a failed load is not a fault.
    window.loadURL(next).catch((error: unknown) => {
      if (!window.isDestroyed()) say('warn', 'A page could not be loaded', { error: String(error) });
    });
  };
  window.removeMenu();
  window.on('ready-to-show', () => window.show());
  window.on('unresponsive', () => {
    say('error', 'The screen does not answer');
    contents.forcefullyCrashRenderer();
  });
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (ending() || window.isDestroyed()) return;
    const next = budget.spend() ? address : SAFE_ADDRESS;
    say('error', 'The screen stopped', { reason, exitCode, next });
    load(next);
  });
  contents.on('preload-error', (_event, _path, error) => {
    say('error', 'The screen cannot reach the device', { error: error.message });
  });
  window.on('leave-full-screen', () => {
    if (options.kiosk === true && !ending()) window.setKiosk(true);
  });
  window.on('session-end', () => electron.app.quit());
  window.on('close', (event) => {
    if (options.kiosk === true && !ending()) event.preventDefault();
  });
  load(address);
  return {
    load,
    front: () => {
      if (window.isDestroyed()) return;
      if (window.isMinimized()) window.restore();
      window.focus();
    },
    close: () => {
      if (!window.isDestroyed()) window.destroy();
    },
  };
}
