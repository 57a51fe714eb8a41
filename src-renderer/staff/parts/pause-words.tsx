/**
 * The reason of a delivery pause in one sentence, including the reasons only a hub has.
 *
 * Invariant: the sentence names the person who can help: the organiser for the platform, the technician for the hub.
 */
import type { DeviceState, Pause } from '../../../src-main/contract/device.ts';
import { Text } from '../../messages/text.tsx';

/** The sentence; `hub` is the one this device delivers to. */
export function PauseWords({ pause, hub }: { readonly pause: Pause; readonly hub: DeviceState['hub'] }) {
  if (hub != null && (pause === 'keyRefused' || pause === 'forbidden'))
    return <Text id="pause.hub.revoked" />;
  if (hub != null && (pause === 'offline' || pause === 'addressUnknown'))
    return <Text id="pause.hub.offline" />;
  if (pause === 'wrongHub') return <Text id="pause.hub.wrong" />;
  return <Text id={`pause.${pause}`} />;
}
