/**
 * The demo badges: their names, and the cards that play them.
 *
 * Invariant: the list is data of the demo event (`assets/demo/badges.json`) and validated when read.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { meaningOfUid, uidOfText } from '../../core/foundations/badge/uid.ts';
import type { VirtualCard } from '../../devices/virtual/virtual-card.ts';

const demoBadgesSchema = z.array(
  z.object({
    code: z.string(),
    alias: z.string(),
    name: z.string(),
    kind: z.enum(['visitor', 'unknown', 'phone', 'unreadable']),
    says: z.string(),
  }),
);

export type DemoBadge = z.infer<typeof demoBadgesSchema>[number];

/** A badge to play: its title, its card, and the expected result in the app. */
export type BadgeToPlay = {
  readonly title: string;
  readonly card: VirtualCard;
  readonly expected: 'captured' | 'phone' | 'notRead';
};

/** Reads the demo badges that come with the app from their file. */
export function readDemoBadges(file: URL): readonly DemoBadge[] {
  return demoBadgesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** One line per badge, code first. */
export function listOfBadges(badges: readonly DemoBadge[]): string {
  const codes = Math.max(0, ...badges.map((badge) => badge.code.length));
  const aliases = Math.max(0, ...badges.map((badge) => badge.alias.length));
  return badges
    .map(
      ({ code, alias, name, says }) =>
        `${code.padEnd(codes)}  ${alias.padEnd(aliases)}  ${name === '' ? '' : `${name} — `}${says}\n`,
    )
    .join('');
}

/** Finds a demo badge by code, alias or name, or makes a badge for a UID. Returns a sentence if none or several fit. */
export function findBadge(wanted: string, badges: readonly DemoBadge[]): BadgeToPlay | string {
  const uid = uidOfText(wanted);
  const plain = plainName(wanted);
  const exact = badges.find(
    ({ code, alias, name }) => code === (uid ?? wanted) || alias === plain || plainName(name) === plain,
  );
  const near = badges.filter(({ name }) => plain !== '' && plainName(name).includes(plain));
  const badge = exact ?? (near.length === 1 ? near[0] : undefined);
  if (badge !== undefined) return badgeToPlay(badge);
  if (uid !== null) {
    const expected = meaningOfUid(uid, '') === 'phone' ? 'phone' : 'captured';
    return { title: `a badge with the UID ${uid}`, card: { kind: 'type2', uid }, expected };
  }
  return near.length > 1
    ? `Several demo badges are called "${wanted}": ${near.map(({ alias }) => alias).join(', ')}.`
    : `There is no demo badge "${wanted}", and it is not a UID of 4, 7 or 10 bytes in hex; --list shows the badges.`;
}

function badgeToPlay({ code, alias, name, kind }: DemoBadge): BadgeToPlay {
  const title = `${name === '' ? alias : name} (${code})`;
  if (kind === 'phone') return { title, card: { kind: 'phone', uid: code }, expected: 'phone' };
  if (kind === 'unreadable') return { title, card: { kind: 'mute' }, expected: 'notRead' };
  return { title, card: { kind: 'type2', uid: code }, expected: 'captured' };
}

/** Lower case without accents, so that a name can be typed on any keyboard. */
function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .trim();
}
