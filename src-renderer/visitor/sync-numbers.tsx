/**
 * How far the first copy of the event is, in numbers.
 *
 * Invariant: counts are what the device holds, never an estimate of what is missing.
 */
import type { DeviceState } from '../../src-main/contract/device.ts';
import { Text } from '../messages/text.tsx';

/** One line for each kind of record. */
export function SyncNumbers({ device }: { readonly device: DeviceState | null }) {
  return (
    <ul className="sync-numbers">
      {(device?.mirror.resources ?? []).map(({ name, count, complete }) => (
        <li key={name} data-complete={complete}>
          <strong>
            <Text id="firstSync.count" values={{ count }} />
          </strong>
          <span>
            <Text id="firstSync.resource" values={{ resource: name }} />
          </span>
          {complete ? (
            <em>
              <Text id="firstSync.complete" />
            </em>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
