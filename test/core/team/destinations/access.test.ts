/** Access to a destination: sign-in by OAuth with PKCE, and tokens that expire, are replaced, revoked or removed. */
import { expect, it, onTestFinished } from 'vitest';
import type { SendWebRequest, WebAnswer } from '../../../../src-main/core/foundations/api/web-request.ts';
import { createAccess } from '../../../../src-main/core/team/destinations/access.ts';
import { until } from '../../fixture.ts';
import { realClock } from '../../real-parts.ts';
import { leadOf } from '../formats/lead-samples.ts';
import { startHubspot } from './hubspot-double.ts';
import { startSalesforce } from './salesforce-double.ts';
import { openStand } from './stand.ts';

const SETTINGS = { when: { kind: 'all' }, needsConsent: false, notBefore: null, mapping: {} } as const;

const authorized = async () => {
  const double = await startSalesforce(() => 0.99, 'unused-token');
  onTestFinished(() => double.close());
  const stand = openStand();
  onTestFinished(() => stand.stop());
  stand.service().start();
  const { url } = await stand
    .service()
    .authorize({ kind: 'salesforce', name: 'Sales', address: double.address, clientId: 'app' });
  if (url === null) throw new Error('no address to open');
  return { double, stand, url };
};

it('signs in with PKCE, ignores a redirect of another state, refreshes tokens and reports a lost access', async () => {
  const { double, stand, url } = await authorized();
  const redirect = new URL(url).searchParams.get('redirect_uri') ?? '';
  const forged = await fetch(`${redirect.replace('localhost', '127.0.0.1')}?code=stolen&state=other`);
  expect(forged.status).toBe(404);
  expect(stand.service().list()).toEqual([]);
  // What the user's browser would do.
  const answer = await fetch(url, { redirect: 'manual' });
  await fetch((answer.headers.get('location') ?? '').replace('localhost', '127.0.0.1'));
  await until('the destination is connected', () => stand.service().list().length === 1);
  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');

  const [destination] = stand.service().list();
  if (destination === undefined) throw new Error('no destination');
  stand.service().save(destination.id, SETTINGS);
  stand.put(leadOf('a'));
  await until('the destination has the lead', () => stand.service().ofLead('a')[0]?.state === 'confirmed');

  // After days offline the access token has expired, but the refresh token has not.
  double.expire();
  stand.put(leadOf('b'));
  await until(
    'the destination has the second lead',
    () => stand.service().ofLead('b')[0]?.state === 'confirmed',
  );

  // The access was revoked. Nothing is lost, and the page reports it.
  double.expire();
  double.revokeAll();
  stand.put(leadOf('c'));
  await until('the access is refused', () => stand.service().list()[0]?.pause === 'keyRefused');
  expect(stand.service().list()[0]?.counts).toMatchObject({ due: 1, confirmed: 2 });
  expect(double.requests.every(({ path, query }) => !/sf-(access|refresh)/u.test(`${path}${query}`))).toBe(
    true,
  );
});

it('revokes the access of a destination and deletes its token when the destination is removed', async () => {
  const { stand, url } = await authorized();
  const answer = await fetch(url, { redirect: 'manual' });
  await fetch((answer.headers.get('location') ?? '').replace('localhost', '127.0.0.1'));
  await until('the destination is connected', () => stand.service().list().length === 1);
  expect(stand.secrets.size).toBe(1);
  expect(await stand.service().forget(stand.service().list()[0]?.id ?? '')).toEqual({ revoked: true });
  expect(stand.secrets.size).toBe(0);
  expect(stand.service().list()).toEqual([]);
});

it('keeps no token when the connection fails, whatever the address answers', async () => {
  const double = await startHubspot(() => 0.99, 'private-token-0123456789');
  onTestFinished(() => double.close());
  const stand = openStand();
  onTestFinished(() => stand.stop());
  const about = {
    kind: 'hubspot',
    name: 'H',
    address: double.address,
    token: 'private-token-0123456789',
  } as const;
  for (const answer of ['', '[]', '{"results":[{}]}', '<html>']) {
    double.spoil = () => answer;
    const done = await stand
      .service()
      .connect(about)
      .catch(() => ({ kind: 'failed' }));
    expect([answer, done.kind === 'connected', stand.secrets.size]).toEqual([answer, false, 0]);
  }
});

it('deletes the token of a destination that does not exist at the next start, and keeps the others', async () => {
  const { stand, url } = await authorized();
  const answer = await fetch(url, { redirect: 'manual' });
  await fetch((answer.headers.get('location') ?? '').replace('localhost', '127.0.0.1'));
  await until('the destination is connected', () => stand.service().list().length === 1);
  stand.secrets.set('left behind', 'token');
  stand.crash();
  expect([...stand.secrets.keys()]).toEqual(
    stand
      .service()
      .list()
      .map(({ id }) => id),
  );
});

