/**
 * The other people of a lead's company, and the company under which the team puts this lead.
 *
 * Invariants:
 * - The registered name is kept.
 * - If the field is emptied, the rule for spellings applies again.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { LeadDetail } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { listOf } from '../address/lead-view.ts';
import type { Edits } from './edits.ts';

type CompanyPartProps = {
  readonly link: Link;
  readonly lead: LeadDetail;
  readonly clock: Clock;
  readonly edits: Edits;
};

/** The part. Empty without a company. */
export function CompanyPart({ link, lead, clock, edits }: CompanyPartProps) {
  const text = useText();
  const [draft, setDraft] = useState<string | null>(null);
  const found = useQuery({
    queryKey: ['companies', 'of', lead.id, lead.lastAt],
    queryFn: () => link.call((client, signal) => client.leads.company({ lead: lead.id }, { signal })),
  });
  const company = found.data;
  if (!company) return null;
  const { company: name, people, hot, lastAt } = company;
  const keep = () => {
    const group = draft?.trim() ?? '';
    void edits.edit(lead.id, { companyGroup: group === '' ? null : group });
    setDraft(null);
  };
  return (
    <div className="company-part">
      {people > 1 ? (
        <a className="mini-button" href={listOf({ company: name })}>
          <Text id="company.figures" values={{ company: name, people, hot, time: clock(lastAt) }} />
        </a>
      ) : null}
      {draft === null ? (
        <Button className="mini-button" onPress={() => setDraft(lead.companyGroup ?? name)}>
          <Text id="company.other" />
        </Button>
      ) : (
        <Form
          className="company-merge"
          onSubmit={(event) => {
            event.preventDefault();
            keep();
          }}
        >
          <input
            className="small-field"
            // biome-ignore lint/a11y/noAutofocus: the user just asked for this field
            autoFocus
            maxLength={200}
            aria-label={text('company.belongs')}
            placeholder={text('company.byRule')}
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
          />
          <Button type="submit" className="mini-button">
            <Text id="company.keep" />
          </Button>
          <Button className="mini-button" onPress={() => setDraft(null)}>
            <Text id="staff.cancel" />
          </Button>
        </Form>
      )}
    </div>
  );
}
