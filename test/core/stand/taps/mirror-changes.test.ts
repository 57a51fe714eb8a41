/** The effects that changed visitors have on leads: late names, ambiguous names, erased people. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import type { WireRecord } from '../../../../src-main/core/foundations/api/page.ts';
import { nameAtStart, nameChangedVisitors } from '../../../../src-main/core/stand/taps/mirror-changes.ts';
import { ownFolder, tapOf } from '../../fixture.ts';
import { leadsIn, openJournal, pageOf, stamperOf } from '../../real-parts.ts';

const BADGE = '04990000DEAD01';

const visitor = (id: string, firstName: string, revision: bigint, deleted = false): WireRecord => ({
  id,
  revision,
  deleted,
  body: { id, revision: Number(revision), firstName, lastName: 'Late', badges: [{ code: BADGE }] },
});

/** A journal with one tap of an unknown badge, and a mirror that receives visitors. */
const unknownTap = () => {
  const folder = ownFolder();
  const journal = openJournal(join(folder, 'journal.db'), stamperOf());
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  journal.record(tapOf(BADGE), null);
  const learn = (record: WireRecord): void => {
    const { changed } = mirror.applyPage('visitors', pageOf('visitors', [record]), record.revision);
    nameChangedVisitors(journal, mirror, changed);
  };
  return { journal, mirror, learn, lead: () => leadsIn(journal)[0] };
};

it('names an unknown badge when the mirror receives its visitor (docs/laws.md#law-8)', () => {
  const { learn, lead } = unknownTap();
  expect(lead()).toMatchObject({ name: null, taps: 1 });
  learn(visitor('v1', 'Nadia', 1n));
  expect(lead()).toMatchObject({ name: 'Nadia Late', taps: 1 });
});

it('names the badge at the next start if the kiosk ended after the mirror had received the visitor', () => {
  const { journal, mirror, lead } = unknownTap();
  mirror.applyPage('visitors', pageOf('visitors', [visitor('v1', 'Nadia', 1n)]), 1n);
  expect(nameAtStart(journal.leads, mirror)).toBe(1);
  expect(lead()).toMatchObject({ name: 'Nadia Late' });
});

it('leaves a badge without a name if two people carry it', () => {
  const { mirror, learn, lead } = unknownTap();
  mirror.applyPage('visitors', pageOf('visitors', [visitor('v1', 'Nadia', 1n)]), 1n);
  learn(visitor('v2', 'Bob', 2n));
  expect(lead()).toMatchObject({ name: null });
});

it('erases a visitor whom the platform deleted', () => {
  const { journal, learn, lead } = unknownTap();
  learn(visitor('v1', 'Nadia', 1n));
  learn(visitor('v1', 'Nadia', 2n, true));
  expect(lead()?.name ?? null).toBeNull();
  expect(journal.outbox.counts()).toMatchObject({ captured: 1, parked: 1 });
});
