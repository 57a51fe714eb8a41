/** The signed webhook: its signature, its retries, and the receiver in the documentation. */

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDestinations } from '../../../../src-main/core/team/destinations/store.ts';
import { signatureOf, WEBHOOK_EVENTS } from '../../../../src-main/core/team/destinations/webhook.ts';
import { ownFolder, until } from '../../fixture.ts';
import { leadOf } from '../formats/lead-samples.ts';
import { openStand } from './stand.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };

/**
 * A receiver that answers with `statuses` in turn, then with 200; or with what `statuses` says to a body. Each answer
 * takes `delayMs` and has the text `text()`.
 */
const receiver = async (
  statuses: readonly number[] | ((body: string) => number),
  delayMs = 0,
  text = () => '',
) => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += String(part);
    });
    request.on('end', () => {
      response.statusCode =
        typeof statuses === 'function' ? statuses(body) : (statuses[received.length] ?? 200);
      received.push({ headers: request.headers, body });
      response.setHeader('content-type', 'text/html; charset=utf-8');
      if (delayMs === 0) response.end(text());
      else setTimeout(() => response.end(text()), delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
};

const standWith = async (url: string) => {
  const stand = openStand();
  onTestFinished(() => stand.stop());
  stand.service().start();
  const done = await stand.service().connect({ kind: 'webhook', name: 'Own', address: url, token: SECRET });
  if (done.kind !== 'connected') throw new Error(JSON.stringify(done));
  stand.service().save(done.id, { when: { kind: 'all' }, needsConsent: false, notBefore: null, mapping: {} });
  return { stand, id: done.id };
};

it("gives the signature of the standard's example", () => {
  // github.com/standard-webhooks/standard-webhooks, tests of the libraries.
  const body = '{"test": 2432232314}';
  expect(signatureOf(SECRET, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

it('sends a test event, repeats a failed delivery under the same id, and changes the id with the content', async () => {
  const { received, url } = await receiver([200, 503, 429, 200]);
  const { stand } = await standWith(url);
  stand.put(leadOf('a'));
  const state = () => stand.service().ofLead('a')[0]?.state;
  await until('the lead is sent', () => state() === 'sent');
  stand.put(leadOf('a', { jobTitle: 'Director' }));
  await until('the edit is sent', () => received.length === 5 && state() === 'sent');
  const ids = received.map(({ headers }) => headers['webhook-id']);
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'webhook.test' });
  expect(ids.slice(1, 4)).toEqual([ids[1], ids[1], ids[1]]);
  expect(ids[4]).not.toBe(ids[1]);
  expect(JSON.parse(received[4]?.body ?? '')).toMatchObject({
    type: 'lead.changed',
    data: { id: 'a', jobtitle: 'Director' },
  });
  for (const { headers, body } of received) {
    const seconds = Number(headers['webhook-timestamp']);
    expect(headers['webhook-signature']).toBe(
      signatureOf(SECRET, String(headers['webhook-id']), seconds, body),
    );
  }
});

it('gives an edit that returns to an earlier text another id, which its retries keep', async () => {
  const { received, url } = await receiver([200, 200, 200, 503]);
  const { stand } = await standWith(url);
  let sent = 1;
  for (const jobTitle of ['Buyer', 'Director', 'Buyer']) {
    stand.put(leadOf('a', { jobTitle }));
    sent += 1;
    const isSent = () => received.length >= sent && stand.service().ofLead('a')[0]?.state === 'sent';
    await until(`${jobTitle} is sent`, isSent);
  }
  const [, first, second, third, retry] = received.map(({ headers }) => headers['webhook-id']);
  expect(new Set([first, second, third]).size).toBe(3);
  expect([received.length, retry]).toEqual([5, third]);
});

it('gives the lead and the erasure of a person who returns other ids than before', async () => {
  const { received, url } = await receiver([]);
  const { stand } = await standWith(url);
  for (const protocol of ['erasure of 1', 'erasure of 2']) {
    stand.put(leadOf('a'));
    await until('the lead is sent', () => stand.service().ofLead('a')[0]?.state === 'sent');
    stand.erase('a');
    await until('the erasure is requested', () => stand.service().erasuresOf(protocol)[0]?.state === 'asked');
  }
  const types = received.map(({ body }) => (JSON.parse(body) as { readonly type: string }).type);
  const [erased, changed] = ['lead.erased', 'lead.changed'];
  expect(types).toEqual(['webhook.test', changed, erased, changed, erased]);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(5);
});

it('counts an erasure that waits, and its protocol says that the destination was forgotten before it was asked', async () => {
  const { url } = await receiver([200, 200, ...Array.from({ length: 100 }, () => 500)]);
  const { stand, id } = await standWith(url);
  const service = () => stand.service();
  stand.put(leadOf('a'));
  await until('the lead is sent', () => service().ofLead('a')[0]?.state === 'sent');
  stand.erase('a');
  await until('the receiver fails', () => service().list()[0]?.pause != null);
  expect(service().list()[0]?.pause).toEqual({ status: 500 });
  expect(service().concerns()).toEqual({ waiting: 1, refused: 0, undecided: 0, broken: 0 });
  expect(service().list()[0]).toMatchObject({ erasures: 1, counts: { due: 0, sent: 0 } });
  expect(service().erasuresOf('erasure of 1')).toEqual([{ name: 'Own', state: 'due' }]);
  await service().forget(id);
  expect(service().erasuresOf('erasure of 1')).toEqual([{ name: 'Own', state: 'forgotten' }]);
});

it('gives each of two destinations its own name and its own line in a protocol, even if an earlier version gave both the same name', async () => {
  const [one, other] = [await receiver([]), await receiver([])];
  const { stand, id } = await standWith(one.url);
  const service = () => stand.service();
  const connect = (address: string) =>
    service().connect({ kind: 'webhook', name: 'own', address, token: SECRET });
  const second = await connect(other.url);
  if (second.kind !== 'connected') throw new Error(JSON.stringify(second));
  const names = () =>
    service()
      .list()
      .map(({ name }) => name);
  expect(names()).toEqual(['Own', `own (${new URL(other.url).host})`]);
  expect((await connect(`${other.url}/2`)).kind).toBe('connected');
  expect(names()).toContain('own 2');
  expect(service().rename(second.id, ' OWN ')).toEqual({ kept: false });
  expect(service().rename(second.id, 'Sales')).toEqual({ kept: true });
  await stand.restart(() => {
    const { database } = openDestinations(stand.path);
    database.prepare("UPDATE destination SET name = 'Both' WHERE name IN ('Own', 'Sales')").run();
    database.close();
  });
  expect(new Set(names()).size).toBe(3);
  service().save(id, { when: { kind: 'all' }, needsConsent: false });
  service().save(second.id, { when: { kind: 'all' }, needsConsent: false });
  stand.put(leadOf('a'));
  const here = () => service().ofLead('a');
  await until('both sent it', () => here().filter(({ state }) => state === 'sent').length === 2);
  stand.erase('a');
  await until('both are asked', () => one.received.length + other.received.length === 7);
  const lines = () => service().erasuresOf('erasure of 1');
  await until('both lines say so', () => lines().every(({ state }) => state === 'asked'));
  expect(new Set(lines().map(({ name }) => name)).size).toBe(2);
});

it('names a removed destination in the protocol of a later erasure, if it got the lead', async () => {
  const { url } = await receiver([]);
  const { stand, id } = await standWith(url);
  const service = () => stand.service();
  stand.put(leadOf('a'));
  await until('the lead is sent', () => service().ofLead('a')[0]?.state === 'sent');
  service().save(id, { when: { kind: 'hand' } });
  stand.put(leadOf('b'));
  await service().forget(id);
  await stand.restart();
  stand.erase('b');
  stand.put(leadOf('c'));
  stand.erase('a');
  expect(service().erasuresOf('erasure of 2')).toEqual([]);
  expect(service().erasuresOf('erasure of 3')).toEqual([{ name: 'Own', state: 'forgotten' }]);
});

it('requests no erasure of the leads of an emptied device, not even with the next erasure of a person', async () => {
  const { received, url } = await receiver([]);
  const { stand } = await standWith(url);
  for (const lead of ['a', 'b']) stand.put(leadOf(lead));
  await until('both are sent', () =>
    ['a', 'b'].every((lead) => stand.service().ofLead(lead)[0]?.state === 'sent'),
  );
  stand.erase('a', 'fair');
  stand.put(leadOf('c'));
  await until('the next is sent', () => stand.service().ofLead('c')[0]?.state === 'sent');
  stand.erase('b');
  const erasures = () => stand.service().erasuresOf('erasure of 3');
  await until('the erasure is requested', () => erasures()[0]?.state === 'asked');
  expect([erasures().length, stand.service().erasuresOf('erasure of 2')]).toEqual([1, []]);
  const erased = received.flatMap(({ body }) => (body.includes('lead.erased') ? [JSON.parse(body)] : []));
  expect(erased).toMatchObject([{ data: { id: 'b' } }]);
});

it('does not send a lead again that a version without delivery ids sent', async () => {
  const { received, url } = await receiver([]);
  const { stand, id } = await standWith(url);
  const isSent = () => stand.service().ofLead('a')[0]?.state === 'sent';
  stand.put(leadOf('a', { jobTitle: 'Buyer' }));
  await until('the lead is sent', isSent);
  await stand.restart(() => {
    const { database } = openDestinations(stand.path);
    database.prepare("UPDATE record SET delivery = ''").run();
    database.close();
  });
  expect(await stand.service().send(id, {})).toEqual({ queued: 0, skipped: 0, unchanged: 1 });
  stand.put(leadOf('a', { jobTitle: 'Director' }));
  await until('the change is sent', () => received.length === 3 && isSent());
  expect(received.at(-1)?.body).toContain('Director');
});

it('sends a delivered lead again only if it changed or is the only one selected, so a refusal does not change its state', async () => {
  const { received, url } = await receiver([200, 200, 200, 200, ...Array.from({ length: 100 }, () => 400)]);
  const { stand, id } = await standWith(url);
  const service = () => stand.service();
  const isSent = () => ['a', 'b'].every((lead) => service().ofLead(lead)[0]?.state === 'sent');
  for (const lead of ['a', 'b']) stand.put(leadOf(lead, { jobTitle: 'Buyer' }));
  await until('both are sent', isSent);
  // A cleared field is a change, and afterwards there is none.
  stand.put(leadOf('b', { jobTitle: '' }));
  await until('the change is sent', () => received.length === 4 && isSent());
  expect(await service().send(id, {})).toEqual({ queued: 0, skipped: 0, unchanged: 2 });
  expect(await service().send(id, { ids: ['a'] })).toEqual({ queued: 1, skipped: 0, unchanged: 0 });
  await until(
    'the lead that was chosen alone is refused',
    () => service().ofLead('a')[0]?.state === 'parked',
  );
  expect([service().ofLead('b')[0]?.state, received.at(-1)?.headers['webhook-id']]).toEqual([
    'sent',
    received.find(({ body }) => body.includes('"id":"a"'))?.headers['webhook-id'],
  ]);
});

it('asks the receiver to erase a lead although the receiver refused a later edit', async () => {
  const { received, url } = await receiver([200, 200, 400, 400]);
  const { stand } = await standWith(url);
  const state = () => stand.service().ofLead('a')[0]?.state;
  stand.put(leadOf('a', { jobTitle: 'Buyer' }));
  await until('the lead is sent', () => state() === 'sent');
  stand.put(leadOf('a', { jobTitle: 'Director' }));
  await until('the edit is parked', () => state() === 'parked');
  stand.erase('a');
  const erasure = () => stand.service().erasuresOf('erasure of 2')[0]?.state;
  await until('the erasure is requested', () => erasure() === 'asked');
  expect(received.at(-1)?.body).toContain('lead.erased');
});

it('logs an outage and its end once each, and a refusal, without a name', async () => {
  const { received, url } = await receiver([200, 503, 503, 503, 503, 200, 400]);
  const { stand, id } = await standWith(url);
  const state = (lead: string) => stand.service().ofLead(lead)[0]?.state;
  stand.put(leadOf('a'));
  await until('the receiver has failed again and again', () => received.length > 4);
  await until('the lead is sent', () => state('a') === 'sent');
  stand.put(leadOf('b'));
  await until('the other is parked', () => state('b') === 'parked');
  await until('the log is complete', () => stand.log.said.length >= 3);
  expect(stand.log.said).toEqual([
    {
      level: 'warn',
      what: 'a destination accepts no leads',
      details: { destination: id, pause: 'offline', waiting: 1 },
    },
    { level: 'info', what: 'a destination accepts leads again', details: { destination: id } },
    { level: 'warn', what: 'a destination refused leads', details: { destination: id, refused: 1 } },
  ]);
});

it('requests an erasure although more leads keep coming than it can send', async () => {
  const { url } = await receiver([], 30);
  const { stand } = await standWith(url);
  let count = 0;
  const stream = setInterval(() => {
    stand.put(leadOf(`s${count}`));
    count += 1;
  }, 10);
  onTestFinished(() => clearInterval(stream));
  await until('the first is sent', () => stand.service().ofLead('s0')[0]?.state === 'sent');
  stand.erase('s0');
  const protocol = `erasure of ${count}`;
  await until('the erasure is requested', () => stand.service().erasuresOf(protocol)[0]?.state === 'asked');
});

it('sends leads while an erasure is refused, and requests the erasure again', async () => {
  let refuses = true;
  const { url } = await receiver((body) => (refuses && body.includes('lead.erased') ? 400 : 200));
  const { stand } = await standWith(url);
  const state = (lead: string) => stand.service().ofLead(lead)[0]?.state;
  stand.put(leadOf('a'));
  await until('the first lead is sent', () => state('a') === 'sent');
  stand.erase('a');
  stand.put(leadOf('b'));
  await until('the second lead is sent', () => state('b') === 'sent');
  const erasure = () => stand.service().erasuresOf('erasure of 1')[0]?.state;
  expect(erasure()).toBe('due');
  refuses = false;
  await until('the erasure is requested', () => erasure() === 'asked');
});

it('takes a page that answers 200 for a sign-in, so no lead counts as sent and the destination pauses', async () => {
  let text = '\n<!DOCTYPE html>\n<html><title>Sign in</title></html>';
  const { received, url } = await receiver([], 0, () => text);
  const refused = openStand();
  onTestFinished(() => refused.stop());
  const wish = { kind: 'webhook', name: 'Own', address: url, token: SECRET } as const;
  expect(await refused.service().connect(wish)).toEqual({ kind: 'refused', pause: 'notAPlatform' });
  text = 'OK';
  const { stand } = await standWith(url);
  text = '<html lang="en"><body>Sign in</body></html>';
  const before = received.length;
  stand.put(leadOf('a'));
  await until('the destination pauses', () => stand.service().list()[0]?.pause === 'notAPlatform');
  expect(stand.service().list()[0]?.counts).toMatchObject({ sent: 0 });
  text = 'OK';
  await until('the lead is sent', () => stand.service().ofLead('a')[0]?.state === 'sent');
  const ids = received.slice(before).map(({ headers }) => headers['webhook-id']);
  expect([ids.length > 1, new Set(ids).size]).toEqual([true, 1]);
});

it('parks a lead that the receiver refuses, and notifies the receiver of an erasure', async () => {
  const { received, url } = await receiver([200, 200, 400, 400]);
  const { stand } = await standWith(url);
  stand.put(leadOf('a'));
  await until('the first lead is sent', () => stand.service().ofLead('a')[0]?.state === 'sent');
  stand.put(leadOf('b'));
  await until('the second lead is parked', () => stand.service().ofLead('b')[0]?.state === 'parked');
  stand.erase('a');
  await until(
    'the erasure is requested',
    () => stand.service().erasuresOf('erasure of 2')[0]?.state === 'asked',
  );
  expect(JSON.parse(received.at(-1)?.body ?? '')).toMatchObject({ type: 'lead.erased', data: { id: 'a' } });
});

it('sends the events that the documentation and the schema list', () => {
  const docs = readFileSync('docs/crm.md', 'utf8');
  const listed = [...docs.matchAll(/^\| `(\w+\.\w+)` \|/gmu)].map(([, name]) => name);
  const schema = JSON.parse(readFileSync('docs/crm-webhook.schema.json', 'utf8')) as {
    readonly properties: { readonly type: { readonly enum: readonly string[] } };
  };
  expect([listed, schema.properties.type.enum]).toEqual([WEBHOOK_EVENTS, WEBHOOK_EVENTS]);
});

it('works with the receiver in the documentation, which refuses a wrong signature', async () => {
  const text = readFileSync('docs/crm.md', 'utf8');
  const [, example = ''] = /```js\n([\s\S]*?)```/u.exec(text) ?? [];
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(10);
  const file = join(ownFolder(), 'receiver.mjs');
  writeFileSync(file, `${example}\nexport { server };`);
  process.env.WEBHOOK_SECRET = SECRET;
  process.env.PORT = '0';
  const { server } = (await import(file)) as { server: import('node:http').Server };
  onTestFinished(() => void server.close());
  await until('the receiver listens', () => server.listening);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { stand } = await standWith(url);
  stand.put(leadOf('a'));
  await until('the lead is sent', () => stand.service().ofLead('a')[0]?.state === 'sent');
  const forged = await fetch(url, {
    method: 'POST',
    headers: { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' },
    body: '{}',
  });
  expect(forged.status).toBe(401);
});
