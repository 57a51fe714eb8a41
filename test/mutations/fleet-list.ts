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
    find: "CASE WHEN fact.payload IS NULL THEN 'parked' ELSE 'due' END,",
    replace: "CASE WHEN fact.payload IS NULL THEN 'parked' ELSE 'sent' END,",
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
  {
    name: 'erased-fact-without-receipt',
    promise:
      'what became of a fact at the hub is asked until it is settled, also after its content was erased',
    file: 'src-main/core/journal/facts/outbox.ts',
    find: "WHERE of_team = ${ofTeam} AND state = 'sent' AND outbox.seq > ?",
    replace: "WHERE of_team = ${ofTeam} AND state = 'sent' AND wire IS NOT NULL AND outbox.seq > ?",
    tests: ['test/core/delivery/outbox/hub.test.ts'],
  },
  {
    name: 'erased-fact-due-again',
    promise: 'a fact whose content was erased is never sent again, whatever its hub lost',
    file: 'src-main/core/journal/facts/outbox-changes.ts',
    find: "SET state = CASE WHEN fact.payload IS NULL THEN 'parked' ELSE 'due' END,",
    replace: "SET state = 'due',",
    tests: ['test/core/delivery/outbox/hub.test.ts'],
  },
];
