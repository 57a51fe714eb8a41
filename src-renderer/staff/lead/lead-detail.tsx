/**
 * All data of one lead, in the order in which staff need it during a call: name, contact, interests, promises of the
 * team. Visits and badges, corrections, and the timeline follow. On a phone, the promises follow the rating, so that
 * the thumb can reach them.
 *
 * Invariants:
 * - The result of the latest edit is shown in one line.
 * - Edits that are still held on this phone are shown like saved ones.
 * - Empty parts take no space.
 * - Long names do not move anything.
 */
import { useQuery } from '@tanstack/react-query';
import { useContext, useSyncExternalStore } from 'react';
import { Button } from 'react-aria-components';
import type { LeadEdit } from '../../../src-main/contract/lead-fields.ts';
import type { LeadDetail as Lead } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { addressOf } from '../address/address.ts';
import { currentView, paramsOf } from '../address/lead-view.ts';
import { LeadDestinations } from '../destinations/lead-destinations.tsx';
import type { Entry } from '../entry/entry.ts';
import { Avatar, HotWord, LeadName } from '../parts/lead-parts.tsx';
import { OnPhoneContext } from '../parts/on-phone-context.ts';
import { ReadsPeopleContext } from '../parts/reads-people-context.ts';
import { CompanyPart } from './company-part.tsx';
import { ContactPart } from './contact-part.tsx';
import { CorrectPart } from './correct-part.tsx';
import type { EditAnswer, Edits } from './edits.ts';
import { FilesPart } from './files-part.tsx';
import { MetPart, WantsPart } from './heard-part.tsx';
import { MergePart } from './merge-part.tsx';
import { Qualify } from './qualify.tsx';
import { Timeline } from './timeline.tsx';

type LeadDetailProps = {
  readonly link: Link;
  readonly entry: Entry;
  readonly lead: string;
  readonly clock: Clock;
  /** The event's time zone, IANA name. */
  readonly timezone: string | undefined;
  readonly edits: Edits;
  /** Called when the user asks why a lead is hot. */
  readonly onWhy: () => void;
};

/** The details of a lead, by its id. */
export function LeadDetail(props: LeadDetailProps) {
  const { link, entry, lead, edits } = props;
  const text = useText();
  const found = useQuery({
    queryKey: ['lead', lead],
    queryFn: () => link.call((client, signal) => client.leads.one({ lead }, { signal })),
    retry: true,
    retryDelay: staffTimes.retry,
  });
  const known = found.data;
  const held = useHeld(entry, lead);
  return (
    <section className="detail" aria-label={text('staff.details')} tabIndex={-1}>
      {known === undefined ? (
        <p role="status">
          <Text id="staff.loading" />
        </p>
      ) : null}
      {known === null ? (
        <p role="status">
          <Text id="lead.gone" />
          {edits.leadOfUndo !== null && edits.leadOfUndo !== lead ? (
            <a
              className="mini-button"
              href={addressOf('leads', paramsOf({ ...currentView(), lead: edits.leadOfUndo }))}
            >
              <Text id="lead.whereNow" />
            </a>
          ) : null}
        </p>
      ) : null}
      {known ? <Known {...props} key={known.id} lead={withHeld(known, held)} /> : null}
    </section>
  );
}

const neverChanges = () => () => undefined;

/** The edits of a lead that are held here. */
function useHeld({ unsent }: Entry, lead: string): LeadEdit | undefined {
  return useSyncExternalStore(unsent?.subscribe ?? neverChanges, () => unsent?.changes().get(lead));
}

/** The lead with these edits. */
function withHeld(lead: Lead, held: LeadEdit | undefined): Lead {
  if (held === undefined) return lead;
  const { form: changed, ...values } = held;
  const answers = Object.entries({ ...lead.form, ...changed });
  const form = Object.fromEntries(answers.flatMap(([id, answer]) => (answer === null ? [] : [[id, answer]])));
  return { ...lead, ...(values as Partial<Lead>), form };
}

type KnownProps = Omit<LeadDetailProps, 'lead'> & { readonly lead: Lead };

function Known({ link, entry, lead, clock, timezone, edits, onWhy }: KnownProps) {
  const text = useText();
  const readsNames = useContext(ReadsPeopleContext);
  const onPhone = useContext(OnPhoneContext) !== null;
  const fields = (about: 'worth' | 'wants' | 'promised') => (
    <Qualify link={link} entry={entry} lead={lead} edits={edits} timezone={timezone} about={about} />
  );
  const promised = (
    <section className="detail-part">
      <h3>
        <Text id="lead.promised" />
      </h3>
      {fields('promised')}
    </section>
  );
  return (
    <>
      <header className="detail-head">
        <Avatar lead={lead} />
        <div>
          <h2>
            <LeadName lead={lead} />
          </h2>
          <p>
            <bdi>{[lead.jobTitle, lead.company].filter(Boolean).join(' · ')}</bdi>
          </p>
        </div>
      </header>
      {lead.undone ? (
        <p className="notice" data-tone="quiet">
          <Text id={isOfTeam(lead) ? 'lead.removedByTeam' : 'lead.deliverySentence.undone'} />
        </p>
      ) : null}
      <div className="detail-line">
        <span className="hot-state">
          {lead.hot.is ? <HotWord hot={lead.hot} /> : <Text id="hot.not" />}
          {onPhone ? null : (
            <Button className="mini-button" aria-label={text('hot.whyRule')} onPress={onWhy}>
              <Text id="hot.why" />
            </Button>
          )}
        </span>
        <EditStatus answer={edits.answer} edits={edits} />
      </div>
      {fields('worth')}
      {onPhone ? promised : null}
      {lead.unknown ? (
        <p className="detail-note">
          <Text id={readsNames ? 'lead.unknownNote' : 'lead.namelessNote'} />
        </p>
      ) : null}
      <ContactPart lead={lead} />
      <CompanyPart link={link} lead={lead} clock={clock} edits={edits} />
      <section className="detail-part">
        <h3>
          <Text id="lead.wants" />
        </h3>
        {fields('wants')}
        <WantsPart lead={lead} clock={clock} />
      </section>
      {onPhone ? null : promised}
      <FilesPart link={link} entry={entry} lead={lead} clock={clock} edits={edits} />
      <MetPart lead={lead} clock={clock} />
      {onPhone ? null : <LeadDestinations link={link} lead={lead.id} />}
      <div className="detail-repairs">
        <CorrectPart lead={lead} edits={edits} />
        <MergePart link={link} lead={lead} edits={edits} />
      </div>
      <Timeline lead={lead} clock={clock} edits={edits} />
    </>
  );
}

/** Whether the team entered the lead and it was never tapped. */
function isOfTeam({ timeline }: Lead): boolean {
  const visits = timeline.filter(({ kind }) => kind === 'tap' || kind === 'checkin');
  return visits.length > 0 && visits.every(({ byHand }) => byHand);
}

const notSaved: ReadonlySet<EditAnswer> = new Set(['failed', 'lost', 'away', 'unknown']);

/** The result of the latest edit, and its undo. */
function EditStatus({ answer, edits }: { readonly answer: EditAnswer | null; readonly edits: Edits }) {
  const text = useText();
  return (
    <div className="edit-status" data-bad={answer !== null && notSaved.has(answer)}>
      <span role="status">{answer === null ? null : <Text id={`edit.${answer}`} />}</span>
      {edits.canUndo ? (
        <Button className="mini-button" aria-label={text('edit.undoLast')} onPress={edits.undoLast}>
          <Text id="edit.undo" /> <kbd>{'u'}</kbd>
        </Button>
      ) : null}
    </div>
  );
}
