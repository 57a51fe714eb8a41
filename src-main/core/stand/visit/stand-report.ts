/** Says in the log whose stand this is, once for each touchpoint the device becomes. */

import type { Log } from '../../foundations/ports.ts';
import type { DeviceAssignment } from '../device/assignment.ts';

/** A look that tells what changed since the last one. */
export function createStandReport(log: Log, assignment: () => DeviceAssignment | null): () => void {
  let told: string | null = null;
  return () => {
    const here = assignment();
    if (here === null || here.touchpoint === null || here.touchpoint === told) return;
    const { touchpoint, partner, deviceName } = here;
    log.info('whose stand this is', { touchpoint, partner, deviceName });
    told = touchpoint;
  };
}
