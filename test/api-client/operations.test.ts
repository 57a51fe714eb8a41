/** Every operation of the interface through the typed client, against the real platform over HTTP. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { everyPage } from '../../packages/api-client/src/pages.ts';
import { createPlatformApi } from '../../packages/api-client/src/platform-api.ts';
import type { ApiRequest, PlatformClient } from '../../src-main/core/foundations/api/client.ts';
import { createClient } from '../../src-main/core/foundations/api/client.ts';
import type { ApiError, ErrorClass } from '../../src-main/core/foundations/api/error-class.ts';
import { ownFolder } from '../core/fixture.ts';
import { createPlatformProcess } from '../core/platform-process.ts';
import { realClock } from '../core/real-parts.ts';
import { DOCUMENTED, operationOf, UNDOCUMENTED } from './every-operation.ts';

const called = new Set<string>();

/** The client with a note of every operation that went through. */
const noting = (client: PlatformClient): PlatformClient => ({
  ...client,
  call: async (request: ApiRequest) => {
    const answer = await client.call(request);
    called.add(operationOf(request.method, request.path));
    return answer;
  },
  post: async (path, body, signal) => {
    const answer = await client.post(path, body, signal);
    called.add(operationOf('POST', path));
    return answer;
  },
});

const verdictOfCall = async (call: Promise<unknown>): Promise<ErrorClass | null> => {
  try {
    await call;
    return null;
  } catch (error) {
    return (error as ApiError).errorClass;
  }
};

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A platform of this test alone with the typed client on it. */
const open = async () => {
  const { baseUrl, key, expoId, start } = await createPlatformProcess(join(ownFolder(), 'platform'));
  await start();
  const client = createClient({ baseUrl, key, password: '', expoId }, realClock, { slots: 2 });
  onTestFinished(client.close);
  const api = createPlatformApi(noting(client));
  return { client, api, event: api.event(expoId) };
};

