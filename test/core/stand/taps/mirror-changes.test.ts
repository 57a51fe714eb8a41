/** The effects that changed visitors have on leads: late names, ambiguous names, erased people. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import type { WireRecord } from '../../../../src-main/core/foundations/api/page.ts';
import {
  createMirrorChanges,
  nameAtStart,
  nameChangedVisitors,
} from '../../../../src-main/core/stand/taps/mirror-changes.ts';
import { ownFolder, tapOf, until, visitorOf } from '../../fixture.ts';
import { leadsIn, openJournal, pageOf, stamperOf } from '../../real-parts.ts';
import { leadsOn } from '../../screen.ts';
import { EXPO, fill, openStandKiosk, smallFair } from '../visit/stand-kiosk.ts';

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

it('erases every visitor whose removal is in the mirror but not in the journal, and no other', async () => {
  const folder = ownFolder();
  const journal = openJournal(join(folder, 'journal.db'), stamperOf());
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  // One visitor more than a slice.
  const ids = Array.from({ length: 501 }, (_, n) => `v${1_000 + n}`);
  for (const id of ids) journal.record(tapOf(id, id), visitorOf(id, 'Nadia Late'));
  const gone = ['v1000', 'v1500'];
  const records = ids.map((id) => visitor(id, 'Nadia', 1n, gone.includes(id)));
  mirror.applyPage('visitors', pageOf('visitors', records), 1n);
  const changes = createMirrorChanges({
    ...{ journal, mirror, onTouchpoints: () => undefined },
    stand: { follow: () => undefined, forget: () => undefined, readAnew: () => undefined },
  });
  const { signal } = new AbortController();
  expect(await changes.eraseRemoved(signal)).toBe(2);
  const left = leadsIn(journal).flatMap((lead) => lead.visitor ?? []);
  expect(left.toSorted()).toEqual(ids.slice(1, -1));
  expect(await changes.eraseRemoved(signal)).toBe(0);
});

it.each(['by a page', 'by a pass'])(
  'a device that ended between the removal of a visitor %s and the erasure of the lead erases it at the next start',
  async (how) => {
    const fair = smallFair();
    const device = openStandKiosk({
      stand: { touchpoint: 'lead1' },
      prepare: (mirror) => fill(mirror, fair),
    });
    await device.tap('04AA00000000A1');
    await device.tap('04AA00000000A2');
    await device.stop();
    const mirror = openMirror(join(device.folder, 'mirror.db'), EXPO);
    if (how === 'by a page')
      mirror.applyPage('visitors', pageOf('visitors', [visitor('v1', '', 99n, true)]), 99n);
    else fill(mirror, { visitors: (fair.visitors ?? []).slice(1) });
    mirror.close();
    const next = openStandKiosk({ folder: device.folder, stand: { touchpoint: 'lead1' } });
    const page = await next.staff();
    await until('one lead is left', async () => (await leadsOn(page)).counts.people === 1);
    expect((await leadsOn(page)).leads).toMatchObject([{ name: 'First v2 Last v2' }]);
    expect(next.kiosk.state().delivery).toMatchObject({ captured: 2, parked: 1 });
  },
);
