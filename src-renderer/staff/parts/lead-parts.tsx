/**
 * Small parts that list and details share: name, rating, hot mark, delivery state.
 *
 * Invariant: an unknown badge is identified by its last characters, never by an invented name.
 */
import type { LeadLine } from '../../../src-main/contract/leads.ts';
import { Text, useText } from '../../messages/text.tsx';
import { useLeadWords } from './lead-words.ts';

type Who = Pick<LeadLine, 'id' | 'name'>;

/** Initials on a colour that is always the same for a lead. */
export function Avatar({ lead }: { readonly lead: Who }) {
  return (
    <span className="avatar" data-hue={lead.name === null ? 'none' : hueOf(lead.id)} aria-hidden="true">
      {lead.name === null ? '?' : initialsOf(lead.name)}
    </span>
  );
}

/** The name, or the label of the unknown badge. */
export function LeadName({ lead }: { readonly lead: Pick<LeadLine, 'name' | 'badgeTail'> }) {
  if (lead.name !== null) return <bdi>{lead.name}</bdi>;
  return lead.badgeTail === '' ? (
    <Text id="lead.nobody" />
  ) : (
    <Text id="lead.unknown" values={{ tail: lead.badgeTail }} />
  );
}

/** The delivery state of the lead's facts, in one word. */
export function DeliveryWord({ lead }: { readonly lead: Pick<LeadLine, 'undone' | 'delivery'> }) {
  const state = lead.undone ? 'undone' : lead.delivery;
  return (
    <span className="delivery-word" data-state={state}>
      <Text id={`lead.delivery.${state}`} />
    </span>
  );
}

/** The team's rating as stars; nothing if there is none. */
export function Stars({ rating }: { readonly rating: number | null }) {
  const text = useText();
  if (rating === null) return null;
  return (
    <span className="stars" role="img" aria-label={text('lead.ratingOf', { rating })}>
      {'★'.repeat(rating)}
      <span className="stars-left">{'☆'.repeat(5 - rating)}</span>
    </span>
  );
}

/** The hot mark with its reason. It has no reason if the rating beside it is the reason. */
export function HotWord({ hot }: { readonly hot: LeadLine['hot'] }) {
  const words = useLeadWords();
  const { is, why } = hot;
  if (!is || why === null) return null;
  return (
    <span className="hot">
      <span aria-hidden="true">●</span> {why.kind === 'rating' ? <Text id="filter.hot" /> : null}
      {why.kind === 'answer' ? (
        <Text id="hot.answer" values={{ answer: words.option(why.question, why.option) }} />
      ) : null}
      {why.kind === 'contents' || why.kind === 'visits' ? (
        <Text id={`hot.${why.kind}`} values={{ count: why.count }} />
      ) : null}
    </span>
  );
}

/** The first letters of first and last name. An Arabic article is skipped, and the letters are not joined. */
function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/);
  const last = parts.length > 1 ? parts.at(-1)?.replace(/^(?:ال|al-|el-)(?=\p{L})/iu, '') : undefined;
  const letters = [parts[0], last]
    .map((part) => [...(part ?? '')][0] ?? '')
    .filter((letter) => letter !== '');
  return letters.join(/\p{Script=Arabic}/u.test(letters.join('')) ? ' ' : '').toLocaleUpperCase();
}

function hueOf(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return sum % 5;
}
