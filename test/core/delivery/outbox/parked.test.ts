/** Parked facts: why they are parked, for which partner, and how they are sent again. */
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  deadLetterOf,
  judgeParked,
  type ParkedSight,
} from '../../../../src-main/core/delivery/outbox/parked.ts';
import { requeueDeadLetters } from '../../../../src-main/core/delivery/outbox/requeue.ts';
import {
  CAME_FROM_A_FILE,
  CANNOT_BE_READ,
  type ParkedFact,
} from '../../../../src-main/core/journal/facts/dead-letters.ts';
import type { FactDraft } from '../../../../src-main/core/journal/facts/journal.ts';
import { handClock, ownFolder, tapOf, visitorOf } from '../../fixture.ts';
import { openJournal, stamperOf } from '../../real-parts.ts';

const here = { touchpoint: 'new', partner: 'p1' };
/** An event with one touchpoint, one partner, one content and one label. */
const sight: ParkedSight = {
  present: 'p1',
  here,
  has: (resource, id) =>
    ({ touchpoints: 'new', partners: 'p1', contents: 'c1', labels: 'L1' })[resource as 'labels'] === id,
};
const parked = (reason: string, more: Partial<ParkedFact> = {}): ParkedFact => ({
  ...{ seq: 1, id: 'f1', kind: 'tap', at: 0, touchpoint: 'old', partner: 'p1', payload: { badge: '04A1' } },
  ...{ reason, lead: 'l1', leadPartner: 'p1', name: 'Ada Muster', badge: '04CAFE', ...more },
});

describe('the reason of a parked fact', () => {
  it.each([
    [
      'touchpointID: There is no touchpoint with this identifier',
      { cause: 'touchpoint', about: 'old', mend: 'thisStand' },
    ],
    ['touchpoint_id: not found', { cause: 'touchpoint', about: 'old', mend: 'thisStand' }],
    [
      'partnerID: There is no partner with this identifier',
      { cause: 'partner', about: 'p1', mend: 'thisStand' },
    ],
    ['badge: An interaction needs a badge or a visitor', { cause: 'person', about: null, mend: null }],
    ['fields.notes: Too big', { cause: 'field', about: null, mend: null }],
    [
      'undoes: There is no interaction with this id that can be undone',
      { cause: 'undone', about: null, mend: null },
    ],
    ['id: This id was sent before with other content', { cause: 'conflict', about: null, mend: null }],
    [CAME_FROM_A_FILE, { cause: 'fromFile', about: null, mend: null }],
    [CANNOT_BE_READ, { cause: 'damaged', about: null, mend: null }],
  ])('is judged by the text "%s"', (reason, verdict) => {
    expect(judgeParked(parked(reason), sight)).toEqual(verdict);
  });

  it("comes from missing records of the mirror if the platform's reason is unknown", () => {
    const at = { touchpoint: 'new' };
    const content = { payload: { badge: 'b', content: 'c2' } };
    const labels = { payload: { badge: 'b', fields: { labels: ['L1', 'L2', 'L3'] } } };
    expect(judgeParked(parked('no'), sight)).toMatchObject({ cause: 'touchpoint', about: 'old' });
    expect(judgeParked(parked('no', { ...at, partner: 'p9' }), sight)).toMatchObject({
      cause: 'partner',
      about: 'p9',
    });
    expect(judgeParked(parked('no', { ...at, ...content }), sight)).toEqual({
      cause: 'content',
      about: 'c2',
      mend: null,
    });
    expect(judgeParked(parked('no', { ...at, ...labels }), sight)).toEqual({
      ...{ cause: 'label', about: 'L2, L3', mend: 'withoutLabels' },
    });
    expect(judgeParked(parked('no', at), sight)).toMatchObject({ cause: 'other', mend: null });
    // An incomplete mirror does not prove that a record is missing.
    expect(judgeParked(parked('no'), { ...sight, has: () => null })).toMatchObject({ cause: 'other' });
  });

  it('does not name the person of another partner’s lead, which is never sent as the current partner’s', () => {
    const theirs = parked('touchpointID: gone', { leadPartner: 'p2', partner: 'p2' });
    expect(deadLetterOf(theirs, 'l1', sight)).toMatchObject({
      ...{ sealed: true, name: null, badgeTail: '', lead: null, mend: null, retryable: true },
    });
    expect(deadLetterOf(parked('touchpointID: gone'), 'l1', sight)).toMatchObject({
      ...{ sealed: false, name: 'Ada Muster', badgeTail: 'CAFE', lead: 'l1', mend: 'thisStand' },
    });
    expect(deadLetterOf(parked('gone', { payload: null }), 'l1', sight)).toMatchObject({
      ...{ cause: 'erased', lead: null, retryable: false },
    });
  });
});

describe('a parked fact that is sent again', () => {
  const journalWith = (draft: FactDraft, reason: string) => {
    const journal = openJournal(join(ownFolder(), 'journal.db'), stamperOf(handClock()));
    onTestFinished(() => journal.close());
    const { fact } = journal.record(draft, visitorOf('v1', 'Ada Muster'));
    journal.outbox.park([fact.seq], reason, 2);
    const wire = () =>
      journal.outbox.items('due', 9).map((item) => JSON.parse(item.wire ?? 'null') as unknown);
    return { journal, fact, wire };
  };

  it('gets the touchpoint of this stand and keeps its id, and the recorded fact does not change', () => {
    const draft = { ...tapOf('04A1', 'v1'), touchpoint: 'old', partner: 'p1' };
    const { journal, fact, wire } = journalWith(draft, 'touchpointID: gone');
    expect(requeueDeadLetters(journal, { factId: fact.id, mended: true }, sight, 3)).toBe(1);
    expect(wire()).toMatchObject([{ id: fact.id, touchpointID: 'new', partnerID: 'p1' }]);
    expect(journal.fact(fact.id)).toMatchObject({ touchpoint: 'old', hash: fact.hash });
  });

  it('omits the missing labels and keeps the others', () => {
    const payload = { badge: '04A1', visitor: 'v1', fields: { labels: ['L2', 'L1'], rating: 4 } };
    const draft: FactDraft = { ...tapOf('04A1', 'v1'), ...here, kind: 'qualify', payload };
    const { journal, wire } = journalWith(draft, 'fields.labels: no such label');
    expect(requeueDeadLetters(journal, { factId: null, mended: true }, sight, 3)).toBe(1);
    expect(wire()).toMatchObject([{ fields: { labels: ['L1'], rating: 4 } }]);
  });

  it('is built from the fact again if nothing is corrected', () => {
    const { journal, wire } = journalWith({ ...tapOf('04A1', 'v1'), ...here }, 'no');
    expect(requeueDeadLetters(journal, { factId: null, mended: false }, sight, 3)).toBe(1);
    expect(wire()).toEqual([null]);
    expect(requeueDeadLetters(journal, { factId: null, mended: false }, sight, 4)).toBe(0);
  });
});
