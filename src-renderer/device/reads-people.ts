/**
 * Whether names can come to a device at all: the key of one company reads nobody (docs/decisions/key-of-one-company.md).
 *
 * Invariant: a right that was there once and is gone leaves the names that came before, so it does not count here.
 */
import type { DeviceState } from '../../src-main/contract/device.ts';

/** False only where the platform refused the visitors and none ever came. */
export function readsPeople({ mirror }: Pick<DeviceState, 'mirror'>): boolean {
  return !mirror.resources.some(
    ({ name, refused, complete }) => name === 'visitors' && refused === true && !complete,
  );
}
