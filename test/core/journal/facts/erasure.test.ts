/** Erasing a visitor: no file contains anything about the person, and no captured fact is lost. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownFolder, tapOf, visitorOf } from '../../fixture.ts';
import { chainAt, openJournal, stamperOf } from '../../real-parts.ts';

const BADGE = '04FACEFACEFACE';
const NAME = 'Zacharias Unmistakable';

/** The journal and its write-ahead log on disk, as one text with a character per byte. */
const onDisk = (folder: string): string =>
  ['journal.db', 'journal.db-wal']
    .map((file) => join(folder, file))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'latin1'))
    .join('');

it('leaves neither badge nor name nor sent text in the files, while the journal is open and after it closes', () => {
  const folder = ownFolder();
  const journal = openJournal(join(folder, 'journal.db'), stamperOf());
  const { fact } = journal.record(tapOf(BADGE, 'v1'), visitorOf('v1', NAME));
  journal.record(tapOf('04B0B0B0B0B0B0', 'v2'), visitorOf('v2', 'Bob'));
  journal.outbox.markInFlight(
    [{ seq: fact.seq, wire: JSON.stringify({ id: fact.id, badge: BADGE }) }],
    0n,
    1,
  );
  journal.outbox.settle([{ seq: fact.seq, kind: 'sent', action: 'a1', revision: 1n }], 1);
  expect(onDisk(folder)).toContain(BADGE);
  expect(journal.erase('v1')).toBe(1);
  for (const trace of [BADGE, NAME]) expect(onDisk(folder)).not.toContain(trace);
  expect(onDisk(folder)).toContain('04B0B0B0B0B0B0');
  expect(journal.fact(fact.id)?.payload).toBeNull();
  expect(chainAt(join(folder, 'journal.db'))).toEqual({ facts: 2, brokenAt: null });
  journal.close();
  for (const trace of [BADGE, NAME]) expect(onDisk(folder)).not.toContain(trace);
});

it('parks undelivered facts, so that every captured fact is still counted', () => {
  const journal = openJournal(join(ownFolder(), 'journal.db'), stamperOf());
  const seqs = [1, 2, 3].map(() => journal.record(tapOf(BADGE, 'v1'), visitorOf('v1', NAME)).fact.seq);
  const out = seqs.slice(1).map((seq) => ({ seq, wire: '{}' }));
  journal.outbox.markInFlight(out, 0n, 1);
  journal.outbox.markUncertain(seqs.slice(2), 'no answer', 1);
  journal.erase('v1');
  for (const seq of seqs)
    expect(journal.outbox.of(seq)).toEqual({
      state: 'parked',
      reason: 'the visitor was removed on the platform, so the content was erased here',
    });
  expect(journal.outbox.counts()).toMatchObject({ captured: 3, parked: 3 });
  expect(journal.deadLetters.retryable(null)).toEqual([]);
  journal.close();
});

it('does not send an erased fact again, even when staff ask for it', () => {
  const journal = openJournal(join(ownFolder(), 'journal.db'), stamperOf());
  const erased = journal.record(tapOf(BADGE, 'v1'), visitorOf('v1', NAME)).fact;
  const kept = journal.record(tapOf('04B0B0B0B0B0B0', 'v2'), visitorOf('v2', 'Bob')).fact;
  journal.outbox.park([erased.seq, kept.seq], 'refused', 1);
  journal.erase('v1');
  const items = [erased, kept].map(({ seq }) => ({ seq, wire: null }));
  expect(journal.outbox.requeueParked(items, 2)).toBe(1);
  expect(journal.outbox.of(erased.seq)?.state).toBe('parked');
  expect(journal.outbox.of(kept.seq)?.state).toBe('due');
  journal.close();
});

it.each(['the visitor', 'the lead'] as const)('drops the queued e-mail when %s is erased', (by) => {
  const journal = openJournal(join(ownFolder(), 'journal.db'), stamperOf());
  const { lead } = journal.record(tapOf(BADGE, 'v1'), visitorOf('v1', NAME));
  for (const visitor of ['v1', 'v2']) journal.emails.add(visitor, 1);
  if (by === 'the visitor') journal.erase('v1');
  else journal.eraseLeads([lead.id]);
  expect(journal.emails.waiting()).toEqual(['v2']);
  journal.close();
});
