/**
 * Tests each line of the published interface (docs/interface/overview.md) against a running platform. The table of
 * exchanges is compared with the document, so a line without an exchange fails here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toShow } from './document.ts';
import { type RunningPlatform, startPlatform } from './running-platform.ts';
import { limitRows } from './table/limits.ts';
import { listRows } from './table/lists.ts';
import { createHttp, type Http, interaction } from './table/row.ts';
import { ruleRows } from './table/rules.ts';
import { specialListRows } from './table/special-lists.ts';
import { writeRows } from './table/writes.ts';

const rows = [...specialListRows, ...listRows, ...writeRows, ...ruleRows, ...limitRows];

/** The delivery tests cover these lines. */
const shownByDelivery = [
  'webhook state wait',
  'limit webhook acknowledgement time: 30 seconds',
  'limit webhook retries: 6 after the initial call',
];

let platform: RunningPlatform;
let http: Http;

beforeAll(async () => {
  platform = await startPlatform();
  http = createHttp(platform);
  const results = await http.post('/actions/AD2026', [
    interaction({ badge: '04A1B2C3D4E5F6' }),
    interaction({ badge: '04A1B2C3D4E5F6', kind: 'collect', touchpointID: 'AD2026T03' }),
    interaction({ badge: '04A1B2C3D4E5F6', touchpointID: 'AD2026T06' }),
    interaction({ badge: '04B23C7A915E80', kind: 'checkin', touchpointID: 'AD2026T05' }),
    interaction({ badge: '04990000DEAD01' }),
  ]);
  expect(results.map((entry: { result: string }) => entry.result)).toEqual(Array(5).fill('created'));
});
afterAll(() => platform.stop());

describe('the published interface', () => {
  it('has an exchange for each of its lines, and no exchange without a line', () => {
    const covered = new Set([...rows.flatMap((entry) => entry.covers), ...shownByDelivery]);
    expect([...covered].toSorted()).toEqual([...new Set(toShow)].toSorted());
    expect(toShow.length).toBeGreaterThan(130);
  });

  for (const entry of rows) it(`${entry.covers.join(', ')}: ${entry.title}`, () => entry.show(http));
});
