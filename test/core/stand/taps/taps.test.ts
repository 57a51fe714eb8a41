/**
 * From a reading to the outcome on the screen: docs/laws.md#law-1 and docs/laws.md#law-8, debounce, undo, and every
 * refusal.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TapEvent } from '../../../../src-main/contract/tap.ts';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { badgeOfText } from '../../../../src-main/core/foundations/badge/decode.ts';
import { openProfile } from '../../../../src-main/core/foundations/badge/profile.ts';
import { UNDO_MS } from '../../../../src-main/core/foundations/time/windows.ts';
import { readFactLines } from '../../../../src-main/core/journal/facts/fact-lines.ts';
import type { Journal } from '../../../../src-main/core/journal/facts/journal.ts';
import type { DeviceAssignment } from '../../../../src-main/core/stand/device/assignment.ts';
import { createTaps } from '../../../../src-main/core/stand/taps/taps.ts';
import { cardReading } from '../../../card-reading.ts';
import { handClock, ownFolder, rememberingLog } from '../../fixture.ts';
import { leadsIn, openJournal, pageOf, stamperOf } from '../../real-parts.ts';
import { tapParts } from './tap-parts.ts';

const KNOWN = '04A1B2C3D4E5F6';
const UNKNOWN = '04990000DEAD01';

const visitor = (id: string, first: string, last: string, code: string, revision: bigint) => ({
  id,
  revision,
  deleted: false,
  body: {
    id,
    revision: Number(revision),
    firstName: first,
    lastName: last,
    company: 'Ateliers',
    registrationState: 'registered',
    badges: [{ code }],
  },
});

const LEFT: DeviceAssignment = {
  touchpoint: 'tp1',
  partner: 'p1',
  deviceName: 'Left',
  purpose: 'lead',
  content: null,
  activity: null,
  location: null,
};

const open = (
  change: (journal: Journal) => Journal = (journal) => journal,
  assignment?: DeviceAssignment,
  folder = ownFolder(),
) => {
  const clock = handClock();
  const path = join(folder, 'journal.db');
  const journal = change(openJournal(path, stamperOf(clock)));
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  mirror.applyPage('visitors', pageOf('visitors', [visitor('v1', 'Amélie', 'Beaumont', KNOWN, 1n)]), 1n);
  const told: TapEvent[] = [];
  const durableWhenTold: string[][] = [];
  const log = rememberingLog();
  const parts = { journal, mirror, clock, log };
  const given = tapParts({ ...parts, ...(assignment === undefined ? {} : { assignment }) });
  const taps = createTaps({
    ...parts,
    ...given.taps,
    place: () => ({ touchpoint: 'tp1', partner: 'p1', clockOffset: null, staff: null }),
    badgeOfText: (text) => badgeOfText(text, openProfile),
    publish: (event) => {
      told.push(event);
      durableWhenTold.push([...(readFactLines(path) ?? [])].map((line) => line.id));
    },
    feedback: () => undefined,
  });
  let insertion = 0;
  const tap = (uid: string): TapEvent => {
    insertion += 1;
    taps.handle({ kind: 'inserted', reader: 'r', insertion });
    taps.handle({ kind: 'card', reader: 'r', insertion, card: cardReading(uid) });
    const last = told.at(-1);
    if (last === undefined) throw new Error('Expected the screen to be told');
    return last;
  };
  return {
    folder,
    clock,
    journal,
    mirror,
    taps,
    tapSessions: given.tapSessions,
    tap,
    told,
    durableWhenTold,
    log,
    lines: () => [...(readFactLines(path) ?? [])],
  };
};

describe('a tap', () => {
  it('is on disk and visible to another connection when the screen is notified (docs/laws.md#law-1)', () => {
    const { tap, durableWhenTold } = open();
    for (const uid of [KNOWN, UNKNOWN]) {
      const event = tap(uid);
      expect(durableWhenTold.at(-1)).toContain(event.kind === 'captured' ? event.factId : 'none');
    }
  });

  it('that collects a content has both on disk when the screen is notified, or neither', () => {
    let full = false;
    const { tap, durableWhenTold, lines, clock } = open(
      (journal) => ({
        ...journal,
        recordAll: (drafts, known) => {
          if (full) throw new Error('disk says no');
          return journal.recordAll(drafts, known);
        },
      }),
      { ...LEFT, purpose: 'content', content: 'c1' },
    );
    expect(tap(UNKNOWN).kind).toBe('captured');
    expect(durableWhenTold.at(-1)).toHaveLength(2);
    full = true;
    clock.pass(4_000);
    expect(tap(UNKNOWN)).toMatchObject({ kind: 'failed', reason: 'failing' });
    expect(lines()).toHaveLength(2);
  });

  it('is captured even if the check-ins cannot be read', () => {
    const { tap, log, lines } = open(
      (journal) => ({
        ...journal,
        replies: {
          ...journal.replies,
          checkinsAt: () => {
            throw new Error('unreadable');
          },
        },
      }),
      { ...LEFT, purpose: 'checkin' },
    );
    expect(tap(KNOWN)).toMatchObject({ kind: 'captured', checkin: null });
    expect(lines()).toHaveLength(1);
    expect(log.said.map(({ level }) => level)).toContain('error');
  });

  it("keeps its visitor's additions only if the disk accepts them", () => {
    let full = false;
    const { tap, tapSessions, lines } = open((journal) => ({
      ...journal,
      recordAll: (drafts, known) => {
        if (full) throw new Error('disk says no');
        return journal.recordAll(drafts, known);
      },
    }));
    const event = tap(KNOWN);
    const factId = event.kind === 'captured' ? event.factId : '';
    full = true;
    expect(tapSessions.collect(factId, 'c1', true)).toBe(false);
    full = false;
    expect(tapSessions.collect(factId, 'c1', true)).toBe(true);
    expect(lines().map(({ kind }) => kind)).toEqual(['tap', 'collect']);
  });

  it('shows only first name and initial', () => {
    const { tap } = open();
    expect(tap(KNOWN)).toMatchObject({
      kind: 'captured',
      visitor: { name: 'Amélie B.', company: null },
    });
  });

  it('is captured with an unknown badge, never refused (docs/laws.md#law-8)', () => {
    const { tap, lines } = open();
    expect(tap(UNKNOWN)).toMatchObject({ kind: 'captured', visitor: null });
    expect(lines()).toMatchObject([{ payload: { badge: UNKNOWN }, delivery: { state: 'due' } }]);
  });

  it('is stored with a badge of two visitors, names neither of them and is not shown as captured', () => {
    const { tap, mirror, lines, journal } = open();
    mirror.applyPage('visitors', pageOf('visitors', [visitor('v2', 'Bob', 'Other', KNOWN, 2n)]), 2n);
    expect(tap(KNOWN)).toMatchObject({ kind: 'refused', reason: 'clash' });
    expect(lines()).toMatchObject([{ kind: 'tap', payload: { badge: KNOWN }, delivery: { state: 'due' } }]);
    expect(leadsIn(journal)).toMatchObject([{ name: null, taps: 1 }]);
  });

  it('is counted again when repeated, but not while the badge rests on the reader', () => {
    const { tap, clock, lines } = open();
    const first = tap(KNOWN);
    clock.pass(1_000);
    expect(tap(KNOWN)).toMatchObject({ kind: 'captured', repeat: { count: 1 } });
    expect(lines()).toHaveLength(1);
    clock.pass(3_000);
    const since = first.at;
    expect(tap(KNOWN)).toMatchObject({ kind: 'captured', repeat: { count: 2, since } });
    expect(lines()).toHaveLength(2);
  });

  it('is never debounced if the badge is another one', () => {
    const { tap, lines } = open();
    tap(KNOWN);
    tap(UNKNOWN);
    expect(lines()).toHaveLength(2);
  });

  it('is refused with that reason if it comes from a phone, and leaves no fact', () => {
    const { tap, lines } = open();
    for (const uid of ['08A1B2C3', '01020304', '00000000', 'FFFFFFFFFFFFFF']) {
      expect(tap(uid)).toMatchObject({ kind: 'refused', reason: 'phone' });
    }
    expect(lines()).toEqual([]);
  });

  it('that was not read is reported once', () => {
    const { taps, told } = open();
    taps.handle({ kind: 'inserted', reader: 'r', insertion: 1 });
    taps.handle({ kind: 'unread', reader: 'r', insertion: 1, reason: 'pulled' });
    expect(told.map((event) => event.kind)).toEqual(['reading', 'notRead']);
  });

  it('shows that nothing was saved if the disk refuses it, and the next tap works', () => {
    let full = true;
    const { tap, told, lines, log } = open((journal) => ({
      ...journal,
      record: (draft, known) => {
        if (full) throw new Error('disk says no');
        return journal.record(draft, known);
      },
    }));
    expect(tap(KNOWN)).toMatchObject({ kind: 'failed', reason: 'failing' });
    expect(told.some((event) => event.kind === 'captured')).toBe(false);
    expect(log.said.filter(({ level }) => level === 'error')).toHaveLength(1);
    full = false;
    expect(tap(KNOWN)).toMatchObject({ kind: 'captured', repeat: null });
    expect(lines()).toHaveLength(1);
  });
});

describe('text from a scanner', () => {
  it('is a tap like any other, with its source', () => {
    const { taps, told, lines } = open();
    taps.enter('04:a1:b2:c3:d4:e5:f6', 'wedge');
    expect(told.at(-1)).toMatchObject({ kind: 'captured', visitor: { name: 'Amélie B.' } });
    expect(lines()).toMatchObject([{ source: 'wedge', payload: { badge: KNOWN } }]);
  });

  it('that is garbage is refused and leaves no fact', () => {
    const { taps, told, lines } = open();
    for (const text of ['', '   ', '\u0000\u0001', 'x'.repeat(4_000)]) {
      taps.enter(text, 'manual');
      expect(told.at(-1)?.kind).toBe('refused');
    }
    expect(lines()).toEqual([]);
  });
});

describe('an undo', () => {
  it('works while it is offered, once, and the badge can be tapped again at once', () => {
    const { tap, taps, told, lines, clock } = open();
    const event = tap(KNOWN);
    const factId = event.kind === 'captured' ? event.factId : '';
    clock.pass(UNDO_MS - 100);
    expect(taps.undo(factId)).toBe(true);
    expect(told.at(-1)).toMatchObject({ kind: 'undone', factId });
    expect(taps.undo(factId)).toBe(false);
    expect(lines().map((line) => line.kind)).toEqual(['tap', 'undo']);
    expect(tap(KNOWN)).toMatchObject({ kind: 'captured', repeat: null });
  });

  it('fails after its time, and for an unknown fact', () => {
    const { tap, taps, clock, lines } = open();
    const event = tap(KNOWN);
    clock.pass(60_000);
    expect(taps.undo(event.kind === 'captured' ? event.factId : '')).toBe(false);
    expect(taps.undo('01a1fbe1-ffb7-7201-93b2-1311e70a5260')).toBe(false);
    expect(lines()).toHaveLength(1);
  });

  it('fails after a restart of the app', () => {
    const before = open();
    const event = before.tap(KNOWN);
    const factId = event.kind === 'captured' ? event.factId : '';
    before.journal.close();
    before.mirror.close();
    const { taps, lines } = open(undefined, undefined, before.folder);
    expect(taps.undo(factId)).toBe(false);
    expect(lines().map((line) => line.kind)).toEqual(['tap']);
  });
});
