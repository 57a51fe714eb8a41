/**
 * The event of a simulated world: stands, registered visitors, and changes by its organisers.
 *
 * Invariant: a record never changes its partner.
 */
import type { Chance } from './chance.ts';
import type { ModelPlatform } from './model-platform.ts';

/** Touchpoints, each with its partner. */
export type Places = readonly { readonly touchpoint: string; readonly partner: string }[];

type Body = Record<string, unknown>;

/** Fills an empty platform. Returns the badges to tap. The platform refuses the last one for good. */
export const populate = (platform: ModelPlatform, chance: Chance, places: Places): readonly string[] => {
  for (const id of new Set(places.map(({ partner }) => partner)))
    platform.put('partners', id, { id, name: `Partner ${id}` });
  for (const { touchpoint: id, partner } of places)
    platform.put('touchpoints', id, { id, name: id, partnerID: partner, purpose: 'lead' });
  const badges = Array.from(
    { length: 14 },
    (_, index) => `0400000000${(index + 16).toString(16).toUpperCase()}00`,
  );
  for (const [index, code] of badges.slice(0, 8).entries())
    platform.put('visitors', `v${index}`, visitorBody(`v${index}`, code, chance));
  for (let index = 0; index < 9; index += 1)
    platform.put('contents', `c${index}`, { id: `c${index}`, partnerID: partnerOf(index, places) });
  platform.poison.add(badges.at(-1) ?? '');
  return badges;
};

/** Changes or deletes one record of the event. */
export const change = (
  platform: ModelPlatform,
  chance: Chance,
  badges: readonly string[],
  places: Places,
): void => {
  const index = chance.between(0, 12);
  const deleted = chance.hits(0.15);
  const resource = chance.pick([
    'visitors',
    'visitors',
    'contents',
    'labels',
    'activities',
    'connections',
  ] as const);
  const id = `${resource[0]}${index}`;
  if (resource === 'visitors') {
    platform.put(resource, id, visitorBody(id, badges[index] ?? '', chance), deleted);
  } else {
    const whose = {
      partnerID: partnerOf(index, places),
      ...(resource === 'connections' ? { type: 'partner' } : {}),
    };
    platform.put(resource, id, { id, ...whose, note: chance.between(1, 9) }, deleted);
  }
};

const partnerOf = (index: number, places: Places): string => places[index % places.length]?.partner ?? '';

const visitorBody = (id: string, code: string, chance: Chance): Body => ({
  id,
  firstName: `First${chance.between(1, 99)}`,
  lastName: id,
  badges: [{ type: 'nfc', code }],
});
