/**
 * Outgoing items: they always have the same bytes, and no item is made from a record that was changed outside the
 * app.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeBatch } from '../../../../src-main/core/delivery/outbox/batch.ts';
import { openDatabase } from '../../../../src-main/core/foundations/store/database.ts';
import { JOURNAL_MIGRATIONS } from '../../../../src-main/core/journal/facts/schema.ts';
import { ownFolder, rememberingLog, tapOf } from '../../fixture.ts';
import { openJournal, realClock, stamperOf } from '../../real-parts.ts';

const openFresh = () => {
  const path = join(ownFolder(), 'journal.db');
  const journal = openJournal(path, stamperOf());
  const log = rememberingLog();
  return {
    path,
    journal,
    log,
    ports: { journal, clock: realClock, log, client: { clockOffset: () => null } },
  };
};

it("resends a fact with the bytes of its first send after the device's assignment changed", () => {
  const { journal, ports } = openFresh();
  const { fact } = journal.record({ ...tapOf('A1'), touchpoint: null, partner: null }, null);
  const first = takeBatch(ports, { touchpoint: 'left', partner: 'p1' }, { limit: 10, skip: 0 }).outgoing;
  expect(JSON.parse(first[0]?.wire ?? '')).toMatchObject({ touchpointID: 'left', partnerID: 'p1' });
  journal.outbox.requeue([fact.seq], 'no network', true, 1);
  expect(takeBatch(ports, { touchpoint: 'right', partner: 'p2' }, { limit: 10, skip: 0 }).outgoing).toEqual(
    first,
  );
});

it('parks a fact whose record was changed, reports it, and sends the others', () => {
  const { path, journal, log, ports } = openFresh();
  const { fact } = journal.record(tapOf('04TRUE'), null);
  const other = journal.record(tapOf('04OTHER'), null).fact;
  const beside = openDatabase(path, { durability: 'full', migrations: JOURNAL_MIGRATIONS });
  beside.exec('DROP TRIGGER fact_is_never_updated');
  beside.exec(`UPDATE fact SET payload = '{"badge":"04FALSE"}' WHERE seq = ${fact.seq}`);
  beside.close();
  const { outgoing } = takeBatch(ports, { touchpoint: 'tp1', partner: 'p1' }, { limit: 10, skip: 0 });
  expect(outgoing.map(({ seq }) => seq)).toEqual([other.seq]);
  expect(journal.outbox.of(fact.seq)).toEqual({
    state: 'parked',
    reason: 'its record on this device is damaged or erased',
  });
  expect(log.said.filter(({ level }) => level === 'error')).toHaveLength(1);
});

it('holds back a fact that may still be corrected, and every later one', () => {
  const { journal, ports } = openFresh();
  const [before, held] = ['A1', 'A2', 'A3'].map((badge) => journal.record(tapOf(badge), null).fact.seq);
  const owner = { touchpoint: 'tp1', partner: 'p1' };
  const heldPorts = { ...ports, heldFrom: () => held ?? null };
  const seqsOf = (batchPorts: typeof ports) =>
    takeBatch(batchPorts, owner, { limit: 10, skip: 0 }).outgoing.map(({ seq }) => seq);
  expect(seqsOf(heldPorts)).toEqual([before]);
  expect(seqsOf(ports)).toHaveLength(2);
});
