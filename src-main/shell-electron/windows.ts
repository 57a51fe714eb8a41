/**
 * The windows of the app: the page, and the attract loop on a second display.
 *
 * Invariants: the page is on the first display, whatever comes and goes; the second display shows the attract loop for
 * as long as it is there, in a kiosk alone.
 */
import type { Clock } from '../core/foundations/ports.ts';
import type { ElectronApi } from './electron-api.ts';
import { openPageWindow, type PageWindow, type Say } from './page-window.ts';
import { PAGE_ADDRESS, SECOND_ADDRESS, STOPPED_ADDRESS } from './policies/page-address.ts';
import { secondDisplay, windowOptions } from './policies/window-options.ts';

type Ports = {
  readonly electron: ElectronApi;
  readonly clock: Clock;
  readonly say: Say;
  readonly kiosk: boolean;
  readonly devTools: boolean;
  readonly preload: string;
  /** Whether there shall be any. */
  readonly wanted: boolean;
  /** Whether a second display is used. */
  readonly second: boolean;
  readonly ending: () => boolean;
};

export type Windows = {
  readonly front: () => void;
  /** There is no core for longer than a moment: said in place of the page. */
  readonly coreIsStopped: () => void;
  readonly coreIsBack: () => void;
};

/** Opens them. */
export function openWindows(ports: Ports): Windows {
  const { electron, kiosk, devTools, preload, wanted, second } = ports;
  if (!wanted) return { front: () => undefined, coreIsStopped: () => undefined, coreIsBack: () => undefined };
  const open = (address: string, options: ReturnType<typeof windowOptions>) =>
    openPageWindow({ ...ports, options, address });
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
