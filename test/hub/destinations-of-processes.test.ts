/**
 * Several processes of a hub on one PostgreSQL database use one token of a CRM: they refresh it once, and each
 * process adapts to the CRM's limit by itself.
 */
import { expect, onTestFinished } from 'vitest';
import { SALESFORCE } from '../../src-main/core/team/destinations/salesforce.ts';
import { until } from '../core/fixture.ts';
import { realClock } from '../core/real-parts.ts';
import { startHubspot } from '../core/team/destinations/hubspot-double.ts';
import { startLendingHub } from '../core/team/destinations/lending-hub.ts';
import { startSalesforce } from '../core/team/destinations/salesforce-double.ts';
import { openStand, type Stand } from '../core/team/destinations/stand.ts';
import { leadOf } from '../core/team/formats/lead-samples.ts';
import { ownDatabase, postgresTest as test } from '../platform/postgres/own-database.ts';

const TOKEN = 'private-token-0123456789';
const PROCESSES = 2;
const SETTINGS = { when: { kind: 'all' }, needsConsent: false, notBefore: null, mapping: {} } as const;

test('a refresh token is used once, although two processes need a new access token at the same time', async () => {
  const double = await startSalesforce(() => 0.99, 'unused-token');
  onTestFinished(() => double.close());
  const hub = await startLendingHub({ database: await ownDatabase(), processes: PROCESSES });
  const { address } = double;
  const oauth = SALESFORCE.oauth ?? { token: '', revoke: '' };
  await hub.add('C1', 'salesforce', address, {
    ...({ kind: 'oauth', token: 'expired-token', clientId: 'app' } as const),
    ...{ refresh: double.signIn(), tokenUrl: address + oauth.token, revokeUrl: address + oauth.revoke },
  });
  const laptop = await hub.laptop();
  const describe = { path: '/services/data/v62.0/sobjects/Lead/describe' };
  const refreshes = () => double.requests.filter(({ path }) => path === oauth.token).length;
  for (const round of [1, 2, 3]) {
    double.mood = { ...double.mood, latencyMs: 100 };
    const answers = await Promise.all([1, 2, 3, 4].map(() => laptop.ask('C1', describe)));
    const outcomes = answers.map(({ json }) => JSON.stringify(json));
    expect(outcomes.some((text) => text.includes('"status":200'))).toBe(true);
    for (const text of outcomes) expect(text).toMatch(/"status":200|"kind":"busy"/u);
    for (const _process of [1, 2])
      expect((await laptop.ask('C1', describe)).json).toMatchObject({ status: 200 });
    expect(refreshes()).toBe(round);
    double.expire();
  }
}, 300_000);

test('two processes that each adapt to a limit of a CRM cause few refusals and lose no lead', async () => {
  const double = await startHubspot(() => 0.99, TOKEN);
  onTestFinished(() => double.close());
  const hub = await startLendingHub({ database: await ownDatabase(), processes: PROCESSES });
  await hub.add('C1', 'hubspot', double.address, TOKEN);
  const stands: Stand[] = [];
  for (const _laptop of [1, 2]) {
    const stand = openStand(realClock, undefined, (await hub.laptop()).destinations);
    onTestFinished(() => stand.stop());
    stand.service().start();
    const done = await stand.service().connectOffered('C1');
    if (done.kind !== 'connected') throw new Error(JSON.stringify(done));
    stand.service().save(done.id, SETTINGS);
    stands.push(stand);
  }
  const WINDOW_MS = 2_000;
  double.mood = { ...double.mood, perWindow: 10, windowMs: WINDOW_MS, retryAfter: '2' };
  const LEADS = 40;
  const first = Date.now();
  for (let at = 0; at < LEADS; at += 1) {
    for (const stand of stands) stand.put(leadOf(`lead-${at}`, { email: `lead-${at}@example.org` }));
    await realClock.sleep(200);
  }
  const areSeen = () => stands.every((stand) => stand.service().list()[0]?.counts.confirmed === LEADS);
  await until('both laptops see all leads there', areSeen, 120_000);
  const windows = Math.ceil((Date.now() - first) / WINDOW_MS);
  expect(double.records.size).toBe(LEADS);
  expect(double.refusals.length).toBeGreaterThan(0);
  // Each process has two connections to the CRM and pauses after a refusal: at most two refusals in a window.
  expect(double.refusals.length).toBeLessThanOrEqual(windows * PROCESSES * 2);
}, 300_000);
