/** Texts for the states of a destination. */
import type { DestinationPause } from '../../../src-main/contract/destinations.ts';
import { Text } from '../../messages/text.tsx';

/** Why a destination sends nothing. Each sentence says who can help. `atHub`: the hub holds the token. */
export function PauseOf({
  pause,
  atHub = false,
}: {
  readonly pause: DestinationPause | 'address';
  readonly atHub?: boolean;
}) {
  switch (pause) {
    case 'hubAway':
    case 'hubRefuses':
    case 'notOffered':
      return <Text id={`crm.pause.${pause}`} />;
    case 'keyRefused':
    case 'keyMissing':
      return <Text id={atHub ? 'crm.pause.accessAtHub' : 'crm.pause.access'} />;
    case 'forbidden':
      return <Text id={atHub ? 'crm.pause.scopesAtHub' : 'crm.pause.scopes'} />;
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
