/** Limits on how much a device may submit to a hub in a minute, and the answer when it exceeds them. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIntake } from '../../../src-platform/hub/intake.ts';
import { expo, startHub } from './serving-hub.ts';

const key = 'k'.repeat(43);

const tap = (more: object = {}) => ({
  ...{ id: randomUUID(), kind: 'tap', at: '2026-11-24T10:00:00.000Z', seq: 1, source: 'nfc' },
  ...{ touchpointID: 'AD2026T01', partnerID: 'AD2026P001', badge: '04AABBCCDDEEFF' },
  ...more,
});

test('a hub delays only a device that exceeds its limit of facts', () => {
  let now = 0;
  const intake = createIntake(() => now);
  for (let batch = 0; batch < 11; batch += 1) intake('flood', 100, 1);
  expect(() => intake('flood', 1, 1)).toThrow(/more than 1000 facts in a minute/);
  intake('calm', 1, 1);
  now = 5_000;
  expect(() => intake('flood', 1, 1)).toThrow(/keeps the others/);
  now = 6_001;
  intake('flood', 1, 1);
});

test('a hub limits bytes as well, and accepts the device again a minute after the clock was set back', () => {
  let now = 100_000;
  const intake = createIntake(() => now);
  intake('big', 1, 6_000_000);
  expect(() => intake('big', 1, 1)).toThrow(/more than 4 MB in a minute/);
  now = 0;
  expect(() => intake('big', 1, 1)).toThrow(/4 MB/);
  now = 60_000;
  intake('big', 1, 1);
});

test('a hub answers 429 above the limit, and stores nothing of the refused batch', async () => {
  const { hub, request, device, enrol } = await startHub();
  await enrol(device, key);
  const statuses: number[] = [];
  for (let batch = 0; batch < 12; batch += 1) {
    const items = Array.from({ length: 100 }, () => tap());
    statuses.push((await request('POST', `/actions/${expo}`, key, items)).status);
  }
  expect(statuses.slice(0, 10).every((status) => status === 200)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  const { taken } = await hub.counts();
  expect(taken).toBe(100 * statuses.filter((status) => status === 200).length);
});

test('a hub rejects an item of a megabyte without affecting the others', async () => {
  const { hub, request, device, enrol } = await startHub();
  await enrol(device, key);
  const items = [tap({ fields: { own: 'x'.repeat(1_000_000) } }), tap()];
  const { json } = await request('POST', `/actions/${expo}`, key, items);
  expect(json).toMatchObject([
    { result: 'rejected', errors: [{ field: 'fields', error: 'tooLong' }] },
    { result: 'created' },
  ]);
  expect(await hub.counts()).toMatchObject({ taken: 1 });
});
