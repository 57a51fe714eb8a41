/** The state of the rehearsal on the device, and the calls that change it. */
import { useCallback, useEffect, useState } from 'react';
import type { RehearsalState } from '../../../src-main/contract/rehearsal.ts';
import type { DeviceClient, Link } from '../../link/link.ts';

export type RehearsalOnPage = {
  /** Null until the device has reported it. */
  readonly state: RehearsalState | null;
  readonly act: (ask: (client: DeviceClient) => Promise<unknown>) => void;
};

/** Follows the rehearsal while the component is mounted. `samples`: every tap during a rehearsal is a sample. */
export function useRehearsal(link: Link, samples: boolean): RehearsalOnPage {
  const [state, setState] = useState<RehearsalState | null>(null);
  useEffect(
    () => link.follow((client, signal) => client.rehearsal.watch({ samples }, { signal }), setState),
    [link, samples],
  );
  // The state stream reports the result. If the device is lost, the connection indicator shows it.
  const act = useCallback<RehearsalOnPage['act']>(
    (ask) => void link.call(ask).catch(() => undefined),
    [link],
  );
  return { state, act };
}
