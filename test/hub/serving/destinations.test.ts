/** Destinations whose token is at the hub: who may use them, for what and how often, and who sees the token. */
import { expect, it, onTestFinished } from 'vitest';
import { openKeptDestinations } from '../../../src-hub/destinations/kept.ts';
import { createLender } from '../../../src-hub/destinations/lender.ts';
import { createWebClient } from '../../../src-main/core/foundations/api/web-request.ts';
import { SALESFORCE } from '../../../src-main/core/team/destinations/salesforce.ts';
import { makeSigningKey } from '../../../src-main/provision/provision-file.ts';
import { addKey, newKey } from '../../../src-platform/keys/keys.ts';
import { until } from '../../core/fixture.ts';
import { realClock } from '../../core/real-parts.ts';
import { startHubspot } from '../../core/team/destinations/hubspot-double.ts';
import { OURS, startLendingHub, THEIRS } from '../../core/team/destinations/lending-hub.ts';
import { startSalesforce } from '../../core/team/destinations/salesforce-double.ts';
import { expo } from './serving-hub.ts';

const TOKEN = 'private-token-0123456789';
const PROPERTIES = { path: '/crm/v3/properties/contacts' };
const API = '/services/data/v62.0';

const withHubspot = async () => {
  const double = await startHubspot(() => 0.99, TOKEN);
  onTestFinished(() => double.close());
  const hub = await startLendingHub();
  await hub.add('C1', 'hubspot', double.address, TOKEN);
  return { double, hub };
};

it('a hub shows and lends a destination to devices of its partner only', async () => {
  const { double, hub } = await withHubspot();
  await hub.add('C2', 'hubspot', double.address, TOKEN, THEIRS);
  const [ours, theirs, nobodys] = [await hub.laptop(), await hub.laptop(THEIRS), await hub.laptop(null)];
  const idsOf = async (laptop: typeof ours) =>
    ((await laptop.list()).json as { destinations: { id: string }[] }).destinations.map(({ id }) => id);
  expect([await idsOf(ours), await idsOf(theirs), await idsOf(nobodys)]).toEqual([['C1'], ['C2'], []]);
  expect((await ours.ask('C1', PROPERTIES)).json).toMatchObject({ status: 200 });
  const asked = double.requests.length;
  const unknown = await ours.ask('C9', PROPERTIES);
  expect(unknown.status).toBe(404);
  for (const [laptop, id] of [
    [ours, 'C2'],
    [theirs, 'C1'],
    [nobodys, 'C1'],
  ] as const)
    expect(await laptop.ask(id, PROPERTIES)).toEqual(unknown);
  expect(double.requests.length).toBe(asked);
});

it('a hub refuses a revoked device, a key from a file and the key of a person', async () => {
  const { double, hub } = await withHubspot();
  const laptop = await hub.laptop();
  const before = double.requests.length;
  const person = newKey();
  const rights = { canWrite: true, connections: true, addresses: null, partnerId: null, expires: null };
  await hub.store.write((write) =>
    addKey(write, person, { name: 'Ada', expos: [expo], ...rights }, new Date()),
  );
  const path = `/hub/destinations/${expo}`;
  const request = { method: 'GET', ...PROPERTIES, webhookId: null, body: null };
  for (const [key, status] of [
    [laptop.enrolmentKey, 403],
    [person, 403],
    ['guessed', 401],
  ] as const) {
    expect((await hub.request('GET', path, key)).status).toBe(status);
    expect((await hub.request('POST', `${path}/C1`, key, request)).status).toBe(status);
  }
  await laptop.revoke();
  expect((await laptop.list()).status).toBe(401);
  expect((await laptop.ask('C1', PROPERTIES)).status).toBe(401);
  expect(double.requests.length).toBe(before);
});

/** A composite request of Salesforce with one query. */
const query = (text: string, more: object = {}) => ({
  method: 'POST',
  path: `${API}/composite`,
  body: JSON.stringify({
    compositeRequest: [
      { method: 'GET', url: `${API}/query?q=${encodeURIComponent(text)}`, referenceId: 'x', ...more },
    ],
  }),
});
const write = (type: string, path = `${API}/composite/sobjects`) => ({
  method: 'PATCH',
  path,
  body: JSON.stringify({ allOrNone: false, records: [{ attributes: { type }, id: '1' }] }),
});
const LEADS = 'SELECT Id, Email FROM Lead WHERE Email IN';

