/** The retention period: older leads are erased automatically, but none while the clock is unconfirmed. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createStorageGuard } from '../../../../src-main/core/foundations/store/storage-guard.ts';
import { openDurableJournal } from '../../../../src-main/core/journal/recovery/durable-journal.ts';
import {
  createErasureService,
  type ErasurePorts,
  keepRetention,
} from '../../../../src-main/core/team/erasure/service.ts';
import { handClock, ownFolder, rememberingLog, tapOf, until, visitorOf } from '../../fixture.ts';
import { chainAt, stamperOf } from '../../real-parts.ts';

const DAY_MS = 86_400_000;

/** Ada came on the first day, Wei 20 days later. Another partner's guest also came on the first day. */
const fair = (change: Partial<ErasurePorts> = {}) => {
  const folder = ownFolder();
  const clock = handClock();
  const log = rememberingLog();
  const durable = openDurableJournal({ folder, stamper: stamperOf(clock), clock, log });
  onTestFinished(() => durable.journal.close());
  const { journal } = durable;
  journal.record(tapOf('04A1', 'v1'), visitorOf('v1', 'Ada Lovelace'));
  journal.record({ ...tapOf('04B1', 'v2'), partner: 'p2' }, visitorOf('v2', 'Bo Nyqvist'));
  clock.pass(20 * DAY_MS);
  journal.record(tapOf('04C1', 'v3'), visitorOf('v3', 'Wei Sample'));
  const erasure = createErasureService({
    ...{ journal, durable, folder, event: 'E1', newId: () => randomUUID(), partner: () => 'p1' },
    clock: { ...clock, sleep: () => Promise.resolve() },
    storageGuard: createStorageGuard({ log, isInPlace: () => true, onRecorded: () => undefined }),
    staff: () => null,
    retentionDays: 30,
    isClockSure: () => true,
    lastExport: () => null,
    dropExports: () => false,
    clockOffset: () => null,
    ownHub: null,
    isAtHub: () => false,
    onErased: () => undefined,
    ...change,
  });
  const names = () => {
    const files = readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile());
    const text = files.map((path) => readFileSync(path, 'latin1')).join();
    return ['Ada', 'Bo', 'Wei'].filter((name) => text.includes(`${name} `));
  };
  return { folder, clock, erasure, names, journal };
};

test('erases every lead older than the retention period, of any partner, and no later one', async () => {
  const { folder, clock, erasure, names, journal } = fair();
  clock.pass(10 * DAY_MS);
  expect(await erasure.enforceRetention()).toBe(0);
  clock.pass(DAY_MS);
  expect(await erasure.enforceRetention()).toBe(2);
  expect(names()).toEqual(['Wei']);
  expect(journal.leads.byPartner()).toEqual([{ partner: 'p1', leads: 1 }]);
  expect(erasure.protocols()).toMatchObject([{ kind: 'fair', people: 1 }, { people: 1 }]);
  expect(chainAt(join(folder, 'journal.db'))).toEqual({ facts: 3, brokenAt: null });
  expect(await erasure.enforceRetention()).toBe(0);
});

test('erases nothing while the clock is unconfirmed, or without a retention period', async () => {
  for (const change of [{ isClockSure: () => false }, { retentionDays: null }]) {
    const { clock, erasure, names } = fair(change);
    clock.pass(365 * DAY_MS);
    expect(await erasure.enforceRetention()).toBe(0);
    expect(names()).toEqual(['Ada', 'Bo', 'Wei']);
  }
});

test('ends the device’s own hub when the device is emptied, but not while a fact exists only at that hub', async () => {
  let ends = 0;
  const ownHub = {
    isOn: () => ends === 0,
    end: async () => {
      ends += 1;
      return true;
    },
  };
  const { erasure, names, journal } = fair({ ownHub });
  const outgoing = [1, 3].map((seq) => ({ seq, wire: '{}' }));
  journal.outbox.markInFlight(outgoing, 0n, 0);
  const sent = { kind: 'sent', action: null, revision: null } as const;
  journal.outbox.settle(
    [
      { ...sent, seq: 1, atHub: true },
      { ...sent, seq: 3 },
    ],
    0,
  );
  expect(erasure.check()).toMatchObject({ undelivered: 1, endsSharing: true });
  expect(erasure.check('p2')).toMatchObject({ endsSharing: false });
  expect(await erasure.wipe(false)).toEqual({ kind: 'pending', undelivered: 1 });
  expect(ends).toBe(0);
  const [first] = journal.outbox.awaitingReceipt(0, 1);
  journal.outbox.noteReceipts([{ id: first?.id ?? '', state: 'confirmed' }], 0);
  expect(await erasure.wipe(false)).toMatchObject({ kind: 'erased', protocol: { people: 2 } });
  expect([ends, names()]).toEqual([1, ['Bo']]);
  expect(erasure.check()).toMatchObject({ endsSharing: false });
});

test('reports a failure when the hub of this device cannot be removed', async () => {
  const { erasure, names } = fair({ ownHub: { isOn: () => true, end: async () => false } });
  expect(await erasure.wipe(true)).toEqual({ kind: 'failed', reason: 'failing' });
  expect(names()).toEqual(['Bo']);
});

test('runs soon after the start and every hour', async () => {
  const clock = handClock();
  let looked = 0;
  const ended = new AbortController();
  const enforceRetention = async () => {
    looked += 1;
    return 0;
  };
  const keeping = keepRetention(clock, { enforceRetention }, ended.signal);
  for (const [ms, times] of [
    [60_000, 1],
    [3_600_000, 2],
    [3_600_000, 3],
  ] as const) {
    clock.pass(ms);
    await until('the retention check ran', () => looked === times);
  }
  ended.abort();
  await keeping;
});
