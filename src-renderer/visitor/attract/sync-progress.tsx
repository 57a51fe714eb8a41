/**
 * Progress of the first sync, in numbers.
 *
 * Invariant: shown only after a touch, because visitors do not need it. Counts, share and time left come from the
 * device.
 */
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import { Text } from '../../messages/text.tsx';

/** The lists that a visitor understands. The others are small and load quickly. */
const SHOWN: ReadonlySet<string> = new Set(['partners', 'contents', 'visitors', 'participants']);

/** One line for each kind of record. */
export function SyncProgress({ device }: { readonly device: DeviceState | null }) {
  const remaining = device?.mirror.remaining;
  const [open, setOpen] = useState(false);
  if (!open) {
    return (
      <Button className="quiet-button sync-more" onPress={() => setOpen(true)}>
        <Text id="firstSync.more" />
      </Button>
    );
  }
  return (
    <>
      {remaining ? (
        <p className="sync-left">
          <Text
            id="firstSync.left"
            values={{ share: remaining.share, minutes: Math.ceil((remaining.secondsLeft ?? 0) / 60) }}
          />
        </p>
      ) : null}
      <ul className="sync-numbers">
        {(device?.mirror.resources ?? [])
          .filter(({ name }) => SHOWN.has(name))
          .map(({ name, count, complete }) => (
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
    </>
  );
}
