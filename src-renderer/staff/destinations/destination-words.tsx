/** The words of a destination's states. */
import type { Pause } from '../../../src-main/contract/device.ts';
import { Text } from '../../messages/text.tsx';

/** Why a destination sends nothing. Each sentence names the person who can help. */
export function PauseOf({ pause }: { readonly pause: Pause | 'address' }) {
  switch (pause) {
    case 'keyRefused':
    case 'keyMissing':
      return <Text id="crm.pause.access" />;
    case 'forbidden':
      return <Text id="crm.pause.scopes" />;
    case 'noEvent':
      return <Text id="crm.pause.stand" />;
    case 'takesNoScans':
      return <Text id="crm.pause.field" />;
    case 'refusesAll':
      return <Text id="crm.pause.refuses" />;
    case 'address':
    case 'notAPlatform':
    case 'addressUnknown':
      return <Text id="crm.pause.address" />;
    default:
      return <Text id="crm.pause.offline" />;
  }
}
