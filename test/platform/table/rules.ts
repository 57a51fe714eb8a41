/**
 * Rows for the rules of the document: common rules, contents, operation rules, states of visitors and webhooks.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { interaction, type Json, type Row, rejectedFields, row, wholeList } from './row.ts';

const product = { partnerID: 'AD2026P002', name: 'Gripper', source: 'internal' };
const visitor = { lastName: 'Rule', registrationState: 'registered' };

export const ruleRows: readonly Row[] = [
  row('common rule 1', 'a revision increases with every update', async ({ post, put }) => {
    const label = await post('/labels/AD2026', { name: 'Blue', color: '#0000ff', types: ['profile'] });
    const first = await put(`/labels/AD2026/${label.id}`, label);
    const second = await put(`/labels/AD2026/${label.id}`, label);
    expect(first.revision).toBeGreaterThan(label.revision);
    expect(second.revision).toBeGreaterThan(first.revision);
  }),
  row('common rule 2', 'the last updated record is listed last', async ({ get, put }) => {
    const [first] = await get('/labels/AD2026?limit=1');
    await put(`/labels/AD2026/${first.id}`, first);
    expect((await get('/labels/AD2026')).at(-1).id).toBe(first.id);
  }),
  row('common rule 3', 'ids are alphanumeric', async (http) => {
    for (const folder of ['visitors', 'contents', 'actions', 'connections']) {
      for (const { id } of await wholeList(http, `/${folder}/AD2026`, 100))
        expect(id).toMatch(/^[A-Za-z0-9]+$/);
    }
  }),
  row('content rule 1', 'the address for the QR code can be composed', async ({ get }) => {
    const { discoverUrl } = await get('/expos/AD2026');
    const [content] = await get('/contents/AD2026?limit=1');
    expect(`${discoverUrl}/c/${content.id}`).toMatch(/^https:\/\/[^/]+\/c\/[A-Za-z0-9]+$/);
  }),
  row('content rule 2', 'contents exist only with the subscription', async ({ get, ask }) => {
    expect(await get('/contents/PN2027')).toEqual([]);
    await ask(422, 'POST /contents/PN2027', { body: product });
  }),
  row(
    'content rule 3',
    'a profile exists with its partner; it can be updated, but neither created nor deleted',
    async (http) => {
      const { post, put, get, ask } = http;
      const partner = await post('/partners/AD2026', { name: 'Rule AG', registrationType: 'RTSPONSOR' });
      const own = await get(`/contents/AD2026?partnerId=${partner.id}`);
      expect(own).toMatchObject([{ category: 'partner', name: 'Rule AG', partnerID: partner.id }]);
      const profile = await get(`/contents/AD2026/${own[0].id}`);
      expect((await put(`/contents/AD2026/${profile.id}`, { ...profile, summary: 'Hello' })).summary).toBe(
        'Hello',
      );
      await ask(400, `DELETE /contents/AD2026/${profile.id}`);
      const body = { ...product, partnerID: partner.id, category: 'partner' };
      expect(rejectedFields(await ask(422, 'POST /contents/AD2026', { body }))).toEqual(['category']);
      await ask(200, `DELETE /partners/AD2026/${partner.id}`);
      expect(await get(`/contents/AD2026?partnerId=${partner.id}`)).toEqual([]);
    },
  ),
  row('content rule 4', 'a product can be created, updated and deleted', async ({ post, put, ask }) => {
    const made = await post('/contents/AD2026', product);
    expect(made.category).toBe('product');
    await put(`/contents/AD2026/${made.id}`, { ...made, name: 'Gripper 2' });
    await ask(422, `PUT /contents/AD2026/${made.id}`, { body: { ...made, partnerID: 'AD2026P003' } });
    await ask(200, `DELETE /contents/AD2026/${made.id}`);
  }),
  row(
    'content rule 5',
    'an interaction with a content creates an action and a connection',
    async ({ get, post }) => {
      const collect = { kind: 'collect', contentID: 'AD2026P005N1', visitorID: 'AD2026V000003' };
      const [result] = await post('/actions/AD2026', [interaction({ ...collect, touchpointID: undefined })]);
      expect(result.result).toBe('created');
      const actions = await get('/actions/AD2026?contentId=AD2026P005N1');
      expect(actions).toMatchObject([{ id: result.actionID, partnerID: 'AD2026P005' }]);
      const connections = await get('/connections/AD2026?partnerId=AD2026P005');
      expect(connections).toMatchObject([{ visitorID: 'AD2026V000003', contents: ['AD2026P005N1'] }]);
    },
  ),
  row(
    ['operation rule 1', 'POST /contents/{expoId} ?partnerId'],
    'a product needs a partner; the body overrides the query',
    async ({ post, ask }) => {
      const { partnerID: _left, ...lonely } = product;
      expect(rejectedFields(await ask(422, 'POST /contents/AD2026', { body: lonely }))).toEqual([
        'partnerID',
      ]);
      expect((await post('/contents/AD2026?partnerId=AD2026P004', lonely)).partnerID).toBe('AD2026P004');
      expect((await post('/contents/AD2026?partnerId=AD2026P004', product)).partnerID).toBe('AD2026P002');
      await ask(422, 'POST /contents/AD2026?partnerId=NOBODY', { body: lonely });
    },
  ),
  row(
    ['operation rule 2', 'POST /licenses/{expoId} ?partnerId'],
    'a license needs a partner; the body overrides the query',
    async ({ post, ask }) => {
      const lonely = { type: 'scan', activationMax: 2 };
      expect(rejectedFields(await ask(422, 'POST /licenses/AD2026', { body: lonely }))).toEqual([
        'partnerID',
      ]);
      expect((await post('/licenses/AD2026?partnerId=AD2026P004', lonely)).partnerID).toBe('AD2026P004');
      const both = { ...lonely, partnerID: 'AD2026P002' };
      expect((await post('/licenses/AD2026?partnerId=AD2026P004', both)).partnerID).toBe('AD2026P002');
    },
  ),
  row(
    ['operation rule 3', 'POST /sendemail/{expoId}'],
    'the confirmation is sent once, and again when forced',
    async ({ post, ask, platform }) => {
      const outbox = join(platform.folder, 'outbox');
      const request = { visitorId: 'AD2026V000002', type: 'confirmation' };
      expect(await post('/sendemail/AD2026', request)).toEqual({ ...request, force: false, sent: true });
      expect(await post('/sendemail/AD2026', request)).toMatchObject({ force: false, sent: false });
      expect(await post('/sendemail/AD2026', { ...request, force: true })).toMatchObject({
        force: true,
        sent: true,
      });
      const files = await readdir(outbox);
      expect(files).toHaveLength(2);
      expect(await readFile(join(outbox, files[0] ?? ''), 'utf8')).toContain(
        'To: takeshi.kobayashi@example.org',
      );
      expect(rejectedFields(await ask(422, 'POST /sendemail/AD2026', { body: { type: 'invoice' } }))).toEqual(
        ['visitorId', 'type'],
      );
      await ask(400, 'POST /sendemail/AD2026', { body: { ...request, visitorId: 'NOBODY' } });
      await ask(400, 'POST /sendemail/AD2026', { body: { ...request, visitorId: 'AD2026V000005' } });
    },
  ),
  row(
    ['operation rule 4', 'authentication 6'],
    'connections must be enabled; a single company also needs a license',
    async ({ get, ask, platform }) => {
      await platform.makeKey('no-connections', { canWrite: true });
      await ask(403, 'GET /connections/AD2026', { key: 'no-connections' });
      await platform.makeKey('company', { connections: true, partnerId: 'AD2026P001' });
      const own = await get('/connections/AD2026', { key: 'company' });
      expect(new Set(own.map((entry: Json) => entry.partnerID))).toEqual(new Set(['AD2026P001']));
      await ask(403, 'GET /connections/AD2026?partnerId=AD2026P002', { key: 'company' });
      await ask(403, 'GET /visitors/AD2026', { key: 'company' });
      const foreign = (await get('/connections/AD2026?partnerId=AD2026P005'))[0];
      await ask(404, `GET /connections/AD2026/${foreign.id}`, { key: 'company' });
      for (const license of await get('/licenses/AD2026?partnerId=AD2026P006')) {
        await ask(200, `DELETE /licenses/AD2026/${license.id}`);
      }
      await platform.makeKey('unlicensed', { connections: true, partnerId: 'AD2026P006' });
      await ask(403, 'GET /connections/AD2026', { key: 'unlicensed' });
    },
  ),
  row(['operation rule 6', 'webhook type visitor'], 'visitors are read by webhook', async ({ get, post }) => {
    const webhook = await post('/webhooks/AD2026', { type: 'visitor', url: 'http://consumer.example.org' });
    const page = await get(`/visitors/AD2026?webhookId=${webhook.id}`);
    expect(page).toHaveLength(100);
    expect(page[0]).toMatchObject({ expoID: 'AD2026', registrationState: expect.any(String) });
  }),
  row('visitor registration state', 'only registered visitors take part', async ({ get, post, put, ask }) => {
    const made = await post('/visitors/AD2026', { ...visitor, registrationState: 'cancelled' });
    await ask(404, `GET /participants/AD2026/${made.id}`);
    const tap = { visitorID: made.id };
    const [refused] = await post('/actions/AD2026', [interaction(tap)]);
    expect(refused).toMatchObject({
      result: 'rejected',
      errors: [{ field: 'visitorID', error: 'notRegistered' }],
    });
    await put(`/visitors/AD2026/${made.id}`, { ...made, registrationState: 'registered' });
    const [accepted] = await post('/actions/AD2026', [interaction(tap)]);
    expect(accepted.result).toBe('created');
    expect((await get(`/participants/AD2026/${made.id}`)).present).toBe(true);
    const typed = { ...visitor, registrationState: 'incomplete', registrationType: 'RTVISITOR' };
    expect(rejectedFields(await ask(422, 'POST /visitors/AD2026', { body: typed }))).toEqual([
      'registrationType',
    ]);
  }),
  row('webhook state error', 'a PUT resets the state to wait', async ({ post, put, get, ask, platform }) => {
    const made = await post('/webhooks/AD2026', { type: 'order', url: 'https://consumer.example.org' });
    expect(made).toMatchObject({ state: 'wait', attempts: 0, enabled: true });
    const path = `/webhooks/AD2026/${made.id}`;
    expect(rejectedFields(await ask(422, `PUT ${path}`, { body: { ...made, state: 'error' } }))).toEqual([
      'state',
    ]);
    const failed = JSON.stringify({
      ...made,
      revision: undefined,
      state: 'error',
      attempts: 7,
      lastError: '500',
    });
    await platform.store.write(async ({ db }) => {
      await db
        .updateTable('record')
        .set({ basic: failed, state: 'error' })
        .where('id', '=', made.id)
        .execute();
    });
    const shown = await get(path);
    expect(shown).toMatchObject({ state: 'error', attempts: 7 });
    expect(await put(path, { ...shown, url: 'https://other.example.org' })).toMatchObject({
      state: 'error',
    });
    const reset = await put(path, { ...shown, state: 'wait' });
    expect(reset).toMatchObject({ state: 'wait', attempts: 0 });
    expect(reset).not.toHaveProperty('lastError');
  }),
];
