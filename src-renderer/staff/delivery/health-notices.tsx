/**
 * What staff should know of this device's health, in plain words: what cannot work, what it is set to be and cannot be, a
 * clock that cannot be right, what may be on the platform twice, badges that were read in part, and why nothing is sent.
 *
 * Invariant: nothing is said of a device that is well.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import { faultOf } from '../../device/fault.ts';
import { Text } from '../../messages/text.tsx';

/** The notices, the gravest first. */
export function HealthNotices({ device }: { readonly device: DeviceState }) {
  const { assignmentFault, clock, lostNdef = 0 } = device;
  const fault = faultOf(device);
  const { possiblyTwice = 0 } = device.delivery;
  return (
    <>
      {fault ? (
        <p className="notice" data-tone="stop">
          <Text id={`fault.${fault}`} /> <span className="notice-code">{fault}</span>
        </p>
      ) : null}
      {assignmentFault?.kind === 'missing' ? (
        <p className="notice" data-tone="stop">
          <Text id="health.touchpointMissing" values={{ touchpoint: assignmentFault.touchpoint }} />
        </p>
      ) : null}
      {assignmentFault?.kind === 'unknownPurpose' ? (
        <p className="notice" data-tone="stop">
          <Text
            id="health.unknownPurpose"
            values={{ touchpoint: assignmentFault.touchpoint, word: assignmentFault.purpose }}
          />
        </p>
      ) : null}
      {clock.suspect ? (
        <p className="notice" data-tone="wait">
          <Text id="health.clock" />
        </p>
      ) : null}
      {possiblyTwice > 0 ? (
        <p className="notice" data-tone="wait">
          <Text id="health.possiblyTwice" values={{ count: possiblyTwice }} />
        </p>
      ) : null}
      {lostNdef > 0 ? (
        <p className="notice" data-tone="quiet">
          <Text id="health.lostNdef" values={{ count: lostNdef }} />
        </p>
      ) : null}
      {device.delivery.pause ? (
        <p className="notice" data-tone="wait">
          <Text id={`pause.${device.delivery.pause}`} />
        </p>
      ) : null}
    </>
  );
}
