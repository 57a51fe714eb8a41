/**
 * One line of words per event of a lead, for the timeline and for the undo button.
 *
 * Invariants: an event without words is shown as it is, never left out; names are given in full.
 */
import type { LeadEvent } from '../../../src-main/contract/leads.ts';
import type { Answer } from '../../../src-main/contract/stand.ts';
import type { useText } from '../../messages/text.tsx';
import type { Words } from '../parts/lead-words.ts';

export type EventWording = {
  readonly text: ReturnType<typeof useText>;
  readonly words: Words;
  /** A day `YYYY-MM-DD` in words. */
  readonly day: (day: string) => string;
};

const longestNote = 160;

/** The event in words. */
export function eventText(wording: EventWording, event: LeadEvent): string {
  const { text, words } = wording;
  switch (event.kind) {
    case 'collect':
      return text('event.collect', { content: words.content(event.content ?? '') });
    case 'consent': {
      const yes = Object.keys(event.fields).filter((id) => event.fields[id] === true);
      return yes.length > 0
        ? text('event.consent', { what: yes.map(words.consent).join(', ') })
        : text('event.consentNone');
    }
    case 'qualify':
    case 'note':
    case 'correct':
      return Object.entries(event.fields)
        .map(([name, value]) => fieldText(wording, name, value))
        .filter(Boolean)
        .join(' · ');
    case 'attach':
      return attachedText(wording, event.attached);
    case 'tap':
      return text(event.byHand ? 'event.added' : 'event.tap');
    default:
      return text(`event.${event.kind}`);
  }
}

function attachedText({ text }: EventWording, attached: LeadEvent['attached']): string {
  const { how = 'attached', name = null, badgeTail = '' } = attached ?? {};
  const badge = badgeTail === '' ? '' : text('lead.unknown', { tail: badgeTail });
  if (how === 'merged') return text('event.merged', { name: name ?? (badge || text('lead.nobody')) });
  if (name === null) return text('event.attach');
  return text('event.attached', { tail: badgeTail, name });
}

/** What a fact set in one field. */
function fieldText({ text, words, day }: EventWording, name: string, value: unknown): string {
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
        ? text('event.note', { note: cut(value) })
        : text('event.noteNone');
    case 'answers':
      return answersText({ text, words, day }, value);
    case 'language':
      return '';
    case 'followUpOn':
      return value ? text('event.followUpOn', { day: day(String(value)) }) : text('event.followUpNone');
    case 'followUpBy':
      return value ? text('event.followUpBy', { name: String(value) }) : text('event.followUpByNone');
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

/** Question and answer; an invalid answer is reported only as answered. */
function answersText({ text, words }: EventWording, value: unknown): string {
  const given = Object.entries(Object(value)).flatMap(([question, answer]) => {
    const known = toAnswer(answer);
    return known === null
      ? []
      : [
          text('event.answer', {
            question: words.question(question),
            answer: cut(words.answer(question, known)),
          }),
        ];
  });
  return given.length === 0 ? text('event.answered') : given.join(' · ');
}

function toAnswer(value: unknown): Answer | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.map(String) : null;
}

function cut(note: string): string {
  return note.length > longestNote ? `${note.slice(0, longestNote)} …` : note;
}
