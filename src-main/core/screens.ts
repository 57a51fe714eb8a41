/**
 * What screens are told of device, stand, taps and staff.
 *
 * Invariants: pictures of device and stand are published at most ten times a second, and drawn only while a screen listens;
 * the last change is always published.
 */
import { EventPublisher } from '@orpc/server';
import type { DeviceState } from '../contract/device.ts';
import type { ExportJobState } from '../contract/exports.ts';
import type { Stand } from '../contract/stand.ts';
import type { TapEvent } from '../contract/tap.ts';
import type { Clock } from './ports.ts';
import { createThrottle } from './time/throttle.ts';

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
  draw: {
    readonly state: () => DeviceState;
    readonly stand: () => Stand;
    readonly leadsReady: () => boolean;
    /** Hears of every change, whether a screen listens or not. */
    readonly changed: () => void;
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
  const states = createThrottle(clock, () => {
    if (publishers.states.size > 0) publishers.states.publish('state', draw.state());
  });
  const stands = createThrottle(clock, () => {
    if (publishers.stands.size > 0) publishers.stands.publish('stand', draw.stand());
  });
  const leads = createThrottle(clock, () => {
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
    leadsChanged: leads.trigger,
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
