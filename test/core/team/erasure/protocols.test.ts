/**
 * The record of an erasure ("protocol") lists the undos requested from a platform, with the answers at the time of
 * reading.
 */
import { expect, it } from 'vitest';
import { createErasureProtocols } from '../../../../src-main/core/team/erasure/protocols.ts';
import { ownFolder, rememberingLog, tapOf } from '../../fixture.ts';
import { openMaintained } from '../../journal/recovery/damaged-journal.ts';

const protocol = {
  id: 'one',
  kind: 'person' as const,
  at: 1,
  event: 'E1',
  partner: 'p1',
  by: null,
  people: 1,
  facts: 3,
  undelivered: 0,
  places: [],
  platformAsked: true,
  chainHead: 'a'.repeat(64),
};

it('counts the undos that the platform accepted, refused, and has not answered', () => {
  const { durable, journal } = openMaintained(ownFolder(), rememberingLog());
  const undos = ['a', 'b', 'c'].map(
    (undoes) => journal.record({ ...tapOf('04A1'), kind: 'undo', payload: { undoes } }, null).fact,
  );
  const protocols = createErasureProtocols(durable.current().database);
  expect(protocols.add({ ...protocol, undos: undos.map(({ id }) => id) })).toEqual({
    ...protocol,
    platform: { asked: 3, taken: 0, refused: 0, waiting: 3 },
  });
  const [first, second] = undos;
  const wires = [first, second].map((fact) => ({ seq: fact?.seq ?? 0, wire: '{}' }));
  journal.outbox.markInFlight(wires, 1n, 1);
  journal.outbox.settle([{ seq: first?.seq ?? 0, kind: 'sent', action: null, revision: null }], 1);
  journal.outbox.settle([{ seq: second?.seq ?? 0, kind: 'parked', reason: 'undo is unknown here' }], 1);
  const seen = { asked: 3, taken: 1, refused: 1, waiting: 1 };
  expect(protocols.list(10)).toEqual([{ ...protocol, platform: seen }]);
  journal.outbox.confirm([{ id: first?.id ?? '', action: null, revision: null }], 1);
  expect(protocols.list(10)).toEqual([{ ...protocol, platform: seen }]);
  journal.close();
});

it('does not mention the platform in a protocol that has no undos or is from an earlier version', () => {
  const { durable, journal } = openMaintained(ownFolder(), rememberingLog());
  const protocols = createErasureProtocols(durable.current().database);
  protocols.add({ ...protocol, platformAsked: false });
  expect(protocols.list(10)).toEqual([{ ...protocol, platformAsked: false }]);
  journal.close();
});
