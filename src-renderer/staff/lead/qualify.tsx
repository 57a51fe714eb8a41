/**
 * Qualifies a lead in three seconds: rating, labels, note, follow-up, the stand's form. Each edit is a separate fact.
 *
 * Invariant: pressing the current star again clears the rating; pressing a label again removes it.
 */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useContext } from 'react';
import { Group, ToggleButton } from 'react-aria-components';
import { isDay } from '../../../src-main/contract/form-rules.ts';
import type { LeadField } from '../../../src-main/contract/lead-fields.ts';
import type { LeadDetail } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import type { Entry } from '../entry/entry.ts';
import { useDayWords } from '../parts/day-words.ts';
import { dayFrom } from '../parts/event-days.ts';
import { useLeadWords } from '../parts/lead-words.ts';
import { MomentField } from '../parts/moment-field.tsx';
import { OnPhoneContext } from '../parts/on-phone-context.ts';
import type { Edits } from './edits.ts';
import { FormField } from './form-field.tsx';
import { NewLabel } from './new-label.tsx';
import { NoteField } from './note-field.tsx';

const ratings = [1, 2, 3, 4, 5] as const;
const steps = ['call', 'meeting'] as const;

/** The parts: the rating (`worth`), interests (`wants`), and note and follow-up (`promised`). */
type QualifyAbout = 'worth' | 'wants' | 'promised';

type QualifyProps = {
  readonly link: Link;
  readonly entry: Entry;
  readonly lead: LeadDetail;
  readonly edits: Edits;
  /** The event's time zone, IANA name. */
  readonly timezone: string | undefined;
};

type Part = { readonly about: QualifyAbout; readonly Field: (props: QualifyProps) => ReactNode };

/** Where each field is edited, in the order of the screen. Null if the field has no part of its own here. */
const parts: Readonly<Record<LeadField, Part | null>> = {
  rating: { about: 'worth', Field: Rating },
  labels: { about: 'wants', Field: Labels },
  note: { about: 'promised', Field: NoteField },
  followUpOn: { about: 'promised', Field: FollowUp },
  followUpBy: null,
  // Edited in company-part.tsx. `FollowUp` edits the other fields without a part.
  companyGroup: null,
  followUpTime: null,
  followUpKind: null,
  form: { about: 'wants', Field: FormField },
};

/** The fields that are edited in one part of the page. */
export function Qualify(props: QualifyProps & { readonly about: QualifyAbout }) {
  const { link, entry, lead, edits, timezone, about } = props;
  return (
    <div className="qualify">
      {Object.entries(parts).map(([field, part]) =>
        part?.about === about ? (
          <part.Field key={field} link={link} entry={entry} lead={lead} edits={edits} timezone={timezone} />
        ) : null,
      )}
    </div>
  );
}

type PartProps = Pick<QualifyProps, 'lead' | 'edits'>;

function Rating({ lead, edits }: PartProps) {
  const text = useText();
  return (
    <Group className="star-row" aria-label={text('lead.rating')}>
      {ratings.map((rating) => (
        <ToggleButton
          key={rating}
          className="star-key"
          data-on={lead.rating !== null && rating <= lead.rating}
          isSelected={lead.rating === rating}
          aria-label={text('lead.ratingOf', { rating })}
          onChange={(on) => void edits.edit(lead.id, { rating: on ? rating : null })}
        >
          <span aria-hidden="true">★</span>
          <span className="star-number" aria-hidden="true">
            {rating}
          </span>
        </ToggleButton>
      ))}
    </Group>
  );
}

function Labels({ lead, edits }: PartProps) {
  const text = useText();
  const words = useLeadWords();
  const offered = [...new Set([...words.labels.map(({ id }) => id), ...lead.labels])];
  const set = (id: string, on: boolean) => {
    const labels = on ? [...lead.labels, id] : lead.labels.filter((label) => label !== id);
    void edits.edit(lead.id, { labels });
  };
  return (
    <Group className="lead-labels" aria-label={text('lead.labels')}>
      {offered.map((id) => (
        <ToggleButton
          key={id}
          className="label-chip"
          isSelected={lead.labels.includes(id)}
          onChange={(on) => set(id, on)}
        >
          <bdi>{words.label(id)}</bdi>
        </ToggleButton>
      ))}
      <NewLabel onAdd={(label) => set(label, true)} />
    </Group>
  );
}

/** Whether this screen is in another time zone than the event. */
function isElsewhere(timezone: string | undefined): boolean {
  return timezone !== undefined && timezone !== new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function FollowUp({ link, lead, edits, timezone }: Omit<QualifyProps, 'entry'>) {
  const text = useText();
  const dayWords = useDayWords();
  const team = useQuery({
    queryKey: ['team'],
    queryFn: () => link.call((client, signal) => client.staff.team(undefined, { signal })),
  });
  const { followUpOn: on, followUpBy: by, followUpTime: time, followUpKind: kind } = lead;
  // A time without a day does not make an appointment.
  const setDay = (day: string | null) =>
    void edits.edit(lead.id, day === null ? { followUpOn: null, followUpTime: null } : { followUpOn: day });
  const names = new Set([...(team.data?.members ?? []).map(({ name }) => name), ...(by ? [by] : [])]);
  const now = Date.now() + (useContext(OnPhoneContext)?.laptopAhead ?? 0);
  const days = [
    { id: 'followUp.tomorrow', day: dayFrom(now, 1, timezone) },
    { id: 'followUp.nextWeek', day: dayFrom(now, 7, timezone) },
  ] as const;
  return (
    <Group className="follow-up" aria-label={text('lead.followUp')}>
      <h3>
        <Text id="lead.followUp" />
      </h3>
      {days.map(({ id, day }) => (
        <ToggleButton
          key={id}
          className="label-chip"
          isSelected={on === day}
          onChange={(chosen) => setDay(chosen ? day : null)}
        >
          <Text id={id} />
        </ToggleButton>
      ))}
      <MomentField
        type="date"
        words={on === null ? text('followUp.on') : dayWords(on)}
        aria-label={text('followUp.on')}
        value={on ?? ''}
        onChange={({ target }) => {
          // The first digits of a typed year can already be a valid year.
          if (target.value === '' || isDay(target.value)) setDay(target.value || null);
        }}
      />
      <MomentField
        type="time"
        words={time ?? text('followUp.time')}
        aria-label={text('followUp.time')}
        disabled={on === null}
        value={time ?? ''}
        onChange={({ target }) =>
          void edits.edit(lead.id, { followUpTime: target.value.slice(0, 5) || null })
        }
      />
      {steps.map((step) => (
        <ToggleButton
          key={step}
          className="label-chip"
          isSelected={kind === step}
          onChange={(chosen) => void edits.edit(lead.id, { followUpKind: chosen ? step : null })}
        >
          <Text id={`followUp.${step}`} />
        </ToggleButton>
      ))}
      <select
        className="small-field"
        aria-label={text('followUp.by')}
        value={by ?? ''}
        onChange={({ target }) => void edits.edit(lead.id, { followUpBy: target.value || null })}
      >
        <option value="">{text('followUp.nobody')}</option>
        {[...names].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {on !== null && on < dayFrom(now, 0, timezone) ? (
        <p className="form-earlier" role="status">
          <Text id="followUp.over" />
        </p>
      ) : null}
      {time !== null && isElsewhere(timezone) ? (
        <p className="form-earlier">
          <Text id="followUp.zone" values={{ zone: timezone ?? 'UTC' }} />
        </p>
      ) : null}
    </Group>
  );
}
