/**
 * Small pieces that list and details share: who it is, in letters and words.
 *
 * Invariant: an unknown badge is told apart by its last characters, never by an invented name.
 */
import type { Lead } from '../../src-main/contract/lead.ts';
import { Text } from '../messages/text.tsx';

/** Initials on a colour that stays the lead's own. */
export function Avatar({ lead }: { readonly lead: Lead }) {
  return (
    <span className="avatar" data-hue={lead.name === null ? 'none' : hueOf(lead.id)} aria-hidden="true">
      {lead.name === null ? '?' : initialsOf(lead.name)}
    </span>
  );
}

/** The name, or which unknown badge it is. */
export function LeadName({ lead }: { readonly lead: Lead }) {
  return lead.name === null ? (
    <Text id="lead.unknown" values={{ tail: lead.badgeTail }} />
  ) : (
    <bdi>{lead.name}</bdi>
  );
}

/** Where the lead's facts are, in a word. */
export function DeliveryWord({ lead }: { readonly lead: Lead }) {
  const state = lead.undone ? 'undone' : lead.delivery;
  return (
    <span className="delivery-word" data-state={state}>
      <Text id={`lead.delivery.${state}`} />
    </span>
  );
}

function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/);
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map(
    (part) => [...(part ?? '')][0] ?? '',
  );
  return letters.join('').toLocaleUpperCase();
}

function hueOf(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return sum % 5;
}
