/** The set-up state of this device, and the file that was passed to the app. */
import { useEffect, useRef, useState } from 'react';
import type { SetupState } from '../../../src-main/contract/setup.ts';
import type { Link } from '../../link/link.ts';

/** Whether this device is set up. Null until the device has reported it. */
export function useSetupState(link: Link): SetupState | null {
  const [state, setState] = useState<SetupState | null>(null);
  useEffect(
    () => link.follow((client, signal) => client.setup.watch(undefined, { signal }), setState),
    [link],
  );
  return state;
}

/** The upload of a file that was passed to the app, or null; `onGiven` is called for each such file. */
export function useGivenFile(state: SetupState | null, onGiven: () => void): string | null {
  const given = state?.given ?? null;
  const hear = useRef(onGiven);
  hear.current = onGiven;
  useEffect(() => {
    if (given !== null) hear.current();
  }, [given]);
  return given;
}
