/**
 * Publishes device, stand, taps, leads and staff to pages.
 *
 * Invariants:
 * - States of device and stand are published at most ten times a second, and read only while a page listens.
 * - The last change is always published. A page receives a state only if it differs from the previous one.
 * - "Leads changed" is published only after a change, because staff pages then read all leads again.
 */
import { EventPublisher } from '@orpc/server';
import type { DeviceState } from '../contract/device.ts';
import type { ExportJobState } from '../contract/exports.ts';
import type { Stand } from '../contract/stand.ts';
import type { TapEvent } from '../contract/tap.ts';
import type { Clock, Log } from './foundations/ports.ts';
import { createThrottle } from './foundations/time/throttle.ts';

/** One publisher for each kind of event, so that no state is read while no page listens. */
export type Publishers = {
  readonly states: EventPublisher<{ state: DeviceState }>;
  readonly stands: EventPublisher<{ stand: Stand }>;
  readonly taps: EventPublisher<{ tap: TapEvent }>;
  readonly staff: EventPublisher<{ change: null }>;
  readonly exports: EventPublisher<Record<string, ExportJobState>>;
  readonly leads: EventPublisher<{ changed: { readonly version: number; readonly ready: boolean } }>;
};

export type Screens = {
  readonly publishers: Publishers;
  /** Call it after the state of the device changed. */
  readonly stateChanged: () => void;
  /** Call it after the data of leads on staff pages may have changed. */
  readonly leadsChanged: () => void;
  /** Call it after the states of device and stand changed. */
  readonly everythingChanged: () => void;
  readonly stop: () => void;
};

/** The publishers of one device; `draw` reads the states to publish. */
export function createScreens(
  clock: Clock,
  log: Log,
  draw: {
    readonly state: () => DeviceState;
    readonly stand: () => Stand;
    readonly leadsReady: () => boolean;
    /** Called after every change, whether a page listens or not. */
    readonly changed: () => void;
    /** A token that differs after each possible change of the leads on staff pages. */
    readonly leadsMark: () => string;
  },
): Screens {
  const publishers: Publishers = {
    states: new EventPublisher(),
    stands: new EventPublisher(),
    taps: new EventPublisher(),
    staff: new EventPublisher(),
    exports: new EventPublisher(),
    leads: new EventPublisher(),
  };
  let version = 0;
  const states = createThrottle(clock, log, () => {
    if (publishers.states.size > 0) publishers.states.publish('state', draw.state());
  });
  const stands = createThrottle(clock, log, () => {
    if (publishers.stands.size > 0) publishers.stands.publish('stand', draw.stand());
  });
  let mark: string | null = null;
  const leads = createThrottle(clock, log, () => {
    const now = draw.leadsMark();
    if (now === mark) return;
    mark = now;
    version += 1;
    publishers.leads.publish('changed', { version, ready: draw.leadsReady() });
  });
  const stateChanged = (): void => {
    draw.changed();
    states.trigger();
    leads.trigger();
  };
  return {
    publishers,
    stateChanged,
    leadsChanged: () => {
      mark = null;
      leads.trigger();
    },
    everythingChanged: () => {
      stateChanged();
      stands.trigger();
    },
    stop: () => {
      states.stop();
      stands.stop();
      leads.stop();
    },
  };
}

/** The state now, and each of `changes` that differs from the previous one. */
export async function* whereDifferent<State>(
  now: () => State,
  changes: AsyncIterable<State>,
): AsyncGenerator<State, void> {
  const first = now();
  let published = JSON.stringify(first);
  yield first;
  for await (const state of changes) {
    const text = JSON.stringify(state);
    if (text === published) continue;
    published = text;
    yield state;
  }
}
