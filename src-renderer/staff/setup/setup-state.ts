/** How far this device is with its set-up, and the file that was given to the app for it. */
import { useEffect, useRef, useState } from 'react';
import type { SetupState } from '../../../src-main/contract/setup.ts';
import type { Link } from '../../link/link.ts';

/** Whether this device is set up; null until it has said so. */
export function useSetupState(link: Link): SetupState | null {
  const [state, setState] = useState<SetupState | null>(null);
  useEffect(
    () => link.follow((client, signal) => client.setup.watch(undefined, { signal }), setState),
    [link],
  );
  return state;
}

/** The upload of a file that was given to the app and waits to be taken, or null; `onGiven` hears of each. */
export function useGivenFile(state: SetupState | null, onGiven: () => void): string | null {
  const given = state?.given ?? null;
  const hear = useRef(onGiven);
  hear.current = onGiven;
  useEffect(() => {
    if (given !== null) hear.current();
  }, [given]);
  return given;
}
