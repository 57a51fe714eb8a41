/**
 * The view of an idle display. Pure: derived from link and device only.
 *
 * Invariant: a device is shown as out of order only if it has a fault (`device/fault.ts`) or the hub put it out of
 * order.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import { faultOf } from '../../device/fault.ts';
import type { LinkState } from '../../link/link-state.ts';
import { displayTimes } from '../../times.ts';
import type { IdleView } from './view.ts';

/** The idle view for the state of link and device at `now`. */
export function idleViewOf(
  known: {
    readonly link: LinkState;
    readonly linkSince: number;
    readonly device: DeviceState | null;
  },
  now: number,
): IdleView {
  const grace = known.link === 'connecting' ? displayTimes.firstConnection : displayTimes.linkGrace;
  if (known.link !== 'up' && now - known.linkSince >= grace) return { kind: 'linkLost', code: 'E-31' };
  if (!known.device) return { kind: 'connecting' };
  const code = faultOf(known.device);
  if (code) return { kind: 'outOfOrder', code };
  if (known.device.outOfOrder === true) return { kind: 'outOfOrder', code: 'E-41' };
  const fault = known.device.assignmentFault?.kind;
  if (fault === 'unchosen' || fault === 'otherPartner') return { kind: 'standChoice' };
  const { mirror } = known.device;
  return mirror.complete || mirror.lastPassAt !== null ? { kind: 'attract' } : { kind: 'firstSync' };
}
