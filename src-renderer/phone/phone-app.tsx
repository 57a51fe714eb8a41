/**
 * The page on a team phone: the staff's work on leads, operated with one thumb. The laptop serves it over https.
 *
 * Invariants:
 * - Nothing of a lead is stored on the phone: the place and the edits that were not sent yet are in memory only.
 * - A lost link covers nothing. The page reports it, and sends the edits when link and session are back.
 * - A phone without access loads the page again and so forgets everything (`link/link.ts`).
 */
import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { Button, I18nProvider } from 'react-aria-components';
import type { DeviceState } from '../../src-main/contract/device.ts';
import { readsPeople } from '../device/reads-people.ts';
import type { Link } from '../link/link.ts';
import { pickLanguage } from '../messages/catalogue.ts';
import { hourCycleAt } from '../messages/hour-cycle.ts';
import { staffLanguages } from '../messages/staff-language.ts';
import { LanguageProvider, Text, useText } from '../messages/text.tsx';
import { addressOf, goTo, useAddress } from '../staff/address/address.ts';
import type { Entry } from '../staff/entry/entry.ts';
import { EntryPage } from '../staff/entry/entry-page.tsx';
import { type Edits, useEdits } from '../staff/lead/edits.ts';
import { LeadsSection } from '../staff/list/leads-section.tsx';
import { useLeadChanges } from '../staff/list/use-lead-pages.ts';
import { useIdle } from '../staff/parts/idle.ts';
import { LeadWordsProvider, useFetchedWords } from '../staff/parts/lead-words.ts';
import { OnPhoneContext } from '../staff/parts/on-phone-context.ts';
import { ReadsPeopleContext } from '../staff/parts/reads-people-context.ts';
import { WorklistSection } from '../staff/worklist/worklist-section.tsx';

type PhoneAppProps = {
  readonly link: Link;
  readonly entry: Entry;
  /** Languages of the phone, in order of preference. */
  readonly languages: readonly string[];
};

/** The whole page. */
export function PhoneApp({ link, entry, languages }: PhoneAppProps) {
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } }),
  );
  const [device, setDevice] = useState<DeviceState | null>(null);
  useEffect(
    () => link.follow((client, signal) => client.device.watch(undefined, { signal }), setDevice),
    [link],
  );
  const onPhone = useLaptopClock();
  const language = pickLanguage(languages, staffLanguages);
  useEffect(() => {
    document.documentElement.lang = language.tag;
  }, [language]);
  const timeZone = device?.event?.timezone;
  const hourCycle = useMemo(() => hourCycleAt(timeZone, languages), [timeZone, languages]);
  return (
    <QueryClientProvider client={queries}>
      <I18nProvider locale={language.tag}>
        <LanguageProvider language={language} hourCycle={hourCycle}>
          <OnPhoneContext value={onPhone}>
            <div className="phone">
              <LinkWords link={link} />
              <Gate link={link} entry={entry} device={device} />
            </div>
          </OnPhoneContext>
        </LanguageProvider>
      </I18nProvider>
    </QueryClientProvider>
  );
}

/** How far the laptop's clock is ahead, measured by the `Date` header of its answer. */
function useLaptopClock(): { readonly laptopAhead: number } {
  const [clock, setClock] = useState({ laptopAhead: 0 });
  useEffect(() => {
    fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
      ({ headers }) => {
        const at = Date.parse(headers.get('date') ?? '');
        if (!Number.isNaN(at)) setClock({ laptopAhead: at - Date.now() });
      },
      // Without an answer, the phone's own clock is used until the page is loaded again.
      () => undefined,
    );
  }, []);
  return clock;
}

/** Says that the laptop is away, and what happens to edits until it is back. */
function LinkWords({ link }: { readonly link: Link }) {
  const state = useSyncExternalStore(link.subscribe, link.state);
  return (
    <div role="status">
      {state === 'lost' ? (
        <p className="notice phone-lost" data-tone="wait">
          <Text id="phone.lost" />
        </p>
      ) : null}
    </div>
  );
}

type GateProps = Omit<PhoneAppProps, 'languages'> & { readonly device: DeviceState | null };

/** The work of the signed-in member, or the PIN entry. */
function Gate({ link, entry, device }: GateProps) {
  const { state } = useSyncExternalStore(entry.subscribe, entry.snapshot);
  const lock = useCallback(() => entry.lock(), [entry]);
  useIdle(lock, entry.touch);
  if (state === null || device === null) return null;
  const { session } = state;
  if (session === null) return <EntryPage {...{ link, entry, state }} inFront={true} onLeave={null} />;
  return <Work {...{ link, entry, device }} name={session.member?.name ?? ''} onLock={lock} />;
}

type WorkProps = Omit<GateProps, 'device'> & {
  readonly device: DeviceState;
  /** The signed-in team member. */
  readonly name: string;
  readonly onLock: () => void;
};

const openLead = (lead: string) => goTo(addressOf('leads', new URLSearchParams({ lead })));

function Work({ link, entry, device, name, onLock }: WorkProps) {
  const text = useText();
  const address = useAddress();
  const section = address?.section;
  const params = useMemo(() => address?.params ?? new URLSearchParams(), [address]);
  const [none] = useState<ReadonlySet<string>>(() => new Set());
  const words = useFetchedWords(link);
  const edits = useEdits(link, entry.unsent);
  useLeadChanges(link);
  const queries = useQueryClient();
  useEffect(() => () => queries.clear(), [queries]);
  useUnsent(link, entry, edits.edit);
  const openLast = () =>
    link
      .call((client, signal) => client.leads.last(undefined, { signal }))
      .then(
        ({ lead }) => (lead === null ? goTo(addressOf('leads')) : openLead(lead)),
        // The page already says that the link is lost.
        () => undefined,
      );
  const place = section === 'worklist' ? 'worklist' : params.has('lead') ? 'lead' : 'leads';
  return (
    <LeadWordsProvider value={words}>
      <ReadsPeopleContext value={readsPeople(device)}>
        <div className="staff phone-page">
          <header className="phone-bar">
            <bdi>{name}</bdi>
            <Button className="mini-button" onPress={onLock}>
              <Text id="staff.lock" />
            </Button>
          </header>
          <main className="staff-main">
            {section === 'worklist' ? (
              <WorklistSection {...{ link, device, edits }} />
            ) : (
              <LeadsSection {...{ link, device, entry, edits, params }} selected={none} onSelect={openLead} />
            )}
          </main>
          <nav className="phone-nav" aria-label={text('staff.sections')}>
            <Button className="phone-key" onPress={() => void openLast()}>
              <Text id="phone.last" />
            </Button>
            <Place at="leads" here={place} />
            <Place at="worklist" here={place} />
          </nav>
        </div>
      </ReadsPeopleContext>
    </LeadWordsProvider>
  );
}

type PlaceProps = { readonly at: 'leads' | 'worklist'; readonly here: string };

function Place({ at, here }: PlaceProps) {
  return (
    <Button
      className="phone-key"
      aria-current={at === here ? 'page' : false}
      onPress={() => goTo(addressOf(at))}
    >
      <Text id={`staff.${at}`} />
    </Button>
  );
}

/** Sends the edits that are held here when the link is back. */
function useUnsent(link: Link, { unsent }: Entry, edit: Edits['edit']): void {
  const state = useSyncExternalStore(link.subscribe, link.state);
  useEffect(() => {
    if (state !== 'up') return;
    for (const [lead, change] of unsent?.changes() ?? []) void edit(lead, change);
  }, [state, unsent, edit]);
}
