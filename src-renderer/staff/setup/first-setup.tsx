/**
 * The first start for a real event: the set-up instead of the display.
 *
 * Invariant: if a PIN is set, only the technician can open the set-up.
 */
import { useSyncExternalStore } from 'react';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import type { Entry } from '../entry/entry.ts';
import { EntryPage } from '../entry/entry-page.tsx';
import { SetupPage } from './setup-page.tsx';

type FirstSetupProps = { readonly link: Link; readonly entry: Entry; readonly failed: string | null };

/** The whole screen. */
export function FirstSetup({ link, entry, failed }: FirstSetupProps) {
  const { state } = useSyncExternalStore(entry.subscribe, entry.snapshot);
  const leave = () => entry.lock();
  if (state === null) return null;
  const may = state.pin === 'unset' || state.session?.technician === true;
  if (!may && state.session === null)
    return <EntryPage {...{ link, entry, state }} inFront onLeave={leave} />;
  return (
    <main className="setup-first">
      {may ? <SetupPage link={link} version="" failed={failed} onSaved={() => undefined} /> : <NotYours />}
    </main>
  );
}

/** The message for users other than the technician. */
export function NotYours() {
  return (
    <p className="notice setup-not-yours" data-tone="wait">
      <Text id="setup.technicianOnly" />
    </p>
  );
}
