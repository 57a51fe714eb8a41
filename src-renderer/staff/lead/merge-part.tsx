/**
 * Merges two leads of one person: the user finds the other lead, and this one becomes part of it.
 *
 * Invariants:
 * - Only a lead chosen from the list is merged.
 * - The data of both leads is kept, so the merge can be undone here and in the timeline.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Button, Input, Label, SearchField } from 'react-aria-components';
import type { LeadDetail, LeadLine } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { addressOf, goTo } from '../address/address.ts';
import { intoView } from '../parts/into-view.ts';
import { LeadName } from '../parts/lead-parts.tsx';
import type { Edits } from './edits.ts';

type MergeProps = { readonly link: Link; readonly lead: LeadDetail; readonly edits: Edits };

/** A button that opens the search for the other lead. */
export function MergePart({ link, lead, edits }: MergeProps) {
  const [open, setOpen] = useState(false);
  if (!open) {
    return (
      <Button className="mini-button" onPress={() => setOpen(true)}>
        <Text id="merge.open" />
      </Button>
    );
  }
  const merge = async (into: LeadLine) => {
    setOpen(false);
    const edited = await edits.run((to) =>
      to.call((client, signal) => client.leads.merge({ lead: lead.id, into: into.id }, { signal })),
    );
    if (edited?.kind === 'kept') goTo(addressOf('leads', new URLSearchParams({ lead: edited.lead })), false);
  };
  return (
    <div className="correct" ref={intoView}>
      <strong>
        <LeadName lead={lead} />
      </strong>
      <h3>
        <Text id="merge.open" />
      </h3>
      <p>
        <Text id="merge.hint" />
      </p>
      <OtherLead link={link} lead={lead} onChoose={(other) => void merge(other)} />
      <div className="correct-actions">
        <Button className="mini-button" onPress={() => setOpen(false)}>
          <Text id="staff.cancel" />
        </Button>
      </div>
    </div>
  );
}

type OtherLeadProps = {
  readonly link: Link;
  readonly lead: LeadDetail;
  readonly onChoose: (lead: LeadLine) => void;
};

const mostShown = 6;

/** Leads that match the typed text or, before any typing, the e-mail address or else the name of this lead. */
function OtherLead({ link, lead, onChoose }: OtherLeadProps) {
  const text = useText();
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim()) || (lead.email ?? lead.name ?? '');
  const found = useQuery({
    queryKey: ['leads', 'merge', search],
    enabled: search !== '',
    placeholderData: keepPreviousData,
    queryFn: () =>
      link.call((client, signal) =>
        client.leads.page(
          { filter: { search }, sort: 'latest', from: { position: 0 }, limit: mostShown + 1 },
          { signal },
        ),
      ),
  });
  const others = (found.data?.leads ?? []).filter(({ id }) => id !== lead.id).slice(0, mostShown);
  return (
    <div className="person-search">
      <SearchField value={typed} maxLength={200} autoFocus onChange={setTyped}>
        <Label className="only-heard">{text('merge.search')}</Label>
        <Input className="small-field person-field" placeholder={text('merge.search')} />
      </SearchField>
      <ul>
        {others.map((other) => (
          <li key={other.id}>
            <Button className="person" onPress={() => onChoose(other)}>
              <LeadName lead={other} />
              <span>
                <bdi>{[other.jobTitle, other.company, other.email].filter(Boolean).join(' · ')}</bdi>
                {other.name === null || other.badgeTail === '' ? null : (
                  <>
                    {' · '}
                    <Text id="lead.badgeTail" values={{ tail: other.badgeTail }} />
                  </>
                )}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {found.data && others.length === 0 && typed.trim() !== '' ? (
        <p role="status">
          <Text id="merge.nobody" />
        </p>
      ) : null}
    </div>
  );
}
