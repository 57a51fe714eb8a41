/**
 * The rights of a single company's key: its own records, what a stand needs of the event, and nothing else.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningPlatform, startPlatform } from '../running-platform.ts';
import { createHttp, type Http, interaction, type Json } from '../table/row.ts';

const OURS = 'AD2026P001';
const key = 'company-key';
const organiser = 'events-key';
let platform: RunningPlatform;
let http: Http;

beforeAll(async () => {
  platform = await startPlatform();
  http = createHttp(platform);
  const about = { expos: ['AD2026'], canWrite: true, connections: true };
  await platform.makeKey(key, { ...about, partnerId: OURS });
  await platform.makeKey(organiser, about);
});
afterAll(() => platform.stop());

const ownersOf = (records: readonly Json[]) => [...new Set(records.map(({ partnerID }) => partnerID))];
const idsOf = (records: readonly Json[]) => records.map(({ id }) => id).toSorted();

it('a company’s key reads all its own touchpoints, contents and licenses, and no others', async () => {
  expect(idsOf(await http.get('/partners/AD2026', { key }))).toEqual([OURS]);
  for (const folder of ['touchpoints', 'contents', 'licenses']) {
    const found = await http.get(`/${folder}/AD2026`, { key });
    const all = await http.get(`/${folder}/AD2026?partnerId=${OURS}`, { key: organiser });
    expect(idsOf(found), folder).toEqual(idsOf(all));
    expect(found.length, folder).toBeGreaterThan(0);
    await http.ask(403, `GET /${folder}/AD2026?partnerId=AD2026P002`, { key });
    if (folder !== 'touchpoints') await http.ask(403, `GET /${folder}/AD2026?partnerID=AD2026P002`, { key });
    const foreign = (await http.get(`/${folder}/AD2026?partnerId=AD2026P002`, { key: organiser }))[0];
    if (folder !== 'touchpoints') await http.ask(404, `GET /${folder}/AD2026/${foreign.id}`, { key });
    const own = await http.get(`/${folder}/AD2026/${found[0].id}`, { key });
    expect(own).toMatchObject({ id: found[0].id, partnerID: OURS });
  }
  await http.ask(200, `GET /partners/AD2026/${OURS}`, { key });
  await http.ask(404, 'GET /partners/AD2026/AD2026P002', { key });
});

it('a company’s key reads the programme, labels and registration types of the event as every key does', async () => {
  for (const folder of ['activities', 'labels', 'registrationTypes']) {
    const found = await http.get(`/${folder}/AD2026`, { key });
    expect(found, folder).toEqual(await http.get(`/${folder}/AD2026`, { key: organiser }));
  }
  expect(idsOf(await http.get('/expos', { key }))).toEqual(['AD2026']);
});

it('a company’s key reads no visitors, sales or webhooks, and cannot change contents or send e-mail', async () => {
  for (const folder of ['visitors', 'participants', 'orders', 'payments', 'webhooks'])
    await http.ask(403, `GET /${folder}/AD2026`, { key });
  const [content] = await http.get('/contents/AD2026', { key });
  await http.ask(403, `PUT /contents/AD2026/${content.id}`, { key, body: content });
  await http.ask(403, `DELETE /contents/AD2026/${content.id}`, { key });
  await http.ask(403, 'POST /sendemail/AD2026', {
    key,
    body: { visitorId: 'AD2026V000001', type: 'confirmation' },
  });
});

it('a company’s key sends and reads taps of its touchpoints, and foreign taps in a batch are rejected', async () => {
  const tap = interaction({ badge: '04A1B2C3D4E5F6' });
  const results = await http.post(
    '/actions/AD2026',
    [
      tap,
      interaction({ badge: '04A1B2C3D4E5F6', partnerID: 'AD2026P002' }),
      interaction({ badge: '04A1B2C3D4E5F6', touchpointID: 'AD2026T06' }),
      interaction({ badge: '04A1B2C3D4E5F6', touchpointID: undefined }),
    ],
    { key },
  );
  expect(results.map(({ result, errors }: Json) => [result, errors?.[0].field])).toEqual([
    ['created', undefined],
    ['rejected', 'partnerID'],
    ['rejected', 'touchpointID'],
    ['rejected', 'partnerID'],
  ]);
  const foreign = interaction({ badge: '04A1B2C3D4E5F6', touchpointID: 'AD2026T06' }) as Json;
  await http.post('/actions/AD2026', [foreign], { key: organiser });
  const [undone] = await http.post(
    '/actions/AD2026',
    [interaction({ badge: '04A1B2C3D4E5F6', kind: 'undo', undoes: foreign.id })],
    { key },
  );
  expect(undone).toMatchObject({ result: 'rejected', errors: [{ field: 'undoes' }] });
  const actions = await http.get('/actions/AD2026', { key });
  expect(actions.map(({ clientID }: Json) => clientID)).toContain((tap as Json).id);
  expect(ownersOf(actions)).toEqual([OURS]);
  const [connection] = await http.get('/connections/AD2026', { key });
  expect(connection).toMatchObject({ partnerID: OURS, type: 'partner' });
});
