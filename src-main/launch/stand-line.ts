/** The line of the start that says whose stand this is. Pure. */
import type { DeviceState } from '../contract/device.ts';

/** Whose stand `state` is of, or what somebody has to do about it. */
export function standLineOf({ deviceName, partner, assignmentFault }: DeviceState): string {
  switch (assignmentFault?.kind) {
    case 'unchosen':
      return 'Stand: not chosen yet; choose it on the screen, or name "touchpoint" in stand.json (npm run touchpoints)';
    case 'otherPartner':
      return `Stand: the notice is of ${assignmentFault.named}, the device of ${assignmentFault.partner}; nothing is captured`;
    case 'missing':
      return `Stand: the event does not have the touchpoint ${assignmentFault.touchpoint}`;
    case 'unknownPurpose':
      return `Stand: the touchpoint ${assignmentFault.touchpoint} has a purpose this version does not know`;
    default:
      return partner === null
        ? 'Stand: known once the event has arrived'
        : `Stand: ${partner.name}, device ${deviceName}`;
  }
}
