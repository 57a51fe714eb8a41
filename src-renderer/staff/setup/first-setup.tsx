/**
 * The first start for a real event: the set-up in place of the display, for whoever starts the device.
 *
 * Invariant: once a PIN was chosen the technician alone comes in.
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

/** Said to whoever is no technician. */
export function NotYours() {
  return (
    <p className="notice setup-not-yours" data-tone="wait">
      <Text id="setup.technicianOnly" />
    </p>
  );
}
