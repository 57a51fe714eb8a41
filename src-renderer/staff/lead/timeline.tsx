/**
 * The whole of a lead as a timeline: what happened, by whom, and where each fact is.
 *
 * Invariant: what was overwritten or taken back stays in it and is marked as such.
 */
import { Button } from 'react-aria-components';
import type { LeadDetail, LeadEvent } from '../../../src-main/contract/leads.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { useLeadWords, type Words } from '../parts/lead-words.ts';
import type { Edits } from './edits.ts';

type TimelineProps = { readonly lead: LeadDetail; readonly clock: Clock; readonly edits: Edits };

/** The timeline, oldest first. */
export function Timeline({ lead, clock, edits }: TimelineProps) {
  const text = useText();
  const words = useLeadWords();
  return (
    <div className="timeline">
      <h3>
        <Text id="lead.timeline" />
      </h3>
      <ol>
        {lead.timeline.map((event) => (
          <li key={event.factId} data-undone={event.undone}>
            <time>{clock(event.at)}</time>
            <span className="timeline-what">
              <EventWords event={event} words={words} />
              <span className="timeline-more">
                {[words.touchpoint(event.touchpoint), event.staff].filter(Boolean).map((part) => (
                  <bdi key={part}>{part} · </bdi>
                ))}
                <span data-state={event.delivery}>
                  <Text id={`fact.${event.delivery}`} />
                </span>
                {event.reason === null ? null : <bdi> · {event.reason}</bdi>}
              </span>
            </span>
            {event.undoable ? (
              <Button
                className="mini-button"
                aria-label={text('edit.undoAt', { time: clock(event.at) })}
                onPress={() => edits.undo(event.factId)}
              >
                <Text id="edit.undo" />
              </Button>
            ) : null}
          </li>
        ))}
      </ol>
    </div>
  );
}

function EventWords({ event, words }: { readonly event: LeadEvent; readonly words: Words }) {
  switch (event.kind) {
    case 'collect':
      return <Text id="event.collect" values={{ content: words.content(event.content ?? '') }} />;
    case 'consent': {
      const agreed = event.fields;
      const yes = Object.keys(agreed).filter((id) => agreed[id] === true);
      return yes.length > 0 ? (
        <Text id="event.consent" values={{ what: yes.map(words.consent).join(', ') }} />
      ) : (
        <Text id="event.consentNone" />
      );
    }
    case 'qualify':
    case 'note':
    case 'correct':
      return <FieldWords fields={event.fields} words={words} />;
    default:
      return <Text id={`event.${event.kind}`} />;
  }
}

/** What a fact set, field by field. */
function FieldWords({ fields, words }: { readonly fields: LeadEvent['fields']; readonly words: Words }) {
  const text = useText();
  const said = Object.entries(fields).map(([name, value]) => wordsOf(text, words, name, value));
  return <bdi>{said.filter(Boolean).join(' · ')}</bdi>;
}

function wordsOf(text: ReturnType<typeof useText>, words: Words, name: string, value: unknown): string {
  switch (name) {
    case 'rating':
      return typeof value === 'number' ? text('event.rated', { rating: value }) : text('event.unrated');
    case 'labels': {
      const labels = Array.isArray(value) ? value.map(String) : [];
      return labels.length > 0
        ? text('event.labels', { labels: labels.map(words.label).join(', ') })
        : text('event.labelsNone');
    }
    case 'notes':
    case 'note':
      return typeof value === 'string' && value !== ''
        ? text('event.note', { note: value.length > 160 ? `${value.slice(0, 160)} …` : value })
        : text('event.noteNone');
    case 'answers':
      return text('event.answered');
    case 'language':
      return '';
    case 'followUpOn':
      return value ? text('event.followUpOn', { day: String(value) }) : text('event.followUpNone');
    case 'followUpBy':
      return value ? text('event.followUpBy', { name: String(value) }) : '';
    case 'firstName':
    case 'lastName':
    case 'company':
    case 'jobTitle':
    case 'email':
    case 'phone': {
      const what = { name: text(`lead.${name}`) };
      return typeof value === 'string'
        ? text('event.field', { ...what, value })
        : text('event.fieldBack', what);
    }
    default:
      return text('event.field', { name, value: typeof value === 'string' ? value : JSON.stringify(value) });
  }
}
