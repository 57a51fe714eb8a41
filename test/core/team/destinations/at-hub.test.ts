/**
 * Laptops of a stand whose CRM is connected at the hub: the complete path from a lead to the double, over real HTTP,
 * with no token on a laptop.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DestinationKindName } from '../../../../src-main/contract/destinations.ts';
import { signatureOf } from '../../../../src-main/core/team/destinations/webhook.ts';
import { until } from '../../fixture.ts';
import { leadOf } from '../formats/lead-samples.ts';
import { type Double, UNKIND } from './double.ts';
import { startHubspot } from './hubspot-double.ts';
import { startLendingHub } from './lending-hub.ts';
import { startSalesforce } from './salesforce-double.ts';
import { openStand, quickClock } from './stand.ts';

const TOKEN = 'private-token-0123456789';
const LEADS = 30;
const SETTINGS = { when: { kind: 'all' }, needsConsent: false, notBefore: null, mapping: {} } as const;

type Hub = Awaited<ReturnType<typeof startLendingHub>>;

/** A laptop at the hub. It has connected what the hub offers. */
const laptopAt = async (hub: Hub) => {
  const laptop = await hub.laptop();
  const stand = openStand(quickClock(), undefined, laptop.destinations);
  onTestFinished(() => stand.stop());
  const service = () => stand.service();
  service().start();
  const { offers } = await service().offered();
  for (const { id } of offers) {
    const done = await service().connectOffered(id);
    if (done.kind !== 'connected') throw new Error(JSON.stringify(done));
    service().save(done.id, SETTINGS);
  }
  return { laptop, stand, service, offers };
};

const luck = () => {
  let state = 1;
  return () => {
    state = (state * 7 + 3) % 101;
    return state / 101;
  };
};

describe.each([
  ['hubspot', (fraction: () => number) => startHubspot(fraction, TOKEN), 'touchpoint_lead_id', 'jobtitle'],
  ['salesforce', (fraction: () => number) => startSalesforce(fraction, TOKEN), 'Touchpoint_Id__c', 'Title'],
] as const)('%s', (kind, start, idProperty, title) => {
  it('receives each lead of two laptops once, with the edits of both, under faults', async () => {
    const double: Double = await start(luck());
    onTestFinished(() => double.close());
    const hub = await startLendingHub();
    await hub.add('C1', kind, double.address, TOKEN);
    const [left, right] = [await laptopAt(hub), await laptopAt(hub)];
    double.mood = UNKIND;
    const both = [left, right];
    for (let at = 0; at < LEADS; at += 1)
      for (const { stand } of both) stand.put(leadOf(`lead-${at}`, { email: `lead-${at}@example.org` }));
    const areSeen = () => both.every(({ service }) => service().list()[0]?.counts.confirmed === LEADS);
    await until('both laptops see all leads there', areSeen, 60_000);
    const ids = [...double.records.values()].map(({ values }) => values[idProperty]);
    expect(ids.toSorted()).toEqual(Array.from({ length: LEADS }, (_, at) => `lead-${at}`).toSorted());

    for (const { stand } of both)
      stand.put(leadOf('lead-7', { email: 'lead-7@example.org', jobTitle: 'Director' }));
    const isEdited = () => [...double.records.values()].some(({ values }) => values[title] === 'Director');
    await until('the edit is there', () => isEdited() && areSeen(), 60_000);
    const edited = [...double.records.values()].filter(({ values }) => values[idProperty] === 'lead-7');
    expect(edited.map(({ values }) => values[title])).toEqual(['Director']);
    expect(both.map(({ service }) => service().list()[0]?.conflicts)).toEqual([0, 0]);

    // The erasure of a person reaches every laptop of the team, and the laptop that created the record requests it.
    for (const { stand } of both) stand.erase('lead-3');
    await until(
      'the record is erased',
      () => ![...double.records.values()].some(({ values }) => values[idProperty] === 'lead-3'),
      30_000,
    );
    for (const { stand } of both) expect(stand.secrets.size).toBe(0);
    expect(JSON.stringify([...both.map(({ stand }) => stand.log.said), hub.log.said])).not.toContain(TOKEN);
  }, 120_000);
});

const ready = async (kind: DestinationKindName = 'hubspot') => {
  const double = await startHubspot(() => 0.99, TOKEN);
  onTestFinished(() => double.close());
  const hub = await startLendingHub();
  await hub.add('C1', kind, double.address, TOKEN);
  return { double, hub, ...(await laptopAt(hub)) };
};
type Ready = Awaited<ReturnType<typeof ready>>;

