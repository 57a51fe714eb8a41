/**
 * What staff set at a destination (mapping, settings, a new token), and what they read about one that does not work.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KINDS } from '../../../../src-main/core/team/destinations/kinds.ts';
import { mappingFaultOf } from '../../../../src-main/core/team/destinations/plan.ts';
import { createWallClock } from '../../../../src-main/core/team/formats/wall-clock.ts';
import { until } from '../../fixture.ts';
import { leadOf } from '../formats/lead-samples.ts';
import { startHubspot } from './hubspot-double.ts';
import { openStand, quickClock, type Stand } from './stand.ts';

const SECRET = 'signing-secret-0123456789';
const ALL = { when: { kind: 'all' }, needsConsent: false } as const;

/** A receiver that answers with `status`. */
const startReceiver = async () => {
  const state = { status: 200, bodies: [] as string[] };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      state.bodies.push(body);
      response.writeHead(state.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { state, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
};

const open = (clock = quickClock()): Stand => {
  const stand = openStand(clock);
  onTestFinished(() => stand.stop());
  stand.service().start();
  return stand;
};

const connect = (stand: Stand, address: string) =>
  stand.service().connect({ kind: 'webhook', name: 'Own', address, token: SECRET });

/** A stand whose webhook is connected. */
const withWebhook = async (clock = quickClock()) => {
  const { state, address } = await startReceiver();
  const stand = open(clock);
  const done = await connect(stand, address);
  if (done.kind !== 'connected') throw new Error(JSON.stringify(done));
  const { id } = done;
  const isSent = (lead: string) => stand.service().ofLead(lead)[0]?.state === 'sent';
  return { stand, state, id, isSent, here: () => stand.service().list()[0] };
};

describe('the mapping', () => {
  it('refuses the property of the lead id, and a property that another field already uses', async () => {
    const { stand, state, id, isSent, here } = await withWebhook();
    stand.service().save(id, ALL);
    const map = (field: string, property: string | null) =>
      stand.service().save(id, { mapping: { [field]: property } });
    expect(map('First Name', 'id')).toEqual({ kept: false, fault: { kind: 'reserved', property: 'id' } });
    expect(map('Last Name', 'email')).toEqual({
      kept: false,
      fault: { kind: 'taken', property: 'email', by: 'Email' },
    });
    expect(here()?.settings.mapping).toEqual({});
    // The property can be used when the other field is not sent any more.
    expect(map('Company Name', null).kept).toBe(true);
    expect(map('Job Title', 'company').kept).toBe(true);
    stand.put(leadOf('a', { jobTitle: 'Director' }));
    await until('the lead is sent', () => isSent('a'));
    expect(JSON.parse(state.bodies.at(-1) ?? '')).toMatchObject({
      data: { id: 'a', company: 'Director', email: 'a@example.org' },
    });
  });

  it.each([
    ['hubspot', 'touchpoint_lead_id', 'Email', 'email'],
    ['salesforce', 'Touchpoint_Id__c', 'Email', 'Email'],
    ['salesforce', 'id', 'Email', 'Email'],
  ] as const)(
    'for %s refuses the id %s, and allows only the e-mail address in its property',
    (name, reserved, field, address) => {
      const kind = KINDS[name];
      const setting = { event: 'Fair', stand: 'Stand', clock: createWallClock('UTC') };
      const fault = (mapping: Record<string, string | null>) =>
        mappingFaultOf(kind, mapping, Object.keys(mapping), setting);
      const usual = kind.columns(setting).map(({ title, property }) => [title, property] as const);
      expect(fault(Object.fromEntries(usual))).toBeNull();
      expect(fault({ 'lead.note': reserved })).toEqual({ kind: 'reserved', property: reserved });
      expect(fault({ [field]: null, 'lead.note': address })).toEqual({ kind: 'reserved', property: address });
      expect(fault({ [field]: null, 'lead.email': address })).toBeNull();
    },
  );
});

it('keeps both changes when two pages change different settings', async () => {
  const { stand, id, here } = await withWebhook();
  stand.service().save(id, { needsConsent: false });
  stand.service().save(id, { when: { kind: 'all' } });
  stand.service().save(id, { mapping: { 'Last Name': 'surname' } });
  stand.service().save(id, { mapping: { 'First Name': 'given_name' }, notBefore: '18:00' });
  expect(here()?.settings).toEqual({
    when: { kind: 'all' },
    needsConsent: false,
    notBefore: '18:00',
    mapping: { 'Last Name': 'surname', 'First Name': 'given_name' },
  });
});

it('names the time of day for which leads wait', async () => {
  // 12:00 in the event's time zone.
  const noon = { ...quickClock(), now: () => Date.UTC(2026, 6, 1, 10) };
  const { stand, id, here } = await withWebhook(noon);
  stand.service().save(id, { notBefore: '18:00' });
  expect(here()?.waitsUntil).toBe('18:00');
  stand.service().save(id, { notBefore: '11:00' });
  expect(here()?.waitsUntil).toBeNull();
});

it('compares with what was sent last in the dry run of a webhook', async () => {
  const { stand, id, isSent } = await withWebhook();
  stand.service().save(id, ALL);
  for (const lead of ['same', 'changed']) stand.put(leadOf(lead));
  await until('both are sent', () => ['same', 'changed'].every(isSent));
  stand.service().save(id, { when: { kind: 'hand' }, notBefore: '23:59' });
  stand.put(leadOf('changed', { jobTitle: 'Director' }));
  stand.put(leadOf('new'));
  const { planned } = await stand.service().dryRun(id, {});
  const plans = planned?.map(({ lead, does, writes }) => [lead, does, writes.includes('jobtitle')]);
  expect(plans?.slice(0, 2)).toEqual([
    ['same', 'nothing', false],
    ['changed', 'update', true],
  ]);
  expect(plans?.[2]?.slice(0, 2)).toEqual(['new', 'create']);
});

it('stores nothing of a failed connection, and says what the receiver answered', async () => {
  const { state, address } = await startReceiver();
  const stand = open();
  for (const [status, pause] of [
    [500, { status: 500 }],
    [404, { status: 404 }],
    [401, 'keyRefused'],
  ] as const) {
    state.status = status;
    expect(await connect(stand, address)).toEqual({ kind: 'refused', pause });
  }
  expect(await connect(stand, 'http://10.0.0.1')).toEqual({ kind: 'refused', pause: 'address' });
  expect([stand.service().list(), stand.secrets.size]).toEqual([[], 0]);
});

it('says that a connected receiver answers with an error, and names only the status of a refused lead', async () => {
  const { stand, state, id, isSent, here } = await withWebhook();
  stand.service().save(id, ALL);
  state.status = 503;
  stand.put(leadOf('a'));
  await until('the status is shown', () => here()?.pause !== null);
  expect(here()?.pause).toEqual({ status: 503 });
  expect(await stand.service().test(id)).toEqual({ pause: { status: 503 } });
  state.status = 200;
  await until('the lead is sent', () => isSent('a'));
  expect(here()?.pause).toBeNull();
  state.status = 400;
  stand.put(leadOf('b'));
  await until('the lead is parked', () => stand.service().ofLead('b')[0]?.state === 'parked');
  expect(stand.service().ofLead('b')[0]?.why).toBe('HTTP 400');
});

it('replaces a refused token: the same destination sends the leads that waited', async () => {
  const double = await startHubspot(() => 0.99, 'first-token-0123456789');
  onTestFinished(() => double.close());
  const stand = open();
  const { address } = double;
  const first = { kind: 'hubspot', name: 'H', address, token: 'first-token-0123456789' } as const;
  const done = await stand.service().connect(first);
  if (done.kind !== 'connected') throw new Error(JSON.stringify(done));
  const { id } = done;
  stand.service().save(id, ALL);
  double.tokens.clear();
  stand.put(leadOf('a'));
  const here = () => stand.service().list()[0];
  await until('the access is refused', () => here()?.pause === 'keyRefused');
  const before = stand.secrets.get(id);
  expect(await stand.service().replaceToken(id, 'wrong-token-0123456789')).toEqual({
    kind: 'refused',
    pause: 'keyRefused',
  });
  expect(stand.secrets.get(id)).toBe(before);
  double.tokens.add('second-token-0123456789');
  expect(await stand.service().replaceToken(id, 'second-token-0123456789')).toEqual({
    kind: 'connected',
    id,
  });
  await until('the lead is seen', () => stand.service().ofLead('a')[0]?.state === 'confirmed');
  expect(
    stand
      .service()
      .list()
      .map(({ id: its, pause }) => [its, pause]),
  ).toEqual([[id, null]]);
  expect(stand.secrets.get(id)).toContain('second-token');
});
