/**
 * The windows of the app: the page, and the attract loop on a second display.
 *
 * Invariants:
 * - the page stays on the first display;
 * - in a kiosk, a second display shows the attract loop while it is connected.
 */
import type { Clock } from '../core/foundations/ports.ts';
import type { ElectronApi } from './electron-api.ts';
import { openPageWindow, type PageWindow, type Say } from './page-window.ts';
import { PAGE_ADDRESS, SECOND_ADDRESS, STOPPED_ADDRESS } from './policies/own-page.ts';
import { secondDisplay, windowOptions } from './policies/window-options.ts';

export type Windows = {
  readonly front: () => void;
  /** Shows a notice instead of the page, because the core cannot be kept running. */
  readonly coreIsStopped: () => void;
  readonly coreIsBack: () => void;
};

/** Opens the windows. */
export function openWindows({
  electron,
  clock,
  say,
  kiosk,
  devTools,
  preload,
  wanted,
  second,
  ending,
}: {
  readonly electron: Pick<ElectronApi, 'app' | 'BrowserWindow' | 'screen'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly say: Say;
  readonly kiosk: boolean;
  readonly devTools: boolean;
  readonly preload: string;
  /** False if the shell opens no window. */
  readonly wanted: boolean;
  /** Whether a second display is used. */
  readonly second: boolean;
  /** Whether the app is ending. */
  readonly ending: () => boolean;
}): Windows {
  if (!wanted) return { front: () => undefined, coreIsStopped: () => undefined, coreIsBack: () => undefined };
  const open = (address: string, options: ReturnType<typeof windowOptions>) =>
    openPageWindow({ electron, options, address, clock, say, ending });
  const page = open(PAGE_ADDRESS, windowOptions({ kiosk, devTools, preload, display: null }));
  let loop: PageWindow | null = null;
  let stopped = false;

  const followDisplays = () => {
    const { screen } = electron;
    const display =
      second && kiosk ? secondDisplay(screen.getAllDisplays(), screen.getPrimaryDisplay()) : null;
    if (display === null) loop?.close();
    if (display === null) loop = null;
    else loop ??= open(SECOND_ADDRESS, windowOptions({ kiosk, devTools, preload, display: display.bounds }));
  };
  electron.screen.on('display-added', followDisplays);
  electron.screen.on('display-removed', followDisplays);
  followDisplays();

  return {
    front: page.front,
    coreIsStopped: () => {
      stopped = true;
      page.load(STOPPED_ADDRESS);
    },
    coreIsBack: () => {
      if (stopped) page.load(PAGE_ADDRESS);
      stopped = false;
    },
  };
}
