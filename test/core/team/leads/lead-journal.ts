/**
 * A journal of leads with a reader, as for the stand team's pages.
 *
 * Invariant: the reader has its own read-only connection, so it sees only committed data.
 */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { VisitorSnapshot } from '../../../../src-main/core/event/mirror/people.ts';
import { openReadOnly } from '../../../../src-main/core/foundations/store/database.ts';
import type { FactDraft, Journal } from '../../../../src-main/core/journal/facts/journal.ts';
import { USUAL_HOT_RULE } from '../../../../src-main/core/team/leads/hot.ts';
import {
  createLeadReader,
  type LeadReader,
  type LeadReaderSettings,
} from '../../../../src-main/core/team/leads/lead-reader.ts';
import { handClock, ownFolder } from '../../fixture.ts';
import { openJournal, stamperOf } from '../../real-parts.ts';

export type LeadJournal = {
  readonly folder: string;
  readonly journal: Journal;
  readonly clock: ReturnType<typeof handClock>;
  /** Records a fact of the partner `p1`, unless `draft` has another partner. Returns its id. */
  readonly add: (
    draft: Partial<FactDraft> & Pick<FactDraft, 'kind' | 'payload'>,
    visitor?: VisitorSnapshot,
  ) => string;
  /** A tap of a known visitor. Returns the lead's id. */
  readonly tap: (visitor: VisitorSnapshot, more?: Partial<FactDraft>) => string;
  /** A reader that has read the whole journal. */
  readonly reader: (settings?: Partial<LeadReaderSettings>) => LeadReader;
};

export const readerSettings: LeadReaderSettings = {
  partner: 'p1',
  rule: USUAL_HOT_RULE,
  words: { labels: [], questions: [], form: [] },
  timezone: 'Europe/Berlin',
};

/** A person as the mirror passes it to a lead. `more` is the rest of the platform's record. */
export const person = (
  id: string,
  firstName: string,
  lastName: string,
  more: object = {},
): VisitorSnapshot => {
  const record = { id, firstName, lastName, ...more };
  const { company = null, jobTitle = null } = more as { company?: string; jobTitle?: string };
  return {
    ...{ id, company, jobTitle, place: null },
    name: `${firstName} ${lastName}`.trim(),
    record: JSON.stringify(record),
  };
};

/** A journal in its own folder. */
export const leadJournal = (): LeadJournal => {
  const folder = ownFolder();
  const clock = handClock();
  const journal = openJournal(join(folder, 'journal.db'), stamperOf(clock));
  onTestFinished(() => journal.close());
  const place = {
    source: 'nfc',
    reader: null,
    touchpoint: 'tp1',
    partner: 'p1',
    clockOffset: null,
    staff: null,
  } as const;
  const add: LeadJournal['add'] = (draft, visitor) =>
    journal.record({ ...place, ...draft } as FactDraft, visitor ?? null).fact.id;
  return {
    ...{ folder, journal, clock, add },
    tap: (visitor, more = {}) => {
      const payload = { badge: `badge of ${visitor.id}`, visitor: visitor.id };
      const { lead } = journal.record({ ...place, kind: 'tap', payload, ...more } as FactDraft, visitor);
      return lead.id;
    },
    reader: (settings = {}) => {
      const database = openReadOnly(join(folder, 'journal.db'));
      if (database === null) throw new Error('Expected a journal');
      onTestFinished(() => void database.close());
      const reader = createLeadReader(database, { ...readerSettings, ...settings });
      while (reader.read());
      return reader;
    },
  };
};