it('a hub sends the requests of the adapter and no others', async () => {
  const { double, hub } = await withHubspot();
  const salesforce = await startSalesforce(() => 0.99, TOKEN);
  onTestFinished(() => salesforce.close());
  await hub.add('C2', 'salesforce', salesforce.address, TOKEN);
  await hub.add('C3', 'webhook', `${double.address}/hook/secret-path`, TOKEN);
  const laptop = await hub.laptop();
  const event = { type: 'lead.changed', timestamp: 'now', data: { id: 'a' } };
  const sent = { method: 'POST', webhookId: 'msg_1', body: JSON.stringify(event) };
  const permitted = [
    [
      'C1',
      { method: 'POST', path: '/crm/v3/objects/contacts/batch/read', body: '{"inputs":[],"properties":[]}' },
    ],
    ['C1', { path: '/crm/v3/owners?limit=500' }],
    ['C2', { path: `${API}/sobjects/Lead/describe` }],
    ['C2', query(`${LEADS} ('a@example.org', 'O\\'Brien\\\\') AND IsConverted = false`)],
    ['C2', query("SELECT Id, Email FROM User WHERE Email IN ('a') AND IsActive = true")],
    ['C2', query('', { url: `${API}/query/01gRO-20` })],
    ['C2', write('Lead')],
    ['C2', { method: 'DELETE', path: `${API}/sobjects/Lead/00Q5e00000abcdeAAA` }],
    ['C3', sent],
  ] as const;
  for (const [id, request] of permitted)
    expect((await laptop.ask(id, request)).json, JSON.stringify(request)).toHaveProperty('status');
  const isFrom = (path: string) => double.requests.some((request) => request.path === path);
  expect(isFrom('/hook/secret-path')).toBe(true);

  const before = double.requests.length + salesforce.requests.length;
  const refused = [
    // Another method, path, host or parameter is refused.
    ['C1', { method: 'DELETE', path: '/crm/v3/objects/contacts/1' }],
    ['C1', { path: '/crm/v3/objects/deals' }],
    ['C1', { path: '/crm/v3/properties/contacts/../../objects/deals' }],
    ['C1', { path: '.attacker.example/crm/v3/properties/contacts' }],
    ['C1', { path: '@attacker.example/crm/v3/properties/contacts' }],
    ['C1', { path: '/crm/v3/owners?limit=500&after=1&email=a' }],
    ['C1', { method: 'POST', path: '/crm/v3/properties/contacts', body: '{}' }],
    ['C1', { method: 'POST', path: '/crm/v3/objects/contacts/batch/archive', body: '{}' }],
    ['C1', { method: 'POST', path: '/crm/v3/objects/contacts/batch/read', body: 'no JSON' }],
    // Other records and queries of Salesforce are refused.
    ['C2', { path: `${API}/query?q=SELECT+Id+FROM+Account` }],
    ['C2', { path: `${API}/sobjects/Account/describe` }],
    ['C2', { method: 'DELETE', path: `${API}/sobjects/Account/1` }],
    ['C2', { method: 'DELETE', path: `${API}/sobjects/Lead/..%2FAccount` }],
    ['C2', { method: 'DELETE', path: '1' }],
    ['C2', write('Account')],
    ['C2', write('Lead', `${API}/composite/sobjects/Account/Touchpoint_Id__c`)],
    ['C2', query('SELECT Id FROM Account')],
    ['C2', query(`${LEADS} ('a') OR Id != '' AND IsConverted = false`)],
    ['C2', query(`${LEADS} ('a\\\\') OR Id != ('') AND IsConverted = false`)],
    ['C2', query("SELECT Id, Email FROM User WHERE Id IN ('a') AND IsActive = true")],
    ['C2', query("SELECT Id, Phone FROM User WHERE Email IN ('a') AND IsActive = true")],
    ['C2', query(`${LEADS} ('a') AND IsConverted = false`, { method: 'DELETE' })],
    ['C2', query('', { url: `${API}/sobjects/Account/1` })],
    [
      'C2',
      query('', {
        url: `${API}/query?q=${encodeURIComponent(`${LEADS} ('a') AND IsConverted = false`)}&x=1`,
      }),
    ],
    // A webhook receives its own events, at its own address.
    ['C3', { ...sent, path: '/other' }],
    ['C3', { ...sent, method: 'PATCH' }],
    ['C3', { ...sent, webhookId: null }],
    ['C3', { ...sent, webhookId: 'msg_1\r\nx: y' }],
    ['C3', { ...sent, body: JSON.stringify({ ...event, type: 'invoice.paid' }) }],
  ] as const;
  for (const [id, request] of refused)
    expect((await laptop.ask(id, request)).status, JSON.stringify(request)).toBe(400);
  const large = {
    method: 'POST',
    path: '/crm/v3/objects/contacts/batch/read',
    body: `"${'x'.repeat(1_100_000)}"`,
  };
  expect((await laptop.ask('C1', large)).status).toBe(400);
  expect(double.requests.length + salesforce.requests.length).toBe(before);
});

