/**
 * Why a device cannot read badges or save taps, as a short code that staff can read to a technician. Pure.
 *
 * Invariants:
 * - A device that is set up without a reader has no fault of reader or card service.
 * - In the demo a missing reader is not a fault, because the demo badges work. A card service that hangs is a fault
 *   there, too.
 */
import type { DeviceState } from '../../src-main/contract/device.ts';

/**
 * E-11 no card service, E-12 card service fails, E-13 no reader, E-21 disk full, E-22 disk read-only,
 * E-23 disk fails, E-31 this screen lost its device, E-41 the hub has put the device out of order.
 */
export type FaultCode = 'E-11' | 'E-12' | 'E-13' | 'E-21' | 'E-22' | 'E-23' | 'E-31' | 'E-41';

/** The fault of this device, or null. */
export function faultOf(device: DeviceState): Exclude<FaultCode, 'E-31' | 'E-41'> | null {
  if (device.storage === 'full') return 'E-21';
  if (device.storage === 'readOnly') return 'E-22';
  if (device.storage === 'failing') return 'E-23';
  if (device.cardService === 'silent') return 'E-12';
  if (device.demo || device.cardService === 'off' || device.cardService === 'starting') return null;
  if (device.cardService === 'absent') return 'E-11';
  if (device.cardService === 'failing') return 'E-12';
  return device.readers.length === 0 ? 'E-13' : null;
}
