/**
 * Whether this device can ever receive names. The key of one company reads no people
 * (docs/decisions/key-of-one-company.md).
 *
 * Invariant: a right that was lost later is ignored here, because the names that were read before stay.
 */
import type { DeviceState } from '../../src-main/contract/device.ts';

/** False only if the platform denies access to the visitors and their list was never read completely. */
export function readsPeople({ mirror }: Pick<DeviceState, 'mirror'>): boolean {
  return !mirror.resources.some(
    ({ name, refused, complete }) => name === 'visitors' && refused === true && !complete,
  );
}
