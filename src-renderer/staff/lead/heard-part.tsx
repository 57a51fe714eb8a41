/**
 * The visitor's interests (consents with their notice, answers, contents), visits and badges, and the staff who met the
 * visitor.
 *
 * Invariant: a consent is shown with the version and language of its notice, and its time.
 */
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { askedAbout } from '../../../src-main/contract/form-rules.ts';
import type { LeadDetail } from '../../../src-main/contract/leads.ts';
import type { MessageId } from '../../messages/catalogue.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';
import { useLeadWords, type Words } from '../parts/lead-words.ts';

/** Consents, answers and contents of the visitor. */
export function WantsPart({ lead, clock }: { readonly lead: LeadDetail; readonly clock: Clock }) {
  const words = useLeadWords();
  return (
    <dl className="detail-fields">
      <Field label="lead.consent">
        <Consent lead={lead} clock={clock} words={words} />
      </Field>
      {heardAnswers(lead, words).map(({ question, answer }) => (
        <div key={question}>
          <dt>
            <bdi>{words.question(question)}</bdi>
          </dt>
          <dd>
            <bdi>{words.answer(question, answer)}</bdi>
          </dd>
        </div>
      ))}
      {lead.contentsTaken.length > 0 ? (
        <Field label="lead.contents">
          <ul>
            {lead.contentsTaken.map(({ content }) => (
              <li key={content}>
                <bdi>{words.content(content)}</bdi>
              </li>
            ))}
          </ul>
        </Field>
      ) : null}
    </dl>
  );
}

/**
 * Answers that the controls of the team's form do not show: the visitor's answers, and answers to questions that are
 * no longer asked.
 */
function heardAnswers(lead: LeadDetail, { form }: Words): LeadDetail['answers'] {
  const shown = new Set(askedAbout(form, lead).map(({ id }) => id));
  return lead.answers.filter(({ question }) => !shown.has(question));
}

/** The visits, and the members of staff who met the visitor. */
export function MetPart({ lead, clock }: { readonly lead: LeadDetail; readonly clock: Clock }) {
  return (
    <dl className="detail-fields">
      <Field label="lead.visits">
        <Visits lead={lead} clock={clock} />
      </Field>
      {lead.team.length > 0 ? (
        <Field label="lead.team">
          <bdi>{lead.team.join(', ')}</bdi>
        </Field>
      ) : null}
      {lead.elsewhere && lead.elsewhere.count > 0 ? (
        <Field label="lead.elsewhere">
          <Text id="lead.elsewhereCount" values={{ count: lead.elsewhere.count }} />
        </Field>
      ) : null}
      {lead.others.length > 0 ? (
        <Field label="lead.others">
          <ul>
            {lead.others.map((other) => (
              <li key={other.lead}>
                <bdi>{othersWords(other)}</bdi>
              </li>
            ))}
          </ul>
        </Field>
      ) : null}
      {lead.badges.length > 0 ? (
        <Field label="lead.badge">
          <bdi className="code">{lead.badges.join(', ')}</bdi>
        </Field>
      ) : null}
    </dl>
  );
}

function Consent({
  lead: { consent },
  clock,
  words,
}: {
  readonly lead: LeadDetail;
  readonly clock: Clock;
  readonly words: Words;
}) {
  const intl = useIntl();
  if (consent === null) return <Text id="consent.notAsked" />;
  const yes = Object.keys(consent.agreed).filter((id) => consent.agreed[id] === true);
  const language = new Intl.DisplayNames([intl.locale], { type: 'language' }).of(consent.language);
  return (
    <>
      {yes.length > 0 ? <bdi>{yes.map(words.consent).join(' · ')}</bdi> : <Text id="consent.refused" />}
      <span className="original">
        <Text
          id="consent.notice"
          values={{
            version: consent.notice,
            language: language ?? consent.language,
            time: clock(consent.at),
          }}
        />
      </span>
    </>
  );
}

/** Taps with their times, separate from entries by the team. */
function Visits({ lead, clock }: { readonly lead: LeadDetail; readonly clock: Clock }) {
  const written = lead.visits.filter(({ byHand }) => byHand);
  const tapped = lead.visits.filter(({ byHand }) => !byHand);
  const times = (visits: LeadDetail['visits']) =>
    visits.length > 0 ? `: ${visits.map(({ at }) => clock(at)).join(', ')}` : null;
  return (
    <>
      {written.length > 0 ? (
        <span className="visit-kind">
          <Text id="event.added" />
          {times(written)}
        </span>
      ) : null}
      {lead.taps > 0 || written.length === 0 ? (
        <span className="visit-kind">
          <Text id="lead.taps" values={{ count: lead.taps }} />
          {times(tapped)}
        </span>
      ) : null}
    </>
  );
}

function othersWords({ name, jobTitle, company, email, phone }: LeadDetail['others'][number]): string {
  return [name, jobTitle, company, email, phone].filter(Boolean).join(' · ');
}

function Field({ label, children }: { readonly label: MessageId; readonly children: ReactNode }) {
  return (
    <div>
      <dt>
        <Text id={label} />
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
