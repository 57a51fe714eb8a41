/**
 * The reason for a delivery pause in one sentence, including reasons that only a hub has.
 *
 * Invariant: if only the organiser or the technician can help, the sentence says so.
 */
import type { DeviceState, Pause } from '../../../src-main/contract/device.ts';
import { Text } from '../../messages/text.tsx';

/** The sentence. `hub`: the hub to which this device delivers. */
export function PauseWords({ pause, hub }: { readonly pause: Pause; readonly hub: DeviceState['hub'] }) {
  if (hub != null && (pause === 'keyRefused' || pause === 'forbidden'))
    return <Text id="pause.hub.revoked" />;
  if (hub != null && (pause === 'offline' || pause === 'addressUnknown'))
    return <Text id="pause.hub.offline" />;
  if (pause === 'wrongHub') return <Text id="pause.hub.wrong" />;
  return <Text id={`pause.${pause}`} />;
}
