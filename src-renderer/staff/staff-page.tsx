/**
 * The staff pages: the sidebar and the open section, for the signed-in team member.
 *
 * Invariants:
 * - No visitor data is requested or rendered before sign-in.
 * - A visitor's tap covers the pages at once (app.tsx).
 * - The pages lock after a time without activity.
 * - After a tap they open with the lead of that visitor.
 */
import { useQueryClient } from '@tanstack/react-query';
import { memo, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { StaffSession } from '../../src-main/contract/staff.ts';
import { readsPeople } from '../device/reads-people.ts';
import type { Link } from '../link/link.ts';
import type { SoundPlayer } from '../sound/sound-player.ts';
import { AboutSection } from './about/about-section.tsx';
import { type Address, addressAt, addressOf, goTo } from './address/address.ts';
import { CommandPalette } from './commands/command-palette.tsx';
import { KeyList } from './commands/key-list.tsx';
import { CompaniesSection } from './companies/companies-section.tsx';
import { DeliverySection } from './delivery/delivery-section.tsx';
import { HubWords } from './delivery/hub-words.tsx';
import { DestinationsSection } from './destinations/destinations-section.tsx';
import type { Entry } from './entry/entry.ts';
import { EntryPage } from './entry/entry-page.tsx';
import { WhoIsThere } from './entry/who-is-there.tsx';
import { HandoverSection } from './handover/handover-section.tsx';
import { SealedQuestion } from './handover/sealed-leads.tsx';
import { HealthSection } from './health/health-section.tsx';
import { useEdits } from './lead/edits.ts';
import { LeadsSection } from './list/leads-section.tsx';
import { useLeadChanges } from './list/use-lead-pages.ts';
import { NumbersSection } from './numbers/numbers-section.tsx';
import { useIdle } from './parts/idle.ts';
import { useKeys } from './parts/keys.ts';
import { LeadWordsProvider, useFetchedWords } from './parts/lead-words.ts';
import { ReadsPeopleContext } from './parts/reads-people-context.ts';
import { Rail } from './rail.tsx';
import { NotYours } from './setup/first-setup.tsx';
import { SetupPage } from './setup/setup-page.tsx';
import { SheetSection } from './sheet/sheet-section.tsx';
import { TeamSection } from './team/team-section.tsx';
import { WorklistSection } from './worklist/worklist-section.tsx';

type StaffPageProps = {
  readonly link: Link;
  readonly device: DeviceState;
  readonly sounds: SoundPlayer;
  readonly address: Address;
  readonly entry: Entry;
  /** Sets the language of these pages by its language tag. */
  readonly chooseLanguage: (tag: string) => void;
  /** False while a visitor's screen covers the page. */
  readonly inFront: boolean;
};

/** The open staff page, or the sign-in if no team member is signed in. */
export function StaffPage(props: StaffPageProps) {
  const { link, entry, inFront } = props;
  const { state } = useSyncExternalStore(entry.subscribe, entry.snapshot);
  const leave = useCallback(() => entry.lock(), [entry]);
  const onPresence = useIdle(leave, entry.touch);
  if (state === null) return null;
  if (state.session === null) return <EntryPage {...{ link, entry, state, inFront }} onLeave={leave} />;
  if (state.session.member === null) return <WhoIsThere link={link} onLeave={leave} />;
  const { member } = state.session;
  return (
    <OpenPage {...props} {...{ onPresence }} session={state.session} name={member.name} onLeave={leave} />
  );
}

type OpenPageProps = StaffPageProps & {
  readonly session: StaffSession;
  readonly name: string;
  readonly onLeave: () => void;
  /** Reports that the user is active without touching the page. */
  readonly onPresence: () => void;
};

/** Rendered again only when its content changed, not at every keystroke of a search. */
const StillRail = memo(Rail);

function OpenPage(props: OpenPageProps) {
  const { link, device, sounds, address, entry, session, name, onLeave, onPresence, chooseLanguage } = props;
  const { section, params } = address;
  const words = useFetchedWords(link);
  const edits = useEdits(link, null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const select = useCallback((lead: string) => {
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(lead)) after.add(lead);
      return after;
    });
  }, []);
  const [keysShown, showKeys] = useState(false);
  useKeys({ '?': () => showKeys(!keysShown) });
  useLeadChanges(link);
  useForgetting();
  useEffect(() => {
    // If the URL no longer points to these pages, it is not changed.
    if (addressAt(window.location.hash) === null) return;
    const lead = entry.takeLastVisitor();
    if (lead !== null) goTo(addressOf('leads', new URLSearchParams({ lead })), false);
  }, [entry]);
  return (
    <LeadWordsProvider value={words}>
      <ReadsPeopleContext value={readsPeople(device)}>
        <div className="staff">
          <StillRail {...{ link, device, sounds, section, name, onLeave, chooseLanguage }} />
          <main className="staff-main">
            <HubWords link={link} device={device} />
            {section === 'handover' || section === 'setup' ? null : (
              <SealedQuestion link={link} device={device} />
            )}
            {section === 'leads' ? (
              <LeadsSection {...{ link, device, entry, edits, params, selected }} onSelect={select} />
            ) : null}
            {section === 'worklist' ? <WorklistSection {...{ link, device, edits }} /> : null}
            {section === 'companies' ? (
              <CompaniesSection link={link} timezone={device.event?.timezone} />
            ) : null}
            {section === 'numbers' ? <NumbersSection link={link} timezone={device.event?.timezone} /> : null}
            {section === 'delivery' ? (
              <DeliverySection link={link} device={device} technician={session.technician} />
            ) : null}
            {section === 'crm' ? <DestinationsSection link={link} selected={selected} /> : null}
            {section === 'handover' ? (
              <HandoverSection {...{ link, device, session, params, selected }} />
            ) : null}
            {section === 'sheet' ? <SheetSection {...{ link, device, name }} /> : null}
            {section === 'team' ? <TeamSection link={link} entry={entry} /> : null}
            {section === 'about' ? <AboutSection version={device.version} /> : null}
            {section === 'health' ? (
              <HealthSection
                onPresence={onPresence}
                {...{ link, device, params }}
                technician={session.technician}
              />
            ) : null}
            {section === 'setup' && !session.technician ? <NotYours /> : null}
            {section === 'setup' && session.technician ? (
              <SetupPage link={link} version={device.version} failed={null} onSaved={onLeave} />
            ) : null}
          </main>
          <CommandPalette link={link} onLeave={onLeave} onKeys={() => showKeys(true)} />
          {keysShown ? <KeyList onClose={() => showKeys(false)} /> : null}
        </div>
      </ReadsPeopleContext>
    </LeadWordsProvider>
  );
}

/** Cached visitor data is dropped when the session ends. */
function useForgetting(): void {
  const queries = useQueryClient();
  useEffect(() => () => queries.clear(), [queries]);
}