it('a hub keeps a webhook’s token and path out of answers to devices and of the log, and encrypts the token in its database', async () => {
  const { double, hub } = await withHubspot();
  await hub.add('C3', 'webhook', `${double.address}/hook/secret-path`, TOKEN);
  const laptop = await hub.laptop();
  const seen = [await laptop.list(), await laptop.ask('C1', PROPERTIES)];
  // A service answers with the token and a name, in an unknown form.
  double.spoil = () => `Canary ${TOKEN}`;
  double.tokens.clear();
  seen.push(await laptop.ask('C1', { path: '/crm/v3/owners?limit=500' }));
  expect(seen.at(-1)?.json).toMatchObject({ status: 401 });
  const shown = JSON.stringify([seen.slice(0, 2), hub.log.said]);
  expect(shown).not.toMatch(/private-token|secret-path|canary/iu);
  const rows = await hub.store.db.selectFrom('hub_destination').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(TOKEN);

  // Without the key of its hub a database is useless, and so is a token that was moved to another destination.
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  expect(hub.kept.unseal('C1', row.sealed)).toContain(TOKEN);
  expect(hub.kept.unseal('C2', row.sealed)).toBeNull();
  expect(openKeptDestinations(hub.store, makeSigningKey().privateKey).unseal('C1', row.sealed)).toBeNull();
});

it('a hub limits the requests of one device, and respects the limit of the CRM over all devices', async () => {
  const { double, hub } = await withHubspot();
  const [first, second] = [await hub.laptop(), await hub.laptop()];
  double.mood = { ...double.mood, perWindow: 0, windowMs: 60_000, retryAfter: '60' };
  expect((await first.ask('C1', PROPERTIES)).json).toMatchObject({ status: 429, retryAfter: '60' });
  const asked = double.requests.length;
  const answer = (await second.ask('C1', PROPERTIES)).json as {
    fault: { kind: string; retryAfterMs: number };
  };
  expect(answer.fault.kind).toBe('busy');
  expect(answer.fault.retryAfterMs).toBeGreaterThan(50_000);
  expect(double.requests.length).toBe(asked);

  const statuses: number[] = [];
  for (let at = 0; at < 101; at += 1) statuses.push((await second.ask('C9', PROPERTIES)).status);
  expect(statuses.filter((status) => status === 404).length).toBe(99);
  expect(statuses.at(-1)).toBe(429);
  expect((await first.ask('C9', PROPERTIES)).status).toBe(404);
});

