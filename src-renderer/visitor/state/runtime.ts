/**
 * Runs the display: feeds the reducer with the device's streams, touches and the clock, and sends the resulting commands
 * to the device.
 *
 * Invariants:
 * - Every change goes through `reduceDisplay`.
 * - The clock is `performance.now`, because wall time may jump.
 * - At most one timer is armed for the display's `nextDeadline`.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { OfferItem, Stand } from '../../../src-main/contract/stand.ts';
import type { TapEvent, TapSource } from '../../../src-main/contract/tap.ts';
import type { Link } from '../../link/link.ts';
import { displayTimes } from '../../times.ts';
import type { DisplayInput } from './input.ts';
import {
  type Display,
  initialDisplay,
  nextDeadline,
  preferredLanguages,
  reduceDisplay,
  viewOf,
} from './reducer.ts';
import { sendCommands } from './session-commands.ts';
import { sessionOf } from './timed-views.ts';
import type { View } from './view.ts';

/** The display at one moment, as the components draw it. */
export type Snapshot = {
  readonly view: View;
  readonly device: DeviceState | null;
  /** The stand's offer around a tap; null until known. */
  readonly stand: Stand | null;
  /** The contents chosen for the next tap; null while no visitor is choosing. */
  readonly basket: readonly OfferItem[] | null;
  /** Contents that the content picker shows. */
  readonly shownItems: readonly OfferItem[];
  /** Number of queued outcomes. */
  readonly waiting: number;
  /** Whether the choices of an interrupted visitor were saved; null if no visitor was interrupted. */
  readonly interrupted: 'kept' | 'notKept' | null;
  /** Languages chosen by touch or from the visitor's record, in order of preference. */
  readonly languages: readonly string[];
  readonly now: number;
};

export type DisplayRuntime = {
  readonly snapshot: () => Snapshot;
  readonly subscribe: (listener: () => void) => () => void;
  readonly send: (input: DisplayInput) => void;
  /** Takes back the tap on the screen. */
  readonly undo: () => void;
  /** Submits the text of a scanner, or a typed code. */
  readonly enter: (text: string, source: Exclude<TapSource, 'nfc'>) => void;
  readonly stop: () => void;
};

/** Starts the display on `link`. `now` in milliseconds, monotonic. `hearTap` also receives every tap event. */
export function runDisplay(
  link: Link,
  now: () => number,
  hearTap: (event: TapEvent) => void = () => undefined,
): DisplayRuntime {
  const listeners = new Set<() => void>();
  let display = initialDisplay(now());
  let snapshot = snapshotOf(display, now());
  let timer: ReturnType<typeof setTimeout> | undefined;
  let readingTimer: ReturnType<typeof setTimeout> | undefined;

  const send = (input: DisplayInput) => {
    const at = now();
    const before = display;
    display = reduceDisplay(display, input, at);
    snapshot = snapshotOf(display, at);
    clearTimeout(timer);
    const deadline = nextDeadline(display, at);
    if (deadline !== null) timer = setTimeout(() => send({ kind: 'tick' }), Math.ceil(deadline - at));
    for (const listener of [...listeners]) listener();
    sendCommands(link, before, display, send);
  };

  const undo = () => {
    const session = sessionOf(display.view);
    if (session?.undo !== 'offered') return;
    const { factId } = session;
    send({ kind: 'undo' });
    if (sessionOf(display.view)?.undo !== 'pending') return;
    link
      .call((client, signal) => client.taps.undo({ factId }, { signal }))
      .then(
        ({ done }) => send({ kind: 'undoAnswer', factId, answer: done ? 'done' : 'late' }),
        () => send({ kind: 'undoAnswer', factId, answer: 'failed' }),
      );
  };

  const stops = [
    link.subscribe(() => send({ kind: 'link', state: link.state() })),
    link.follow(
      (client, signal) => client.device.watch(undefined, { signal }),
      (device) => send({ kind: 'device', device }),
    ),
    link.follow(
      (client, signal) => client.stand.watch(undefined, { signal }),
      (stand) => send({ kind: 'stand', stand }),
    ),
    link.follow(
      (client, signal, lastEventId) => client.taps.watch(undefined, { signal, lastEventId }),
      (event) => {
        clearTimeout(readingTimer);
        const show = () => send({ kind: 'tap', event });
        if (event.kind === 'reading') readingTimer = setTimeout(show, displayTimes.readingShown);
        else show();
        hearTap(event);
      },
    ),
  ];
  send({ kind: 'link', state: link.state() });

  return {
    snapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    send,
    undo,
    enter: (text, source) => enter(link, text, source, send),
    stop: () => {
      clearTimeout(timer);
      clearTimeout(readingTimer);
      for (const stop of stops) stop();
    },
  };
}

function snapshotOf(display: Display, now: number): Snapshot {
  return {
    view: viewOf(display, now),
    device: display.device,
    stand: display.stand,
    basket: display.basket,
    shownItems: display.shownItems,
    waiting: display.queue.length,
    interrupted: display.interrupted,
    languages: preferredLanguages(display),
    now,
  };
}

/** Submits a code to the device, which publishes the outcome as for any tap. */
function enter(
  link: Link,
  text: string,
  source: Exclude<TapSource, 'nfc'>,
  send: (input: DisplayInput) => void,
): void {
  if (source === 'manual') send({ kind: 'codeSent' });
  link
    .call((client, signal) => client.taps.enter({ text: text.slice(0, 4096), source }, { signal }))
    .then(
      ({ taken }) => {
        if (!taken && source === 'manual') send({ kind: 'codeNotTaken' });
      },
      // The display shows that the link is lost or, after its timeout, that nothing was read.
      () => send({ kind: 'tick' }),
    );
}
