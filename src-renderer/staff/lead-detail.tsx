/**
 * What is known of one lead.
 *
 * Invariant: shows what the lead carries and nothing else; empty fields take no room.
 */
import type { ReactNode } from 'react';
import type { Lead } from '../../src-main/contract/lead.ts';
import type { MessageId } from '../messages/catalogue.ts';
import type { Clock } from '../messages/clock.ts';
import { Text, useText } from '../messages/text.tsx';
import { Avatar, DeliveryWord, LeadName } from './lead-parts.tsx';

/** The details of `lead`. */
export function LeadDetail({ lead, clock }: { readonly lead: Lead; readonly clock: Clock }) {
  const text = useText();
  return (
    <section className="detail" aria-label={text('staff.details')}>
      <header className="detail-head">
        <Avatar lead={lead} />
        <div>
          <h2>
            <LeadName lead={lead} />
          </h2>
          <p>
            <bdi>{lead.company}</bdi>
          </p>
        </div>
      </header>
      <p className="detail-delivery">
        <DeliveryWord lead={lead} />
        <Text id={`lead.deliverySentence.${lead.undone ? 'undone' : lead.delivery}`} />
      </p>
      <dl className="detail-fields">
        <Field label="lead.jobTitle" value={lead.jobTitle} />
        <Field label="lead.place" value={lead.place} />
        <Field label="lead.first" value={clock(lead.firstAt)} />
        {lead.taps > 1 ? <Field label="lead.last" value={clock(lead.lastAt)} /> : null}
        <Field label="lead.tapCount" value={<Text id="lead.taps" values={{ count: lead.taps }} />} />
        {lead.rating === null ? null : (
          <Field label="lead.rating" value={<Text id="lead.ratingOf" values={{ rating: lead.rating }} />} />
        )}
        <Field label="lead.badge" value={<Text id="lead.badgeTail" values={{ tail: lead.badgeTail }} />} />
      </dl>
      {lead.name === null ? (
        <p className="detail-note">
          <Text id="lead.unknownNote" />
        </p>
      ) : null}
    </section>
  );
}

function Field({ label, value }: { readonly label: MessageId; readonly value: ReactNode }) {
  if (value === null || value === '') return null;
  return (
    <div>
      <dt>
        <Text id={label} />
      </dt>
      <dd>{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd>
    </div>
  );
}
