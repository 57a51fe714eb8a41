/** A webhook belongs to the key that created it, because its address may contain a secret. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningPlatform, startPlatform } from '../running-platform.ts';
import { createHttp, type Http, rejectedFields } from '../table/row.ts';

let platform: RunningPlatform;
let http: Http;
let path: string;
const secret = 'https://consumer.example.org/?token=s3cr3t';

beforeAll(async () => {
  platform = await startPlatform();
  http = createHttp(platform);
  await platform.makeKey('owner', { expos: ['AD2026'] });
  await platform.makeKey('other', { expos: ['AD2026'] });
  const made = await http.post('/webhooks/AD2026', { type: 'visitor', url: secret }, { key: 'owner' });
  path = `/webhooks/AD2026/${made.id}`;
});
afterAll(() => platform.stop());

it('the platform hides a webhook from other keys of the event, which cannot change or delete it either', async () => {
  const key = 'other';
  expect(await http.get('/webhooks/AD2026', { key })).toEqual([]);
  await http.ask(404, `GET ${path}`, { key });
  await http.ask(404, `PUT ${path}`, { key, body: { enabled: false } });
  await http.ask(404, `DELETE ${path}`, { key });
  expect(await http.get(path, { key: 'owner' })).toMatchObject({ url: secret, enabled: true });
});

it('the platform refuses a webhook for connections to a key that may not read them', async () => {
  const body = { type: 'connection', url: secret };
  const refused = await http.ask(422, 'POST /webhooks/AD2026', { key: 'owner', body });
  expect(rejectedFields(refused)).toEqual(['type']);
  await platform.makeKey('reader', { expos: ['AD2026'], connections: true });
  const made = await http.post('/webhooks/AD2026', body, { key: 'reader' });
  await http.ask(200, `DELETE /webhooks/AD2026/${made.id}`, { key: 'reader' });
});

it('a list refuses the `webhookId` of another key, so that no other key consumes its notifications', async () => {
  const id = path.split('/').at(-1);
  const refused = await http.ask(400, `GET /visitors/AD2026?webhookId=${id}`, { key: 'other' });
  expect(refused.json.title).toBe('Webhook not found');
  await http.ask(200, `GET /visitors/AD2026?webhookId=${id}`, { key: 'owner' });
});

it('a webhook stays with its key, even after changes by the organiser', async () => {
  await http.put(path, { enabled: false }, { key: 'owner' });
  await http.put(path, { enabled: true });
  const [listed] = await http.get('/webhooks/AD2026', { key: 'owner' });
  expect(listed).toMatchObject({ url: secret, enabled: true });
  expect(JSON.stringify(listed)).not.toMatch(/key/i);
});

it("a webhook is visible to the organiser's key for all events", async () => {
  expect(await http.get('/webhooks/AD2026')).toMatchObject([{ url: secret }]);
  await http.get(path);
});

it('a webhook changes only in the fields that a PUT contains', async () => {
  const before = await http.get(path);
  const stopped = await http.put(path, { enabled: false }, { key: 'owner' });
  expect(stopped).toMatchObject({ url: secret, type: 'visitor', enabled: false, state: 'wait' });
  expect(await http.put(path, { state: 'wait' }, { key: 'owner' })).toMatchObject({
    url: secret,
    enabled: false,
  });
  expect(await http.put(path, { enabled: true }, { key: 'owner' })).toMatchObject({
    enabled: before.enabled,
  });
  const moved = await http.put(path, { url: 'https://other.example.org/' }, { key: 'owner' });
  expect(moved).toMatchObject({ url: 'https://other.example.org/', enabled: true });
  expect(rejectedFields(await http.ask(422, `PUT ${path}`, { body: { type: 'order' } }))).toEqual(['type']);
});

it('a webhook is deleted by its key', async () => {
  await http.ask(200, `DELETE ${path}`, { key: 'owner' });
  expect(await http.get('/webhooks/AD2026')).toEqual([]);
});
