/**
 * Runs the display's machine: feeds it the device's streams, touches and the clock, and carries out what a
 * touch asks of the device.
 *
 * Invariants: all change goes through `step`; the clock is `performance.now` (wall time may jump); exactly one
 * timer is armed, for the machine's own `wakeAt`.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { OfferItem, Stand } from '../../../src-main/contract/stand.ts';
import type { TapSource } from '../../../src-main/contract/tap.ts';
import type { Link } from '../../link/link.ts';
import { type Display, firstDisplay, stageOf, step, wakeAt, wishesOf } from './reducer.ts';
import { callForVisit } from './session-commands.ts';
import { visitOf } from './timed-views.ts';
import type { Input, Stage } from './view.ts';

/** What the components draw. */
export type View = {
  readonly stage: Stage;
  readonly device: DeviceState | null;
  /** What the stand offers around a tap; null until it was told. */
  readonly stand: Stand | null;
  /** What was chosen for the tap to come; null while nobody is choosing. */
  readonly basket: readonly OfferItem[] | null;
  /** How many outcomes wait for their glance. */
  readonly waiting: number;
  /** Languages wished for by touch or by the visitor, best first. */
  readonly wishes: readonly string[];
  readonly now: number;
};

export type DisplayRuntime = {
  readonly view: () => View;
  readonly subscribe: (listener: () => void) => () => void;
  readonly send: (input: Input) => void;
  /** Takes back what is on the screen. */
  readonly undo: () => void;
  /** Text of a scanner or a typed code. */
  readonly enter: (text: string, source: Exclude<TapSource, 'nfc'>) => void;
  readonly stop: () => void;
};

/** Starts the display on `link`; `now` in milliseconds, monotonic. */
export function runDisplay(link: Link, now: () => number): DisplayRuntime {
  const listeners = new Set<() => void>();
  let display = firstDisplay(now());
  let view = viewOf(display, now());
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = (input: Input) => {
    const at = now();
    const before = display;
    display = step(display, input, at);
    view = viewOf(display, at);
    clearTimeout(timer);
    const wake = wakeAt(display, at);
    if (wake !== null) timer = setTimeout(() => send({ kind: 'tick' }), Math.ceil(wake - at));
    for (const listener of [...listeners]) listener();
    callForVisit(link, before, display, send);
  };

  const undo = () => {
    const visit = visitOf(display.showing);
    if (visit?.undo !== 'offered') return;
    const { factId } = visit;
    send({ kind: 'undo' });
    if (visitOf(display.showing)?.undo !== 'asked') return;
    link
      .call((client, signal) => client.taps.undo({ factId }, { signal }))
      .then(
        ({ done }) => send({ kind: 'undoAnswer', factId, answer: done ? 'done' : 'late' }),
        () => send({ kind: 'undoAnswer', factId, answer: 'failed' }),
      );
  };

  const enter = (text: string, source: Exclude<TapSource, 'nfc'>) => {
    if (source === 'manual') send({ kind: 'codeSent' });
    link
      .call((client, signal) => client.taps.enter({ text: text.slice(0, 4096), source }, { signal }))
      .then(
        ({ taken }) => {
          if (!taken && source === 'manual') send({ kind: 'codeNotTaken' });
        },
        // The display shows the lost link or, after its time, that nothing was read.
        () => send({ kind: 'tick' }),
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
      (client, signal) => client.taps.watch(undefined, { signal }),
      (event) => send({ kind: 'tap', event }),
    ),
  ];
  send({ kind: 'link', state: link.state() });

  return {
    view: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    send,
    undo,
    enter,
    stop: () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    },
  };
}

function viewOf(display: Display, now: number): View {
  return {
    stage: stageOf(display, now),
    device: display.device,
    stand: display.stand,
    basket: display.basket,
    waiting: display.line.length,
    wishes: wishesOf(display),
    now,
  };
}
