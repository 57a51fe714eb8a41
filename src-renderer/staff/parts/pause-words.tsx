/**
 * Why nothing is delivered, in a sentence; at a box in the hall, what only the box can mean by it.
 *
 * Invariant: who is asked for help is who can help: the organiser for the platform, the technician for the box.
 */
import type { DeviceState, Pause } from '../../../src-main/contract/device.ts';
import { Text } from '../../messages/text.tsx';

/** The sentence; `box` is the one this device speaks to. */
export function PauseWords({ pause, box }: { readonly pause: Pause; readonly box: DeviceState['box'] }) {
  if (box != null && (pause === 'keyRefused' || pause === 'forbidden'))
    return <Text id="pause.box.revoked" />;
  if (box != null && (pause === 'offline' || pause === 'addressUnknown'))
    return <Text id="pause.box.offline" />;
  if (pause === 'wrongBox') return <Text id="pause.box.wrong" />;
  return <Text id={`pause.${pause}`} />;
}
