/**
 * Where the display rests when nobody taps, and the short code of what keeps it from working.
 *
 * Invariants: pure; a device that can take taps in any way is never shown as out of order; in the demo a
 * missing reader is no fault, the demo badges are there.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { LinkState } from '../../link/link-state.ts';
import { type FaultCode, type Rest, times } from './view.ts';

/** The resting stage for what is known of link and device at `now`. */
export function restOf(
  known: {
    readonly link: LinkState;
    readonly linkSince: number;
    readonly device: DeviceState | null;
  },
  now: number,
): Rest {
  const grace = known.link === 'connecting' ? times.firstConnection : times.linkGrace;
  if (known.link !== 'up' && now - known.linkSince >= grace) return { kind: 'linkLost', code: 'E-31' };
  if (!known.device) return { kind: 'connecting' };
  const code = faultOf(known.device);
  if (code) return { kind: 'outOfOrder', code };
  const { mirror } = known.device;
  return mirror.complete || mirror.lastPassAt !== null ? { kind: 'attract' } : { kind: 'firstSync' };
}

/** What keeps this device from taking taps, or null. */
export function faultOf(device: DeviceState): Exclude<FaultCode, 'E-31'> | null {
  if (device.storage === 'full') return 'E-21';
  if (device.storage === 'readOnly') return 'E-22';
  if (device.storage === 'failing') return 'E-23';
  if (device.demo || device.cardService === 'off' || device.cardService === 'starting') return null;
  if (device.cardService === 'absent') return 'E-11';
  if (device.cardService === 'failing') return 'E-12';
  return device.readers.length === 0 ? 'E-13' : null;
}
