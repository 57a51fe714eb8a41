/**
 * The contact details of a person, with buttons to copy, write and call.
 *
 * Invariant: a correction by the team is shown with the platform's value beside it; an uncorrected company is shown
 * below the name.
 */
import type { LeadDetail } from '../../../src-main/contract/leads.ts';
import type { MessageId } from '../../messages/catalogue.ts';
import { Text, useText } from '../../messages/text.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { EmailWords } from '../parts/email-words.tsx';
import { usePlaceWords } from '../parts/place-words.ts';

/** The part; empty if nothing is known. */
export function ContactPart({ lead }: { readonly lead: LeadDetail }) {
  const placeWords = usePlaceWords();
  const { person, email, phone, place } = lead;
  const address = placeWords(
    person.address === null ? place : [person.address, person.country].filter(isWord).join(', '),
  );
  if (email === null && phone === null && address === null) return null;
  return (
    <dl className="detail-fields contact">
      <Line
        label="lead.email"
        value={email}
        original={person.email.original}
        href={email && `mailto:${email}`}
      />
      <Line
        label="lead.phone"
        value={phone}
        original={person.phone.original}
        href={phone && `tel:${phone.replace(/[^\d+]/g, '')}`}
      />
      <Line label="lead.address" value={address} original={address} href={null} />
      {lead.company === person.company.original ? null : (
        <Line label="lead.company" value={lead.company} original={person.company.original} href={null} />
      )}
    </dl>
  );
}

function isWord(part: string | null, index: number, parts: readonly unknown[]): part is string {
  return part !== null && parts.indexOf(part) === index;
}

type LineProps = {
  readonly label: MessageId;
  readonly value: string | null;
  readonly original: string | null;
  readonly href: string | null;
};

function Line({ label, value, original, href }: LineProps) {
  const text = useText();
  if (value === null) return null;
  return (
    <div>
      <dt>
        <Text id={label} />
      </dt>
      <dd>
        <span>
          {href === null ? (
            <bdi>{value}</bdi>
          ) : (
            <a href={href}>{value.includes('@') ? <EmailWords email={value} /> : <bdi>{value}</bdi>}</a>
          )}
          {original !== null && original !== value ? (
            <span className="original">
              <Text id="lead.original" values={{ value: original }} />
            </span>
          ) : null}
        </span>
        <CopyButton value={value} label={text('lead.copyWhat', { what: text(label) })} />
      </dd>
    </div>
  );
}