it('a hub ends the connections with a replaced token at once, or after the last request with it', async () => {
  const { double, hub } = await withHubspot();
  const opened: { ended: boolean }[] = [];
  const lender = createLender({
    ...{ kept: hub.kept, clock: realClock, log: hub.log },
    open: () => {
      const { send, close } = createWebClient();
      const state = { ended: false };
      opened.push(state);
      return {
        send,
        close: async () => {
          state.ended = true;
          await close();
        },
      };
    },
  });
  onTestFinished(() => lender.close());
  const ask = () =>
    lender.ask({ id: 'd1', partner: OURS }, 'C1', {
      method: 'GET',
      ...PROPERTIES,
      webhookId: null,
      body: null,
    });
  const replace = async (token: string) => {
    double.tokens.add(token);
    await hub.kept.replace('C1', JSON.stringify({ kind: 'token', token }), null);
  };
  const answered = { kind: 'answer', answer: { status: 200 } };
  expect(await ask()).toMatchObject(answered);
  await replace('second-token-0123456789');
  expect(await ask()).toMatchObject(answered);
  expect(opened).toEqual([{ ended: true }, { ended: false }]);

  const before = double.requests.length;
  double.mood = { ...double.mood, latencyMs: 500 };
  const slow = ask();
  await until('a request is under way', () => double.requests.length > before);
  await replace('third-token-0123456789');
  double.mood = { ...double.mood, latencyMs: 0 };
  expect(await ask()).toMatchObject(answered);
  expect(opened[1]).toEqual({ ended: false });
  expect(await slow).toMatchObject(answered);
  expect(opened.map(({ ended }) => ended)).toEqual([true, true, false]);
});

it('a hub refreshes an expired token once for all devices, stores the new one, and uses a replaced token at once', async () => {
  const double = await startSalesforce(() => 0.99, 'first-access-token');
  onTestFinished(() => double.close());
  const hub = await startLendingHub();
  const refresh = double.signIn();
  const { address } = double;
  const oauth = SALESFORCE.oauth ?? { token: '', revoke: '' };
  const oauthSecret = {
    kind: 'oauth',
    ...{ token: 'expired-token', refresh, clientId: 'app' },
    ...{ tokenUrl: address + oauth.token, revokeUrl: address + oauth.revoke },
  } as const;
  await hub.add('C1', 'salesforce', address, oauthSecret);
  const describe = { path: `${API}/sobjects/Lead/describe` };
  const laptops = [await hub.laptop(), await hub.laptop()];
  const answers = await Promise.all(laptops.map((laptop) => laptop.ask('C1', describe)));
  for (const { json } of answers) expect(json).toMatchObject({ status: 200 });
  const refreshes = () => double.requests.filter(({ path }) => path === oauth.token).length;
  expect(refreshes()).toBe(1);
  hub.restart();
  expect((await laptops[0]?.ask('C1', describe))?.json).toMatchObject({ status: 200 });
  expect(refreshes()).toBe(1);

  await hub.kept.replace('C1', JSON.stringify({ kind: 'token', token: 'unknown-token' }), null);
  expect((await laptops[0]?.ask('C1', describe))?.json).toMatchObject({ status: 401 });
  await hub.kept.replace('C1', JSON.stringify({ kind: 'token', token: 'first-access-token' }), null);
  expect((await laptops[0]?.ask('C1', describe))?.json).toMatchObject({ status: 200 });

  // A refresh that is answered by something else, such as the sign-in page of a network.
  await hub.kept.replace('C1', JSON.stringify({ ...oauthSecret, refresh: double.signIn() }), null);
  double.spoil = () => 'private-token of Ada Canary';
  const strange = (await laptops[0]?.ask('C1', describe))?.json;
  expect(strange).toMatchObject({ fault: { kind: 'stop', pause: 'notAPlatform' } });
  expect(hub.log.said).toEqual([]);
  // A stored token that cannot be parsed is a defect. The log names the defect without the words of the token.
  await hub.kept.replace('C1', 'private-token of Ada Canary', null);
  const spoilt = (await laptops[0]?.ask('C1', describe))?.json;
  expect(spoilt).toEqual({ fault: { kind: 'retry', reached: 'maybe' } });
  expect(hub.log.said).toMatchObject([
    { level: 'error', details: { to: 'salesforce', kind: 'SyntaxError' } },
  ]);
  expect(JSON.stringify(hub.log.said)).not.toMatch(/private-token|canary/iu);

  // A refresh that ends later does not bring the old token back.
  const { sealed } = (await hub.kept.find(OURS, 'C1')) ?? { sealed: '' };
  expect(await hub.kept.replace('C1', 'refreshed late', `${sealed}x`)).toBeNull();
  expect((await hub.kept.find(OURS, 'C1'))?.sealed).toBe(sealed);
  await hub.kept.remove('C1');
  expect((await laptops[0]?.ask('C1', describe))?.status).toBe(404);
});
