/**
 * The contract, implemented: what each question of a screen reaches. No logic.
 *
 * Invariant: both shells carry exactly this router.
 */
import { type EventPublisher, implement } from '@orpc/server';
import { contract } from '../contract/contract.ts';
import type { DeviceState } from '../contract/device.ts';
import type { TapEvent } from '../contract/tap.ts';
import type { Leads } from './journal/leads.ts';
import type { DemoTray } from './taps/demo-tray.ts';
import type { Taps } from './taps/taps.ts';

/** What screens are told of. */
export type Announcements = { state: DeviceState; tap: TapEvent };

/** What the router needs of the kiosk. */
export type RouterParts = {
  readonly taps: Taps;
  readonly tray: DemoTray;
  readonly leads: Leads;
  readonly announcer: EventPublisher<Announcements>;
  readonly state: () => DeviceState;
};

/** More than any queue of quick taps; a screen that lags further behind has lost its link anyway. */
const TAPS_KEPT_FOR_A_SLOW_SCREEN = 1_000;

/** The router of one kiosk. */
export const createRouter = ({ taps, tray, leads, announcer, state }: RouterParts) => {
  const os = implement(contract);
  return os.router({
    device: {
      watch: os.device.watch.handler(async function* ({ signal }) {
        const changes = announcer.subscribe('state', { ...abortedBy(signal), maxBufferedEvents: 1 });
        yield state();
        yield* changes;
      }),
    },
    taps: {
      watch: os.taps.watch.handler(async function* ({ signal }) {
        yield* announcer.subscribe('tap', {
          ...abortedBy(signal),
          maxBufferedEvents: TAPS_KEPT_FOR_A_SLOW_SCREEN,
        });
      }),
      enter: os.taps.enter.handler(({ input }) => {
        taps.enter(input.text, input.source);
        return { taken: true };
      }),
      undo: os.taps.undo.handler(({ input }) => ({ done: taps.undo(input.factId) })),
    },
    leads: {
      list: os.leads.list.handler(({ input }) => leads.list(input.search, input.offset, input.limit)),
    },
    demo: {
      badges: os.demo.badges.handler(() => [...tray.badges]),
      tap: os.demo.tap.handler(async ({ input }) => ({ taken: await tray.tap(input.code) })),
    },
  });
};

/** The router's type, for the shells. */
export type KioskRouter = ReturnType<typeof createRouter>;

const abortedBy = (signal: AbortSignal | undefined): { signal?: AbortSignal } =>
  signal === undefined ? {} : { signal };