const FAULTS: readonly (readonly [
  string,
  string,
  (ready: Ready) => Promise<unknown>,
  ((ready: Ready) => Promise<unknown>) | null,
])[] = [
  [
    'the CRM refuses the token of the hub',
    'keyRefused',
    async ({ double }) => double.tokens.clear(),
    async ({ double, hub }) => {
      double.tokens.add('second-token-0123456789');
      await hub.kept.replace('C1', JSON.stringify({ kind: 'token', token: 'second-token-0123456789' }), null);
    },
  ],
  ['the destination is removed at the hub', 'notOffered', ({ hub }) => hub.kept.remove('C1'), null],
  ['the hub revokes the laptop', 'hubRefuses', ({ laptop }) => laptop.revoke(), null],
];

it.each(FAULTS)('keeps the leads and reports why when %s', async (_name, pause, breakIt, mendIt) => {
  const all = await ready();
  const { stand, service, double } = all;
  stand.put(leadOf('a'));
  await until('the lead is seen', () => service().ofLead('a')[0]?.state === 'confirmed');
  await breakIt(all);
  stand.put(leadOf('b'));
  await until('the page says why', () => service().list()[0]?.pause === pause);
  expect(service().list()[0]).toMatchObject({ atHub: true, counts: { due: 1, confirmed: 1, parked: 0 } });
  expect(await service().test(service().list()[0]?.id ?? '')).toEqual({ pause });
  expect(stand.log.said.filter(({ level }) => level === 'error')).toEqual([]);
  if (mendIt === null) {
    expect(double.records.size).toBe(1);
    return;
  }
  await mendIt(all);
  await until('the other is seen, too', () => service().ofLead('b')[0]?.state === 'confirmed');
  expect(service().list()[0]?.pause).toBeNull();
});

it('distinguishes an unreachable hub from an unreachable CRM, and sends when it is back', async () => {
  const { hub, stand, service, double } = await ready();
  hub.isAway = true;
  stand.put(leadOf('a'));
  await until('the hub is named', () => service().list()[0]?.pause === 'hubAway');
  expect(await service().offered()).toEqual({ offers: [], fault: 'hubAway' });
  hub.isAway = false;
  double.mood = { ...double.mood, failsBefore: 1 };
  const pauseNow = () => JSON.stringify(service().list()[0]?.pause);
  await until('the CRM is named', () => pauseNow() === '{"status":500}');
  double.mood = { ...double.mood, failsBefore: 0 };
  await until('the lead is seen', () => service().ofLead('a')[0]?.state === 'confirmed');
});

it('offers what is not connected yet, connects it once, and removes it without revoking the token', async () => {
  const { hub, service, double } = await ready();
  await hub.add('C2', 'hubspot', double.address, TOKEN);
  expect((await service().offered()).offers.map(({ id }) => id)).toEqual(['C2']);
  const [first, second] = [await service().connectOffered('C1'), await service().connectOffered('C1')];
  expect(first).toEqual(second);
  expect(await service().connectOffered('C9')).toEqual({ kind: 'refused', pause: 'notOffered' });
  expect(await service().forget(service().list()[0]?.id ?? '')).toEqual({ revoked: false });
  expect(service().list()).toEqual([]);
  expect((await service().offered()).offers.map(({ id }) => id)).toEqual(['C1', 'C2']);
});

it('signs the events of a webhook at the hub, and gives the receiver one id for one lead of two laptops', async () => {
  const received: { readonly url: string; readonly id: string; readonly isSigned: boolean }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers;
      const isSigned = signature === signatureOf(TOKEN, String(id), Number(at), body);
      received.push({ url: request.url ?? '', id: String(id), isSigned });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const hub = await startLendingHub();
  const { port } = server.address() as AddressInfo;
  await hub.add('C1', 'webhook', `http://127.0.0.1:${port}/hook/secret-path`, TOKEN);
  const both = [await laptopAt(hub), await laptopAt(hub)];
  expect(JSON.stringify([both[0]?.offers, both[0]?.service().list()])).not.toContain('secret-path');
  for (const { stand } of both) stand.put(leadOf('a'));
  await until('both sent it', () => both.every(({ service }) => service().ofLead('a')[0]?.state === 'sent'));
  expect(received.every(({ url, isSigned }) => url === '/hook/secret-path' && isSigned)).toBe(true);
  // Two test events, one from each laptop, and the lead of both.
  const ids = received.map(({ id }) => id).filter((id) => !id.startsWith('msg_test'));
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
});

it('delivers leads that are too long for one request to the hub in several', async () => {
  const { stand, service, double } = await ready();
  const long = 'x'.repeat(30_000);
  const mapping = { 'lead.note': 'jobtitle' };
  service().save(service().list()[0]?.id ?? '', { ...SETTINGS, mapping });
  for (let at = 0; at < 60; at += 1)
    stand.put(leadOf(`lead-${at}`, { email: `l${at}@example.org`, note: long }));
  await until('all are seen', () => service().list()[0]?.counts.confirmed === 60, 60_000);
  expect(double.records.size).toBe(60);
}, 90_000);
