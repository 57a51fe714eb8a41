/**
 * The breaches that `npm run mutations` plants in what many devices at a hub promise together.
 *
 * Invariants: those of `list.ts`.
 */
import type { Mutation } from './list.ts';

export const fleetMutations: readonly Mutation[] = [
  {
    name: 'lost-at-the-hub-for-good',
    promise: 'docs/laws.md#law-2: what a hub does not hold any more is sent to it again',
    file: 'src-main/core/journal/facts/outbox-changes.ts',
    find: "UPDATE outbox SET state = 'due', reason = 'the hub does not hold it any more', at_box = 0, changed_at = @at",
    replace:
      "UPDATE outbox SET state = 'sent', reason = 'the hub does not hold it any more', at_box = 0, changed_at = @at",
    tests: ['test/simulation/fleet.test.ts'],
  },
  {
    name: 'team-facts-in-own-sum',
    promise: 'docs/laws.md#law-2: what another laptop of the team captured is in no sum of this one',
    file: 'src-main/core/journal/facts/outbox.ts',
    find: 'counts[state] -= n;',
    replace: 'counts[state] -= 0 * n;',
    tests: ['test/simulation/fleet.test.ts'],
  },
  {
    name: 'hub-sends-what-was-out',
    promise: 'docs/laws.md#law-3: what may have gone through another hub is looked for upstream first',
    file: 'src-platform/hub/accept.ts',
    find: 'const isDoubtful = wereOut || Date.parse(item.at) < since;',
    replace: 'const isDoubtful = wereOut && Date.parse(item.at) > since + 1e15;',
    tests: ['test/simulation/fleet.test.ts'],
  },
  {
    name: 'ghosts-at-the-hub',
    promise: 'docs/laws.md#law-4: what upstream deleted is served by the hub no more',
    file: 'src-hub/bridge.ts',
    find: 'copier.note(resource, ids);',
    replace: 'copier.note(resource, ids.slice(1));',
    tests: ['test/simulation/fleet.test.ts'],
  },
  {
    name: 'set-back-without-proof',
    promise: 'docs/laws.md#law-3: what a platform does not tell is no proof that it lost anything',
    file: 'src-main/core/delivery/outbox/confirmer.ts',
    find: 'if (tells) for (const item of unseen)',
    replace: 'for (const item of unseen)',
    tests: ['test/core/delivery/outbox/comparison.test.ts'],
  },
];
