/**
 * What screens are told of device, stand, taps and staff.
 *
 * Invariants: pictures of device and stand are published at most ten times a second, and drawn only while a screen listens;
 * the last change is always published; a screen is told a picture only where it differs from what it has; nothing is said of
 * leads while they are as they were, because the stand team's pages then ask for all of them anew.
 */
import { EventPublisher } from '@orpc/server';
import type { DeviceState } from '../contract/device.ts';
import type { ExportJobState } from '../contract/exports.ts';
import type { Stand } from '../contract/stand.ts';
import type { TapEvent } from '../contract/tap.ts';
import type { Clock, Log } from './foundations/ports.ts';
import { createThrottle } from './foundations/time/throttle.ts';

/** What screens are told of. A publisher each, so that nothing is drawn for screens that are not there. */
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
  /** The picture of the device is another. */
  readonly stateChanged: () => void;
  /** What the stand team reads of leads may be another. */
  readonly leadsChanged: () => void;
  /** Those of device and stand are. */
  readonly everythingChanged: () => void;
  readonly stop: () => void;
};

/** What screens are told, at most ten times a second but for the taps; drawn only while a screen listens. */
export function createScreens(
  clock: Clock,
  log: Log,
  draw: {
    readonly state: () => DeviceState;
    readonly stand: () => Stand;
    readonly leadsReady: () => boolean;
    /** Hears of every change, whether a screen listens or not. */
    readonly changed: () => void;
    /** A mark that is another when what the stand team reads of leads may be another. */
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

/** A picture as it is now, and each of `changes` that differs from what was told before it. */
export async function* whereDifferent<Picture>(
  now: () => Picture,
  changes: AsyncIterable<Picture>,
): AsyncGenerator<Picture, void> {
  const first = now();
  let told = JSON.stringify(first);
  yield first;
  for await (const picture of changes) {
    const text = JSON.stringify(picture);
    if (text === told) continue;
    told = text;
    yield picture;
  }
}
