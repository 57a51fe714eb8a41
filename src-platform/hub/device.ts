/**
 * Who asks at a hub, where only its devices may.
 */
import { forbidden } from '../http/errors.ts';
import type { Call } from '../http/operation.ts';
import type { CallingDevice } from '../keys/caller.ts';

/** The device that asks. @throws ApiError 403 where the key is a person's */
export function deviceOf({ caller }: Call): CallingDevice {
  if (caller.device === undefined) throw forbidden('Only a device of this hub may do this');
  return caller.device;
}
