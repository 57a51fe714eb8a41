/** The line about the stand that a start prints. Pure. */
import type { DeviceState } from '../contract/device.ts';

/** Names the stand, or says why there is none. `state`: null while the device is not set up. */
export function standLineOf(state: DeviceState | null): string {
  if (state === null) return 'Stand: not set up yet; the screen asks for event, key and stand';
  const { deviceName, partner, assignmentFault } = state;
  switch (assignmentFault?.kind) {
    case 'unchosen':
      return 'Stand: not chosen yet; choose it on the screen, or name "touchpoint" in stand.json (npm run touchpoints)';
    case 'otherPartner':
      return `Stand: the notice names ${assignmentFault.named}, but the device belongs to ${assignmentFault.partner}; nothing is captured`;
    case 'missing':
      return `Stand: the event does not have the touchpoint ${assignmentFault.touchpoint}`;
    case 'unknownPurpose':
      return `Stand: the touchpoint ${assignmentFault.touchpoint} has a purpose this version does not know`;
    default:
      return partner === null
        ? 'Stand: unknown until the event has arrived'
        : `Stand: ${partner.name}, device ${deviceName}`;
  }
}
