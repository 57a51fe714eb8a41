/**
 * One line of text for each event of a lead, for the timeline and for the undo button.
 *
 * Invariants:
 * - A field without its own text is shown with its name and value. Only `language` is left out.
 * - Names are given in full.
 */
import type { FactValues, PersonField } from '../../../src-main/contract/lead-fields.ts';
import type { LeadEvent } from '../../../src-main/contract/leads.ts';
import type { Answer } from '../../../src-main/contract/stand.ts';
import type { useText } from '../../messages/text.tsx';
import type { Words } from '../parts/lead-words.ts';

export type EventWording = {
  readonly text: ReturnType<typeof useText>;
  readonly words: Words;
  /** A day `YYYY-MM-DD` as text. */
  readonly day: (day: string) => string;
};

const longestNote = 160;

/** The event as text. */
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

type FieldText = (wording: EventWording, value: unknown) => string;

/** The text for a field by its name in facts. Null if there is none. */
const fieldTexts: Readonly<
  Record<keyof FactValues | PersonField | 'answers' | 'language' | 'attachment', FieldText | null>
> = {
  rating: ({ text }, value) =>
    typeof value === 'number' ? text('event.rated', { rating: value }) : text('event.unrated'),
  labels: ({ text, words }, value) => {
    const labels = Array.isArray(value) ? value.map(String) : [];
    return labels.length > 0
      ? text('event.labels', { labels: labels.map(words.label).join(', ') })
      : text('event.labelsNone');
  },
  notes: ({ text }, value) =>
    typeof value === 'string' && value !== ''
      ? text('event.note', { note: cut(value) })
      : text('event.noteNone'),
  followUpOn: ({ text, day }, value) =>
    value ? text('event.followUpOn', { day: day(String(value)) }) : text('event.followUpNone'),
  followUpBy: ({ text }, value) =>
    value ? text('event.followUpBy', { name: String(value) }) : text('event.followUpByNone'),
  companyGroup: ({ text }, value) =>
    value ? text('event.companyGroup', { company: String(value) }) : text('event.companyGroupNone'),
  followUpTime: ({ text }, value) =>
    value ? text('event.followUpTime', { time: String(value) }) : text('event.followUpTimeNone'),
  followUpKind: ({ text }, value) =>
    value === 'call' || value === 'meeting' ? text(`followUp.${value}`) : text('event.followUpKindNone'),
  answers: answersText,
  form: answersText,
  language: null,
  attachment: ({ text }, value) => text(Object(value).kind === 'voice' ? 'event.voice' : 'event.photo'),
  firstName: personText('firstName'),
  lastName: personText('lastName'),
  company: personText('company'),
  jobTitle: personText('jobTitle'),
  email: personText('email'),
  phone: personText('phone'),
};

function personText(field: PersonField): FieldText {
  return ({ text }, value) => {
    const name = text(`lead.${field}`);
    return typeof value === 'string'
      ? text('event.field', { name, value })
      : text('event.fieldBack', { name });
  };
}

/** The value of one field in a fact. */
function fieldText(wording: EventWording, name: string, value: unknown): string {
  if (isKnown(name)) return fieldTexts[name]?.(wording, value) ?? '';
  return wording.text('event.field', {
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  });
}

function isKnown(name: string): name is keyof typeof fieldTexts {
  return Object.hasOwn(fieldTexts, name);
}

/** Question and answer. If the answer is invalid, the text says only that there was one. */
function answersText({ text, words }: EventWording, value: unknown): string {
  const given = Object.entries(Object(value)).flatMap(([question, answer]) => {
    const known = toAnswer(answer);
    if (answer === null) return [text('event.answerNone', { question: words.question(question) })];
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