it('reports why a sign-in failed, until the next sign-in', async () => {
  const { double, stand, url } = await authorized();
  const service = stand.service();
  const redirected = async (address: string, change = (text: string) => text): Promise<void> => {
    const answer = await fetch(address, { redirect: 'manual' });
    await fetch(change(answer.headers.get('location') ?? '').replace('localhost', '127.0.0.1'));
    await until('the outcome is known', () => service.authorized() !== null);
  };
  const again = async (): Promise<string> => {
    const about = { kind: 'salesforce', name: 'Sales', address: double.address, clientId: 'app' } as const;
    const next = await service.authorize(about);
    expect(service.authorized()).toBeNull();
    return next.url ?? '';
  };
  double.spoil = (text) => text.replaceAll('Touchpoint_Id__c', 'Other__c');
  await redirected(url);
  expect(service.authorized()).toEqual({ kind: 'refused', pause: 'takesNoScans' });
  double.spoil = (text) => text;
  // The user refuses, and another time the service does.
  await redirected(await again(), (text) => text.replace(/code=[^&]*&/u, 'error=access_denied&'));
  expect(service.authorized()).toEqual({ kind: 'refused', pause: 'keyRefused' });
  await redirected(await again(), (text) => text.replace(/code=[^&]*&/u, 'code=stolen&'));
  expect(service.authorized()).toEqual({ kind: 'refused', pause: 'keyRefused' });
  expect([service.list(), stand.secrets.size]).toEqual([[], 0]);
  // Something else answers instead of the service.
  const login = await again();
  double.spoil = () => '<html>';
  await redirected(login);
  expect(service.authorized()).toEqual({ kind: 'refused', pause: 'notAPlatform' });
  double.spoil = (text) => text;
  await redirected(await again());
  expect(service.authorized()).toMatchObject({ kind: 'connected' });
  expect(service.list().length).toBe(1);
});

/** An access whose token has expired. `answer` ends the refresh that the first request needs. */
const duringARefresh = async (keep: (secret: string) => Promise<void> = () => Promise.resolve()) => {
  const secret = {
    kind: 'oauth',
    token: 'old-token',
    refresh: 'old-refresh',
    clientId: 'app',
    tokenUrl: 'https://crm.example/token',
    revokeUrl: 'https://crm.example/revoke',
  } as const;
  let stored: string | null = JSON.stringify(secret);
  let answer: ((answer: WebAnswer) => void) | null = null;
  const send: SendWebRequest = ({ url, headers }) => {
    if (url === secret.tokenUrl)
      return new Promise((resolve) => {
        answer = resolve;
      });
    const isNew = headers.authorization !== 'Bearer old-token';
    return Promise.resolve({ status: isNew ? 200 : 401, headers: {}, body: '' });
  };
  const access = createAccess({
    id: 'd1',
    isWebhook: false,
    send,
    clock: realClock,
    secrets: {
      keep: async (_id, text) => {
        await keep(text);
        stored = text;
        return true;
      },
      read: async () => stored,
      forget: async () => {
        stored = null;
      },
      hide: () => undefined,
    },
  });
  const { signal } = new AbortController();
  const request = { method: 'GET', url: 'https://crm.example/leads', headers: {}, body: null } as const;
  const asked = access.ask(request, signal);
  await until('the refresh runs', () => answer !== null);
  return {
    access,
    asked,
    signal,
    answer: (body = '{"access_token":"refreshed-token"}', status = 200) =>
      answer?.({ status, headers: {}, body }),
    stored: () => stored,
  };
};
const NEW_TOKEN = { kind: 'token', token: 'new-token' } as const;

it.each([
  ['succeeds', undefined, 200],
  ['is refused', '{"error":"invalid_grant"}', 400],
])('keeps the new token although a refresh of the old one %s later', async (_how, body, status) => {
  const { access, asked, answer, stored } = await duringARefresh();
  expect(await access.replace(NEW_TOKEN)).toBe(true);
  answer(body, status);
  // The request that needed the refresh is sent with the new token.
  expect((await asked).status).toBe(200);
  expect(stored()).toBe(JSON.stringify(NEW_TOKEN));
});

it('keeps the new token although the refreshed one is still being stored', async () => {
  let store: (() => void) | null = null;
  const slow = (text: string) =>
    text.includes('refreshed')
      ? new Promise<void>((resolve) => {
          store = resolve;
        })
      : Promise.resolve();
  const { access, asked, answer, stored } = await duringARefresh(slow);
  answer();
  await until('the refreshed token is being stored', () => store !== null);
  const replaced = access.replace(NEW_TOKEN);
  (store as (() => void) | null)?.();
  expect([await replaced, (await asked).status, stored()]).toEqual([true, 200, JSON.stringify(NEW_TOKEN)]);
});

it('stores no refreshed token of a destination that was removed', async () => {
  const { access, asked, answer, signal, stored } = await duringARefresh();
  expect(await access.revoke(signal)).toBe(true);
  answer();
  await expect(asked).rejects.toMatchObject({ errorClass: { pause: 'keyMissing' } });
  expect(stored()).toBeNull();
});
