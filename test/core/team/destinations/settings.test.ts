/**
 * What staff set at a destination (mapping, settings, a new token), and what they read about one that does not work.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Clock, Random } from '../../../../src-main/core/foundations/ports.ts';
import { KINDS } from '../../../../src-main/core/team/destinations/kinds.ts';
import { mappingFaultOf } from '../../../../src-main/core/team/destinations/plan.ts';
import {
  createDestinationStore,
  openDestinations,
} from '../../../../src-main/core/team/destinations/store.ts';
import { createWallClock } from '../../../../src-main/core/team/formats/wall-clock.ts';
import { until } from '../../fixture.ts';
import { realRandom } from '../../real-parts.ts';
import { leadOf } from '../formats/lead-samples.ts';
import { startHubspot } from './hubspot-double.ts';
import { startSalesforce } from './salesforce-double.ts';
import { openStand, quickClock, type Stand } from './stand.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ALL = { when: { kind: 'all' }, needsConsent: false } as const;

/** A receiver that answers with `status`. */
const startReceiver = async () => {
  const state = {
    status: 200,
    bodies: [] as string[],
    /** Whether the event with this body gets no answer until the test calls the functions in `answers`. */
    isSlow: (_body: string): boolean => false,
    answers: [] as (() => void)[],
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      state.bodies.push(body);
      const answer = () => void response.writeHead(state.status).end();
      if (state.isSlow(body)) state.answers.push(answer);
      else answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { state, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
};

/** A quick clock on which a wait of more than two seconds ends only when something interrupts it. */
const patientClock = (): Clock & { readonly waiting: () => number } => {
  const quick = quickClock();
  let waiting = 0;
  return {
    ...quick,
    sleep: async (ms, signal) => {
      if (ms <= 2_000 || signal?.aborted === true) return await quick.sleep(ms, signal);
      waiting += 1;
      await new Promise<void>((resolve) => {
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
      waiting -= 1;
    },
    waiting: () => waiting,
  };
};
const SLOWEST: Random = { ...realRandom, fraction: () => 0.999 };

const open = (clock: Clock = quickClock()): Stand => {
  const stand = openStand(clock, SLOWEST);
  onTestFinished(() => stand.stop());
  stand.service().start();
  return stand;
};

const connect = (stand: Stand, address: string) =>
  stand.service().connect({ kind: 'webhook', name: 'Own', address, token: SECRET });

/** A stand whose webhook is connected. */
const withWebhook = async (clock: Clock = quickClock()) => {
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

it('repairs a stored mapping at the start: of two fields for one property the last one is sent', async () => {
  const { stand, state, id, isSent, here } = await withWebhook();
  stand.service().save(id, ALL);
  await stand.restart(() => {
    const { database } = openDestinations(stand.path);
    const mapping = { 'First Name': 'id', 'Last Name': 'jobtitle', City: 'extra', 'lead.note': 'extra' };
    const settings = { ...ALL, notBefore: null, mapping };
    createDestinationStore(database).saveSettings(id, settings);
    database.close();
  });
  const repaired = { 'Last Name': null, City: null, 'lead.note': 'extra' };
  expect(here()?.settings.mapping).toEqual(repaired);
  stand.put(leadOf('a', { jobTitle: 'Director', note: 'Call', city: 'Bern' }));
  await until('the lead is sent', () => isSent('a'));
  const { data } = JSON.parse(state.bodies.at(-1) ?? '') as { data: Record<string, string> };
  expect(data).toMatchObject({
    id: 'a',
    firstname: leadOf('a').firstName,
    jobtitle: 'Director',
    extra: 'Call',
  });
  const repairs = () => stand.log.said.filter(({ what }) => what === 'a stored mapping was repaired').length;
  expect(repairs()).toBe(1);
  await stand.restart();
  expect([here()?.settings.mapping, repairs()]).toEqual([repaired, 1]);
});

it('offers the fields even before the first lead, only those with a text value, and an answer under its question', async () => {
  const { stand, id } = await withWebhook();
  const early = await stand.service().mapping(id);
  expect(early.leads).toEqual([]);
  for (const [field, property] of [
    ['Email', 'email'],
    ['lead.note', null],
  ])
    expect(early.fields).toContainEqual({ field, property, question: null });
  const answers = [{ id: 'q1', question: 'When do you decide?', answer: 'This year' }];
  stand.put(leadOf('a', { answers, form: { q1: ['soon'] } }));
  const { fields } = await stand.service().mapping(id);
  expect(fields).toContainEqual({ field: 'answer.q1', property: null, question: 'When do you decide?' });
  expect(fields.some(({ field }) => field === 'lead.form')).toBe(false);
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

it('counts a change as waiting at once, also while it may be undone and during a back-off, and says why', async () => {
  const clock = patientClock();
  const { stand, state, id, isSent, here } = await withWebhook(clock);
  stand.service().save(id, ALL);
  const stateOf = (lead: string) => stand.service().ofLead(lead)[0];
  const waiting = () => {
    const { due = 0, in_flight = 0, uncertain = 0, sent = 0 } = here()?.counts ?? {};
    return { waiting: due + in_flight + uncertain, sent };
  };
  stand.hold(true);
  stand.put(leadOf('a'));
  stand.put(leadOf('undone', { takenBack: true }));
  expect(stateOf('a')).toMatchObject({ state: 'due', reason: null, pause: null });
  expect([waiting(), stateOf('undone')]).toEqual([{ waiting: 1, sent: 0 }, undefined]);
  stand.hold(false);
  await until('the lead is sent', () => isSent('a'));
  stand.hold(true);
  stand.put(leadOf('a', { jobTitle: 'Director' }));
  expect([stateOf('a')?.state, waiting()]).toEqual(['due', { waiting: 1, sent: 0 }]);
  stand.put(leadOf('a'));
  expect([stateOf('a')?.state, waiting()]).toEqual(['sent', { waiting: 0, sent: 1 }]);
  stand.hold(false);
  state.status = 500;
  const before = state.bodies.length;
  stand.put(leadOf('b'));
  await until('the wait is long', () => state.bodies.length > before + 2 && clock.waiting() > 0);
  // The receiver answered, so the lead does not wait for an answer.
  expect(stateOf('b')).toMatchObject({ state: 'due', pause: { status: 500 } });
  expect(here()?.isBroken).toBe(false);
  stand.put(leadOf('a', { jobTitle: 'Director' }));
  expect(stateOf('a')).toMatchObject({ state: 'due', pause: { status: 500 } });
  expect(waiting()).toEqual({ waiting: 2, sent: 0 });
});

it('counts each lead as soon as a slow receiver acknowledges it, and sends none twice', async () => {
  const { stand, state, id, here } = await withWebhook();
  stand.service().save(id, ALL);
  state.isSlow = (body) => body.includes('"id":"b"');
  for (const lead of ['a', 'b', 'c']) stand.put(leadOf(lead));
  await until('the second one gets no answer', () => state.answers.length === 1);
  expect(here()?.counts).toMatchObject({ sent: 1, in_flight: 1, due: 1 });
  expect(await stand.service().send(id, {})).toEqual({ queued: 2, skipped: 0, unchanged: 1 });
  state.isSlow = () => false;
  state.answers[0]?.();
  await until('all are sent', () => here()?.counts.sent === 3);
  expect(here()?.counts).toMatchObject({ in_flight: 0, due: 0 });
  // The test event, and each lead.
  expect(state.bodies.length).toBe(4);
});

it('says that a lead is not sent without the consent that the stand requires', async () => {
  const { stand, id, isSent } = await withWebhook();
  stand.service().save(id, { when: { kind: 'all' } });
  stand.put(leadOf('a'));
  stand.put(leadOf('undone', { takenBack: true }));
  expect(stand.service().ofLead('a')).toMatchObject([{ name: 'Own', state: 'notSent', reason: 'noConsent' }]);
  expect(stand.service().ofLead('undone')).toEqual([]);
  stand.service().save(id, { needsConsent: false });
  await until('the lead is sent', () => isSent('a'));
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

it('stores nothing of a failed or repeated connection, and says what the receiver answered', async () => {
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
  state.status = 200;
  expect((await connect(stand, address)).kind).toBe('connected');
  expect(await connect(stand, address)).toEqual({ kind: 'refused', pause: 'connectedBefore' });
  await stand.service().forget(stand.service().list()[0]?.id ?? '');
  expect(await connect(stand, 'http://10.0.0.1')).toEqual({ kind: 'refused', pause: 'address' });
  expect([stand.service().list(), stand.secrets.size]).toEqual([[], 0]);
});

it.each(['not-a-secret', 'whsec_short', `whsec_${'A'.repeat(88)}`, `x${SECRET}`])(
  'refuses %s as a signing secret, without a request',
  async (token) => {
    const { state, address } = await startReceiver();
    const stand = open();
    const refused = { kind: 'refused', pause: 'secret' };
    expect(await stand.service().connect({ kind: 'webhook', name: 'Own', address, token })).toEqual(refused);
    expect(state.bodies).toEqual([]);
    const done = await connect(stand, address);
    const { id } = done.kind === 'connected' ? done : { id: '' };
    expect(await stand.service().replaceToken(id, token)).toEqual(refused);
    expect(await stand.service().replaceToken(id, ` ${SECRET}\n`)).toEqual(done);
  },
);

it('connects an address of this machine without http://', async () => {
  const { address } = await startReceiver();
  expect(await connect(open(), address.replace('http://', ''))).toMatchObject({ kind: 'connected' });
});

it('names the field of each property that is sent', async () => {
  const { stand, id, here } = await withWebhook();
  stand.service().save(id, { mapping: { 'Last Name': 'surname', 'First Name': null } });
  expect(here()?.fields).toMatchObject({ surname: 'Last Name', jobtitle: 'Job Title' });
  expect(here()?.fields.firstname).toBeUndefined();
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

it('sends the waiting leads at once when a test by staff finds the receiver working again', async () => {
  const clock = patientClock();
  const { stand, state, id, isSent } = await withWebhook(clock);
  stand.service().save(id, ALL);
  state.status = 503;
  const before = state.bodies.length;
  stand.put(leadOf('a'));
  await until('the wait is long', () => state.bodies.length > before + 2 && clock.waiting() > 0);
  state.status = 200;
  expect(await stand.service().test(id)).toEqual({ pause: null });
  await until('the lead is sent', () => isSent('a'));
});

it.each([
  ['HubSpot', 'with the same token', 'hubspot', 'first-token-0123456789'],
  ['Salesforce', 'with any token', 'salesforce', 'second-token-0123456789'],
] as const)('connects an account of %s once, and recognises it %s', async (_name, _how, kind, again) => {
  const start = kind === 'hubspot' ? startHubspot : startSalesforce;
  const double = await start(() => 0.99, 'first-token-0123456789');
  onTestFinished(() => double.close());
  double.tokens.add('second-token-0123456789').add('third-token-0123456789');
  const stand = open();
  const connectWith = (token: string) =>
    stand.service().connect({ kind, name: kind, address: double.address, token });
  expect((await connectWith('first-token-0123456789')).kind).toBe('connected');
  expect(await connectWith(again)).toEqual({ kind: 'refused', pause: 'connectedBefore' });
  expect([stand.service().list().length, stand.secrets.size]).toEqual([1, 1]);
  if (kind === 'salesforce') return;
  expect((await connectWith('third-token-0123456789')).kind).toBe('connected');
  const names = stand
    .service()
    .list()
    .map(({ name }) => name);
  expect(names).toEqual(['hubspot', 'hubspot 2']);
});

it('reports that something other than the CRM answers, and reads back a lead that may have arrived', async () => {
  const double = await startHubspot(() => 0.99, 'first-token-0123456789');
  onTestFinished(() => double.close());
  const stand = open();
  const { address } = double;
  const about = { kind: 'hubspot', name: 'H', address, token: 'first-token-0123456789' } as const;
  const page = '<html><title>Sign in to the network of the hall</title>';
  double.spoil = () => page;
  const pause = 'notAPlatform';
  expect(await stand.service().connect(about)).toEqual({ kind: 'refused', pause });
  double.spoil = (text) => text;
  const done = await stand.service().connect(about);
  if (done.kind !== 'connected') throw new Error(JSON.stringify(done));
  stand.service().save(done.id, ALL);
  const here = () => stand.service().ofLead('a')[0];
  // The page of the network comes instead of the answer to the write.
  double.spoil = (text) => (double.records.size > 0 ? page : text);
  stand.put(leadOf('a'));
  await until('the page says so', () => stand.service().list()[0]?.pause === pause);
  expect([here()?.state, double.records.size]).toEqual(['uncertain', 1]);
  expect(await stand.service().test(done.id)).toEqual({ pause });
  expect(await stand.service().dryRun(done.id, {})).toEqual({ planned: [], pause, total: 1 });
  expect(await stand.service().mapping(done.id)).toMatchObject({ properties: null, pause });
  double.spoil = (text) => text;
  await until('the lead is seen', () => here()?.state === 'confirmed');
  expect([double.records.size, stand.service().list()[0]?.pause]).toEqual([1, null]);
});

it('replaces a refused token: the same destination sends the leads that waited at once', async () => {
  const double = await startHubspot(() => 0.99, 'first-token-0123456789');
  onTestFinished(() => double.close());
  const clock = patientClock();
  const stand = open(clock);
  const { address } = double;
  const first = { kind: 'hubspot', name: 'H', address, token: 'first-token-0123456789' } as const;
  const done = await stand.service().connect(first);
  if (done.kind !== 'connected') throw new Error(JSON.stringify(done));
  const { id } = done;
  stand.service().save(id, ALL);
  double.tokens.clear();
  const asked = double.requests.length;
  stand.put(leadOf('a'));
  const here = () => stand.service().list()[0];
  await until('the wait is long', () => double.requests.length > asked + 2 && clock.waiting() > 0);
  expect(here()?.pause).toBe('keyRefused');
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
  const state = () => stand.service().ofLead('a')[0]?.state;
  await until('the lead is sent', () => state() === 'sent' || state() === 'confirmed');
  expect(
    stand
      .service()
      .list()
      .map(({ id: its, pause }) => [its, pause]),
  ).toEqual([[id, null]]);
  expect(stand.secrets.get(id)).toContain('second-token');
});
