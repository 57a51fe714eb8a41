/**
 * A journal after a fair: 50,000 leads of one partner. Each has a tap, and every fifth also has a rating and notes.
 *
 * Invariant: the journal itself writes the facts, but without durable commits, which a bench does not need.
 */
import { join } from 'node:path';
import type { VisitorSnapshot } from '../../../src-main/core/event/mirror/people.ts';
import { openDatabase } from '../../../src-main/core/foundations/store/database.ts';
import { createJournal, type FactDraft, type Journal } from '../../../src-main/core/journal/facts/journal.ts';
import { JOURNAL_MIGRATIONS } from '../../../src-main/core/journal/facts/schema.ts';
import { USUAL_HOT_RULE } from '../../../src-main/core/team/leads/hot.ts';
import type { LeadReaderSettings } from '../../../src-main/core/team/leads/lead-reader.ts';
import { handClock } from '../../core/fixture.ts';
import { stamperOf } from '../../core/real-parts.ts';

export const LEADS = 50_000;

export const readerSettings: LeadReaderSettings = {
  partner: 'p1',
  rule: USUAL_HOT_RULE,
  words: { labels: [], questions: [], form: [] },
  timezone: 'Europe/Berlin',
};

const FIRST = ['Ann', 'Zoé', '太郎', 'Jörg', 'Person', 'Amélie', 'Luis', 'Noor'];
const LAST = ['Lee', 'Ng', '小林', 'Müller', 'Beaumont', 'García', 'van Dijk', 'O’Brien'];

const codeOf = (index: number): string => `B${index.toString(16).padStart(6, '0')}`;

const visitorOf = (index: number): VisitorSnapshot => {
  const firstName = FIRST[index % FIRST.length] ?? '';
  const lastName = `${LAST[(index * 7) % LAST.length]} ${index}`;
  const company = `Acme ${index % 900} Robotics`;
  const contact = {
    email: `visitor${index}@example.org`,
    phone: `+41 44 ${100_000 + index}`,
    jobTitle: 'Head of buying',
  };
  const record = { id: `v${index}`, firstName, lastName, company, ...contact, country: 'CH', city: 'Zürich' };
  const name = `${firstName} ${lastName}`;
  return {
    id: `v${index}`,
    name,
    company,
    jobTitle: contact.jobTitle,
    place: 'Zürich, CH',
    record: JSON.stringify(record),
  };
};

/** The partner of the leads, and their touchpoint. */
export type Place = { readonly partner: string; readonly touchpoint: string | null };

const USUAL_PLACE: Place = { partner: readerSettings.partner, touchpoint: 'tp1' };

const draftOf = (content: Pick<FactDraft, 'kind' | 'payload'>, place = USUAL_PLACE): FactDraft =>
  ({ ...{ source: 'nfc', reader: 'r', clockOffset: 0, staff: null }, ...place, ...content }) as FactDraft;

/** Fills and opens the journal of a folder. */
export const fillJournal = (folder: string, place = USUAL_PLACE): Journal => {
  const database = openDatabase(join(folder, 'journal.db'), {
    durability: 'full',
    migrations: JOURNAL_MIGRATIONS,
  });
  // The taps are hours old. Otherwise the next page would show the latest captures to their visitors.
  const clock = handClock(Date.now() - 12 * 3_600_000);
  const journal = createJournal(database, stamperOf(clock));
  database.pragma('synchronous = OFF');
  const write = database.transaction((from: number, to: number): void => {
    for (let index = from; index < to; index += 1) {
      clock.pass(500);
      const visitor = visitorOf(index);
      const who = { badge: codeOf(index), visitor: visitor.id };
      journal.record(draftOf({ kind: 'tap', payload: who }, place), visitor);
      if (index % 5 > 0) continue;
      const notes = `Wants ${index % 40} grippers by May, and a quote`;
      journal.record(
        draftOf({ kind: 'qualify', payload: { ...who, fields: { rating: 1 + (index % 3), notes } } }, place),
        visitor,
      );
    }
  });
  for (let from = 0; from < LEADS; from += 1_000) write(from, from + 1_000);
  // The day is over and everything is delivered. Another bench measures the delivery.
  database.exec(`UPDATE outbox SET state = 'confirmed'`);
  database.pragma('synchronous = FULL');
  database.pragma('wal_checkpoint(TRUNCATE)');
  return journal;
};

/** One more tap of an existing visitor. */
export const recordTap = (journal: Journal): void => {
  const visitor = visitorOf(Math.floor(Math.random() * LEADS));
  const badge = codeOf(Number(visitor.id.slice(1)));
  journal.record(draftOf({ kind: 'tap', payload: { badge, visitor: visitor.id } }), visitor);
};