describe('the typed client', () => {
  it('lists events in the scope of the key and reads one', async () => {
    const { api } = await open();
    const all = await api.expos.list();
    expect(all.records.map((expo) => expo.id).sort()).toEqual(['AD2026', 'PN2027']);
    expect((await api.expos.list({ reference: 'AD-26', limit: 5 })).records).toHaveLength(1);
    expect((await api.expos.list({ reference: 'ad-26' })).records).toHaveLength(0);
    const expo = await api.expos.read('AD2026');
    expect(expo).toMatchObject({ name: 'Automation Days 2026', timezone: 'Europe/Zurich' });
    expect(expo.start).toMatch(/^2026-11-18T/);
    expect(expo.revision).toBeTypeOf('bigint');
  });

  it('creates, reads, changes and deletes an activity, and sees the deletion', async () => {
    const { event } = await open();
    const start = '2026-11-20T09:00:00.000Z';
    const made = await event.activities.create({
      name: 'Grippers & Co',
      type: 'workshop',
      start,
      end: '2026-11-20T10:00:00.000Z',
      access: 'open',
    });
    expect(made).toMatchObject({ name: 'Grippers & Co', start, deleted: false, speakers: [] });
    const read = await event.activities.read(made.id);
    expect(read.revision).toBe(made.revision);
    const changed = await event.activities.update(made.id, { ...read.body, name: 'Grippers' });
    expect(changed.name).toBe('Grippers');
    expect(changed.revision).toBeGreaterThan(made.revision);
    expect(await event.activities.remove(made.id)).toBe('');
    const { revision } = changed;
    const hidden = await event.activities.list({ fromRevision: revision });
    expect(hidden.records).toEqual([]);
    const shown = await event.activities.list({ fromRevision: revision, showDeleted: true });
    expect(shown.records).toMatchObject([{ id: made.id, deleted: true }]);
  });

  it('creates, reads, changes and deletes a product, and never a profile', async () => {
    const { event } = await open();
    const partner = (await event.partners.list({ limit: 1 })).records[0]?.id ?? '';
    const made = await event.contents.create({ name: 'Catalogue', source: 'internal' }, partner);
    expect(made).toMatchObject({ partnerID: partner, category: 'product' });
    expect((await event.contents.read(made.id)).name).toBe('Catalogue');
    expect((await event.contents.update(made.id, { ...made.body, summary: 'All of it' })).summary).toBe(
      'All of it',
    );
    const ofPartner = await event.contents.list({ partnerId: partner });
    expect(ofPartner.records.every((content) => content.partnerID === partner)).toBe(true);
    const profile = ofPartner.records.find((content) => content.category === 'partner');
    expect(await verdictOfCall(event.contents.remove(profile?.id ?? ''))).toMatchObject({
      kind: 'reject',
      status: 400,
    });
    await event.contents.remove(made.id);
    expect(await verdictOfCall(event.contents.create({ name: 'Nobody’s' }))).toMatchObject({
      kind: 'reject',
      status: 422,
      faults: [{ field: 'partnerID', error: 'required' }],
    });
  });

  it('manages labels, licenses and partners', async () => {
    const { event } = await open();
    const label = await event.labels.create({ name: 'Robotics', color: '#123abc', types: ['product'] });
    expect((await event.labels.read(label.id)).color).toBe('#123abc');
    expect((await event.labels.update(label.id, { ...label.body, color: '#ffffff' })).color).toBe('#ffffff');
    await event.labels.remove(label.id);
    const last = (await event.labels.list({ showDeleted: true, fromRevision: label.revision })).records.at(
      -1,
    );
    expect(last).toMatchObject({ id: label.id, deleted: true });

    const types = (await event.registrationTypes.list()).records;
    const forPartner = types.find((type) => type.for === 'partner');
    const partner = await event.partners.create({
      name: 'Späthe & Söhne',
      registrationType: forPartner?.id ?? '',
      contactReference: 'CRM/7 7',
    });
    const detailed = await event.partners.read(partner.id);
    expect((await event.partners.update(partner.id, { ...detailed.body, stand: 'C3' })).stand).toBe('C3');
    expect((await event.partners.list({ contactReference: 'CRM/7 7' })).records).toHaveLength(1);
    const byType = await event.partners.list({ registrationType: [forPartner?.id ?? '', 'none'], limit: 3 });
    expect(byType.records.length).toBeGreaterThan(0);

    const license = await event.licenses.create({ type: 'scan', activationMax: 3 }, partner.id);
    expect(license).toMatchObject({ partnerID: partner.id, activations: 0 });
    expect((await event.licenses.read(license.id)).activationMax).toBe(3);
    const raised = await event.licenses.update(license.id, { ...license.body, activationMax: 5 });
    expect(raised.activationMax).toBe(5);
    expect((await event.licenses.list({ partnerId: partner.id, limit: 1000 })).records).toHaveLength(1);
    expect(await event.licenses.remove(license.id)).toContain(license.id);
    expect(await event.partners.remove(partner.id)).toContain(partner.id);
  });

  it('reads orders and payments and moves a payment to another state', async () => {
    const { event } = await open();
    const orders = await event.orders.list({ orderStates: ['completed', 'paymentPending'] });
    const [order] = orders.records;
    expect(order?.total).toBeTypeOf('number');
    expect((await event.orders.read(order?.id ?? '')).items?.length).toBeGreaterThan(0);
    const { records } = await event.payments.list({
      paymentStates: ['pending'],
      paymentMethods: ['invoice'],
    });
    const payment = records[0] ?? (await event.payments.list()).records[0];
    if (payment === undefined) throw new Error('The demo event has no payment');
    const paid = await event.payments.setState(await event.payments.read(payment.id), 'paid');
    expect(paid.state).toBe('paid');
  });

  it('manages visitors, mails them once, takes their photo and shows them as participants', async () => {
    const { api, event } = await open();
    const visitor = await event.visitors.create({
      registrationState: 'registered',
      firstName: 'Nora',
      lastName: 'O’Neill',
      email: 'nora@example.org',
      badges: [{ type: 'nfc', code: '04AA000000AA01' }],
    });
    const read = await event.visitors.read(visitor.id);
    expect(read.badges).toEqual([{ type: 'nfc', code: '04AA000000AA01' }]);
    const changed = await event.visitors.update(visitor.id, { ...read.body, company: 'Ölmühle' });
    expect(changed.company).toBe('Ölmühle');
    const listed = await event.visitors.list({
      fromRevision: visitor.revision,
      registrationStates: ['registered'],
    });
    expect(listed.records.at(-1)?.id).toBe(visitor.id);
    expect((await event.participants.read(visitor.id)).present).toBe(false);
    expect((await event.participants.list({ limit: 2 })).records).toHaveLength(2);

    const mail = await event.sendEmail.confirmation(visitor.id);
    expect(mail).toEqual({ visitorId: visitor.id, type: 'confirmation', force: false, sent: true });
    expect((await event.sendEmail.confirmation(visitor.id)).sent).toBe(false);
    expect((await event.sendEmail.confirmation(visitor.id, { force: true })).sent).toBe(true);

    const bytes = Buffer.from(PIXEL, 'base64');
    const stored = await api.uploads.store(visitor.id, 'ProfilePhoto', bytes);
    expect(stored).toMatchObject({
      visitorID: visitor.id,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(
      await verdictOfCall(api.uploads.store(visitor.id, 'IdCard', new Uint8Array(10 * 1024 * 1024 + 1))),
    ).toMatchObject({ kind: 'reject', status: 413 });

    await event.visitors.remove(visitor.id);
    const gone = await event.visitors.list({ fromRevision: changed.revision, showDeleted: true });
    expect(gone.records).toMatchObject([{ id: visitor.id, deleted: true }]);
  });

  it('writes interactions and finds them as actions and connections', async () => {
    const { event } = await open();
    const touchpoint = (await event.touchpoints.list()).records.find((entry) => entry.purpose === 'lead');
    expect((await event.touchpoints.read(touchpoint?.id ?? '')).name).toBe(touchpoint?.name);
    const visitorID = (await event.visitors.list({ limit: 1 })).records[0]?.id;
    const id = '0190a000-0000-7000-8000-00000000a001';
    const item = JSON.stringify({
      id,
      kind: 'tap',
      at: '2026-11-20T10:00:00.000Z',
      seq: 1,
      touchpointID: touchpoint?.id,
      visitorID,
      source: 'nfc',
    });
    const [first] = await event.actions.write([item]);
    expect(first).toMatchObject({ id, result: 'created' });
    const [again] = await event.actions.write([item]);
    expect(again).toMatchObject({ id, result: 'duplicate' });
    const actions = await event.actions.list({ partnerId: touchpoint?.partnerID ?? '' });
    expect(actions.records.filter((action) => action.clientID === id)).toHaveLength(1);
    const [connection] = (await event.connections.list({ partnerId: touchpoint?.partnerID ?? '' })).records;
    expect(await event.connections.read(connection?.id ?? '')).toMatchObject({ visitorID, count: 1 });
  });

  it('manages webhooks and reads by webhook', async () => {
    const { event } = await open();
    const made = await event.webhooks.create({ type: 'visitor', url: 'https://kiosk.example/poke' });
    expect((await event.webhooks.read(made.id)).state).toBe('wait');
    expect((await event.webhooks.reset(made)).state).toBe('wait');
    const url = 'https://kiosk.example/other';
    expect((await event.webhooks.update(made.id, { ...made.body, url })).url).toBe(url);
    expect((await event.webhooks.list()).records.map((webhook) => webhook.id)).toContain(made.id);
    expect((await event.visitors.list({ webhookId: made.id, limit: 10 })).records).toHaveLength(10);
    await event.webhooks.remove(made.id);
    expect(await verdictOfCall(event.webhooks.read(made.id))).toMatchObject({ kind: 'reject', status: 404 });
  });

  it('walks every page of a list and misses nobody', async () => {
    const { event } = await open();
    const seen: string[] = [];
    for await (const page of everyPage((paging) => event.visitors.list(paging), { limit: 37 })) {
      seen.push(...page.map((visitor) => visitor.id));
    }
    expect(seen).toHaveLength(400);
    expect(new Set(seen).size).toBe(400);
  });

  it('gets the documented verdicts', async () => {
    const { api, client, event } = await open();
    expect(await verdictOfCall(api.event('NOPE').visitors.list())).toEqual({
      kind: 'stop',
      pause: 'noEvent',
    });
    expect(await verdictOfCall(event.visitors.read('nobody'))).toMatchObject({ kind: 'reject', status: 404 });
    const label = await event.labels.create({ name: 'x', color: '#000000', types: ['profile'] });
    expect(await verdictOfCall(event.labels.update(label.id, { ...label.body, id: 'other' }))).toMatchObject({
      kind: 'reject',
      status: 400,
    });
    const offset = client.platformClock();
    expect(Math.abs(offset?.offsetMs ?? 9_999)).toBeLessThan(1_500);
    expect(offset?.suspicious).toBe(false);
  });

  it('has called every operation of the interface', () => {
    expect([...called].sort()).toEqual([...DOCUMENTED, ...UNDOCUMENTED].sort());
  });
});
