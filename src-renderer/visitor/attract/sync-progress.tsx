/**
 * How far the first copy of the event is, in numbers, for whoever wants to know.
 *
 * Invariant: a visitor needs none of it, so it is behind a touch; counts are what the device holds; the share and the time left are the device's own estimate.
 */
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import { Text } from '../../messages/text.tsx';

/** What means something to a visitor; the rest is small and quick. */
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
