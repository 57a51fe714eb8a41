/** Texts for the states of a destination. */
import type { Connected, DestinationPause } from '../../../src-main/contract/destinations.ts';
import type { MessageId } from '../../messages/catalogue.ts';
import { Text } from '../../messages/text.tsx';

type PauseProps = {
  readonly pause: DestinationPause;
  /** Whether the hub holds the token. */
  readonly atHub?: boolean;
};

/** Why a destination sends nothing. If only the person who runs the hub can help, the sentence says so. */
export function PauseOf({ pause, atHub = false }: PauseProps) {
  if (typeof pause === 'object')
    return <Text id="crm.pause.status" values={{ status: String(pause.status) }} />;
  switch (pause) {
    case 'hubAway':
    case 'hubRefuses':
    case 'notOffered':
      return <Text id={`crm.pause.${pause}`} />;
    case 'keyRefused':
    case 'keyMissing':
      return <Text id={atHub ? 'crm.pause.accessAtHub' : 'crm.pause.access'} />;
    case 'slow':
      return <Text id="crm.pause.slow" />;
    case 'refusesAll':
      return <Text id="crm.pause.refuses" />;
    default:
      return <Text id={commonWords(pause, atHub) ?? 'crm.pause.offline'} />;
  }
}

type Refusal = Extract<Connected, { readonly kind: 'refused' }>['pause'];

/** Why a destination could not be connected, and that nothing was stored. */
export function RefusalOf({ pause, atHub = false }: { readonly pause: Refusal; readonly atHub?: boolean }) {
  return (
    <>
      <RefusalSentence pause={pause} atHub={atHub} /> <Text id="crm.notStored" />
    </>
  );
}

function RefusalSentence({ pause, atHub }: { readonly pause: Refusal; readonly atHub: boolean }) {
  if (typeof pause === 'object')
    return <Text id="crm.refused.status" values={{ status: String(pause.status) }} />;
  switch (pause) {
    case 'hubAway':
    case 'hubRefuses':
    case 'notOffered':
    case 'slow':
    case 'address':
    case 'otherAddress':
    case 'connectedBefore':
    case 'secret':
    case 'tls':
      return <Text id={`crm.refused.${pause}`} />;
    case 'keyRefused':
    case 'keyMissing':
      return <Text id={atHub ? 'crm.refused.accessAtHub' : 'crm.refused.access'} />;
    default:
      return <Text id={commonWords(pause, atHub) ?? 'crm.refused.offline'} />;
  }
}

/** The sentence for a reason that `PauseOf` or `RefusalSentence` does not treat itself, or null. */
function commonWords(pause: Exclude<Refusal, object>, atHub: boolean): MessageId | null {
  switch (pause) {
    case 'forbidden':
      return atHub ? 'crm.pause.scopesAtHub' : 'crm.pause.scopes';
    case 'tls':
      return 'crm.pause.tls';
    case 'noEvent':
      return 'crm.pause.stand';
    case 'takesNoScans':
      return 'crm.pause.field';
    case 'notAPlatform':
      return 'crm.pause.other';
    case 'addressUnknown':
      return 'crm.pause.address';
    default:
      return null;
  }
}
