/** The rehearsal as the device tells it, and what is asked of it. */
import { useCallback, useEffect, useState } from 'react';
import type { RehearsalState } from '../../../src-main/contract/rehearsal.ts';
import type { DeviceClient, Link } from '../../link/link.ts';

export type RehearsalOnPage = {
  /** Null until the device has told it. */
  readonly state: RehearsalState | null;
  readonly act: (ask: (client: DeviceClient) => Promise<unknown>) => void;
};

/** Follows the rehearsal while this is shown. `samples`: meanwhile, where one is under way, a tap is a sample. */
export function useRehearsal(link: Link, samples: boolean): RehearsalOnPage {
  const [state, setState] = useState<RehearsalState | null>(null);
  useEffect(
    () => link.follow((client, signal) => client.rehearsal.watch({ samples }, { signal }), setState),
    [link, samples],
  );
  // What became of it is told by the state; a link that is lost shows itself.
  const act = useCallback<RehearsalOnPage['act']>(
    (ask) => void link.call(ask).catch(() => undefined),
    [link],
  );
  return { state, act };
}
