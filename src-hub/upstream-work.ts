/**
 * The work with the platform behind the hub, in the process that holds the lease: reads the event, then runs the
 * bridge, registers for notifications and reports missing rights.
 */
import { openMirror } from '../src-main/core/event/mirror/mirror.ts';
import { ApiError, type ErrorClass } from '../src-main/core/foundations/api/error-class.ts';
import type { Clock, Log, Random } from '../src-main/core/foundations/ports.ts';
import { backoffMs } from '../src-main/core/foundations/time/backoff.ts';
import { RETRY } from '../src-main/core/foundations/time/times.ts';
import { BadOption } from '../src-platform/options.ts';
import { findExpo } from '../src-platform/store/expo.ts';
import type { Store } from '../src-platform/store/store.ts';
import { type Bridge, createBridge } from './bridge.ts';
import type { Work } from './lease/claim.ts';
import type { Notifications } from './notifications.ts';
import { basePath, type HubOptions } from './options.ts';
import { reportMissingRights } from './rights.ts';
import type { Seat } from './seat.ts';
import type { HubSettings } from './settings.ts';

type UpstreamPorts = {
  readonly upstream: HubOptions['upstream'];
  readonly privateHttp: boolean;
  readonly expoId: string;
  readonly mirrorFile: string;
  /** The settings, with what an earlier holder of the lease learnt about the platform. */
  readonly openSettings: () => Promise<HubSettings>;
  readonly seat: Pick<Seat, 'take'>;
  readonly notifications: Pick<Notifications, 'register'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Prints for the person who started the hub. */
  readonly say: (sentence: string) => void;
};

/** The work with the platform. It throws BadOption if the platform refuses the event for good. */
export function createUpstreamWork(ports: UpstreamPorts): Work {
  const { upstream, privateHttp, expoId, clock, random, log, say } = ports;
  return async ({ store, check }, signal) => {
    const settings = await ports.openSettings();
    const mirror = openMirror(ports.mirrorFile, expoId);
    const bridge = createBridge({
      upstream,
      privateHttp,
      expoId,
      store,
      mirror,
      settings,
      clock,
      random,
      log,
      check,
    });
    try {
      await awaitEvent(bridge, store, ports, signal);
      if (signal.aborted) return;
      await settings.keepEvent();
      await Promise.all([
        bridge.run(signal),
        ports.seat.take(bridge, signal),
        ports.notifications.register(bridge, signal),
        reportMissingRights(bridge.missingRights, say, clock, signal),
      ]);
    } finally {
      await bridge.close();
      await settings.written();
      mirror.close();
    }
  };
}

/** Waits until the hub has its event, or `signal` aborts. @throws BadOption if upstream refuses it for good */
async function awaitEvent(
  bridge: Bridge,
  store: Store,
  { expoId, clock, random, say }: UpstreamPorts,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 1; (await findExpo(store.db, expoId)) === undefined; failures += 1) {
    if (signal.aborted) return;
    try {
      await bridge.readEvent(signal);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { errorClass } = error;
      if (errorClass.kind === 'reject' || (errorClass.kind === 'stop' && !isPassing(errorClass.pause)))
        throw new BadOption(whyNoEvent(errorClass, expoId, error.message));
      if (failures === 1) say(`The platform cannot be reached yet (${error.message}); the hub waits for it.`);
      await clock.sleep(backoffMs(RETRY, failures, random.fraction()), signal);
    }
  }
}

/** Why the platform does not return its event to this hub, in one sentence. */
function whyNoEvent(errorClass: ErrorClass, expo: string, answer: string): string {
  switch (errorClass.kind === 'stop' ? errorClass.pause : errorClass.kind) {
    case 'keyRefused':
      return `The platform refuses the key (${answer}).`;
    case 'forbidden':
    case 'noWritePermission':
      return `The key may not read the event ${expo} (${answer}).`;
    case 'noEvent':
      return `The platform has no event ${expo} for this key (${answer}).`;
    default:
      return `The platform does not give this hub its event (${answer}). Is --upstream its base address, which ends in ${basePath}?`;
  }
}

function isPassing(pause: string): boolean {
  return ['offline', 'addressUnknown', 'tls', 'notAPlatform'].includes(pause);
}
