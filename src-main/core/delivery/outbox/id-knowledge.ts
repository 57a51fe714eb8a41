/**
 * Whether this platform honours the ids of facts, according to its answers.
 *
 * Invariants:
 * - A platform that answers `duplicate` honours ids. One that answers `created` for a fact that it had already accepted
 *   ignores ids. Before such an answer this is unknown.
 * - The result is stored with the facts.
 */
import type { ItemResult } from '../../foundations/api/write-extension.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { OutboxItem } from '../../journal/facts/outbox.ts';
import type { Settings } from '../../journal/facts/settings.ts';

export type IdKnowledge = {
  readonly areHonoured: () => boolean;
  readonly areIgnored: () => boolean;
  /** Whether the platform lost actions and some facts still wait for a second confirmation. */
  readonly wasSetBack: () => boolean;
  readonly noteSetBack: (setBack: boolean) => void;
  /** Learns from the answers to items that were sent again although the platform had answered them before. */
  readonly learn: (results: readonly ItemResult[], asked: readonly OutboxItem[]) => void;
};

/** The knowledge about the platform of one store of facts. */
export function createIdKnowledge(settings: Pick<Settings, 'get' | 'set'>): IdKnowledge {
  return {
    areHonoured: () => settings.get('honoursIds') === 'yes',
    areIgnored: () => settings.get('honoursIds') === 'no',
    wasSetBack: () => settings.get('platformSetBack') === 'yes',
    noteSetBack: (setBack) => {
      const known = settings.get('platformSetBack') === 'yes';
      if (known !== setBack) settings.set('platformSetBack', setBack ? 'yes' : 'no');
    },
    learn: (results, asked) => {
      const created = new Set(results.filter(({ result }) => result === 'created').map(({ id }) => id));
      if (results.some(({ result }) => result === 'duplicate')) settings.set('honoursIds', 'yes');
      else if (
        settings.get('honoursIds') === null &&
        asked.some((item) => created.has(item.id) && !item.isLookedForAnew)
      )
        settings.set('honoursIds', 'no');
    },
  };
}

/** How many facts may have arrived twice. 0 at a platform that honours ids. */
export function countPossiblyTwice({ settings, outbox }: Pick<Journal, 'settings' | 'outbox'>): number {
  return createIdKnowledge(settings).areHonoured() ? 0 : outbox.repeated();
}
