/**
 * How this platform fills gaps in the published interface: visitors, touchpoints, uploads, contacts, deleted records.
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, startPlatform } from './running-platform.ts';
import { createHttp, type Http, interaction, type Json, rejectedFields, wholeList } from './table/row.ts';

let platform: RunningPlatform;
let http: Http;
beforeAll(async () => {
  platform = await startPlatform();
  http = createHttp(platform);
});
afterAll(() => platform.stop());

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#808080' } });
const smallPng = await blank(8, 8).png().toBuffer();
const jpeg = await blank(64, 64).jpeg().toBuffer();
/** A small file that has 100,000,000 pixels when it is unpacked. */
const bomb = await blank(10_000, 10_000).png().toBuffer();
/** A real picture of this many bytes. Decoders ignore everything after its end. */
const png = (size: number) => Buffer.concat([smallPng, randomBytes(size - smallPng.length)]);

const registered = { lastName: 'Test', registrationState: 'registered' };

describe('visitors', () => {
  it('are listed completely, page by page, in order of revision', async () => {
    const all = await wholeList(http, '/visitors/AD2026', 100);
    expect(all).toHaveLength(400);
    expect(new Set(all.map((visitor) => visitor.id)).size).toBe(400);
  });

  it('are filtered by contact, reference, states and types', async () => {
    const all = await wholeList(http, '/visitors/AD2026', 100);
    const [first] = all;
    expect(await http.get(`/visitors/AD2026?contactReference=${first.contactReference}`)).toEqual([first]);
    expect(await http.get(`/visitors/AD2026?contactId=${first.contactID}`)).toEqual([first]);
    const states = await wholeList(http, '/visitors/AD2026?registrationStates=denied,cancelled', 100);
    expect(states).toEqual(
      all.filter((visitor) => ['denied', 'cancelled'].includes(visitor.registrationState)),
    );
    const types = await wholeList(http, '/visitors/AD2026?registrationTypes=RTPRESS', 100);
    expect(types).toEqual(all.filter((visitor) => visitor.registrationType === 'RTPRESS'));
    await http.ask(400, 'GET /visitors/AD2026?registrationStates=lost');
  });

  it('are replaced completely by a PUT', async () => {
    const made = await http.post('/visitors/AD2026', { ...registered, company: 'Old', phone: '1' });
    const { phone: _phone, ...less } = made;
    const changed = await http.put(`/visitors/AD2026/${made.id}`, { ...less, company: 'New' });
    expect(changed).toMatchObject({ company: 'New', created: made.created, contactID: made.contactID });
    expect(changed).not.toHaveProperty('phone');
    expect(changed.updated >= made.updated).toBe(true);
  });

  it('ignore a date, a revision and a deletion in a body', async () => {
    const claims = { deleted: true, created: '1999-01-01T00:00:00Z', revision: 7, updated: 'now' };
    const made = await http.post('/visitors/AD2026', { ...registered, ...claims });
    expect(made).not.toHaveProperty('deleted');
    const changed = await http.put(`/visitors/AD2026/${made.id}`, { ...made, ...claims });
    expect(changed).not.toHaveProperty('deleted');
    expect(changed.created).toBe(made.created);
    expect(changed.revision).toBeGreaterThan(made.revision);
    expect((await http.get(`/visitors/AD2026?fromRevision=${changed.revision}`))[0]).toEqual(changed);
  });

  it('own their badges: a code belongs to one visitor of an event', async () => {
    const badges = [{ type: 'nfc', code: '04:aa:bb:cc:dd:ee:01' }];
    const made = await http.post('/visitors/AD2026', { ...registered, badges });
    const again = { ...registered, badges: [{ type: 'nfc', code: '04AABBCCDDEE01' }] };
    const taken = await http.ask(422, 'POST /visitors/AD2026', { body: again });
    expect(rejectedFields(taken)).toEqual(['badges.0.code']);
    await http.post('/visitors/PN2027', again);
    await http.put(`/visitors/AD2026/${made.id}`, { ...made, lastName: 'Same badge' });
    await http.ask(200, `DELETE /visitors/AD2026/${made.id}`);
    await http.post('/visitors/AD2026', again);
  });

  it('that were deleted can still be read as deleted, and have no attendance', async () => {
    const made = await http.post('/visitors/AD2026', registered);
    await http.get(`/participants/AD2026/${made.id}`);
    await http.ask(200, `DELETE /visitors/AD2026/${made.id}`);
    const read = await http.get(`/visitors/AD2026/${made.id}`);
    expect(read).toMatchObject({ id: made.id, expoID: 'AD2026', updated: made.updated, deleted: true });
    expect(read.revision).toBeGreaterThan(made.revision);
    await http.ask(404, `GET /participants/AD2026/${made.id}`);
    const shown = await http.get(`/visitors/AD2026?fromRevision=${read.revision}&showDeleted=true`);
    expect(shown[0]).toEqual(read);
  });

  it('keep no personal data once they are deleted, nor their uploads', async () => {
    const email = 'gone@example.org';
    const made = await http.post('/visitors/AD2026', {
      ...registered,
      firstName: 'Gone',
      email,
      phone: '123',
    });
    const raw = png(1000);
    const headers = { 'content-type': 'application/octet-stream' };
    await http.ask(200, `POST /upload/visitor/${made.id}?type=IdCard`, { raw, headers });
    const folder = join(platform.folder, 'uploads', 'AD2026', made.id);
    expect(await readdir(folder)).toEqual(['IdCard.png']);
    await http.ask(200, `DELETE /visitors/AD2026/${made.id}`);
    const read = await http.get(`/visitors/AD2026/${made.id}`);
    expect(Object.keys(read).sort()).toEqual([
      'badges',
      'contactID',
      'created',
      'deleted',
      'expoID',
      'id',
      'labels',
      'registrationState',
      'revision',
      'updated',
    ]);
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });

  it('can be saved as they were read, even if one of their labels or partners was deleted', async () => {
    const label = await http.post('/labels/AD2026', {
      name: 'Soon gone',
      color: '#123456',
      types: ['profile'],
    });
    const partner = await http.post('/partners/AD2026', {
      name: 'Soon gone',
      registrationType: 'RTEXHIBITOR',
    });
    const body = { ...registered, labels: [label.id], partnerID: partner.id };
    const made = await http.post('/visitors/AD2026', body);
    await http.ask(200, `DELETE /labels/AD2026/${label.id}`);
    await http.ask(200, `DELETE /partners/AD2026/${partner.id}`);
    await http.put(`/visitors/AD2026/${made.id}`, made);
    const more = { ...made, labels: [label.id, 'NOLABEL'] };
    const refused = await http.ask(422, `PUT /visitors/AD2026/${made.id}`, { body: more });
    expect(rejectedFields(refused)).toEqual(['labels.1']);
  });

  it('have an attendance that is listed as deleted after they are cancelled', async () => {
    const made = await http.post('/visitors/AD2026', registered);
    const { revision } = await http.get(`/participants/AD2026/${made.id}`);
    await http.put(`/visitors/AD2026/${made.id}`, { ...made, registrationState: 'cancelled' });
    const later = await http.get(`/participants/AD2026?fromRevision=${revision}`);
    expect(later.at(-1)).toMatchObject({ visitorID: made.id, deleted: true });
  });

  it('share one contact across events if they have the same contact reference', async () => {
    const one = await http.post('/visitors/AD2026', { ...registered, contactReference: 'CRM-77' });
    const two = await http.post('/visitors/PN2027', { ...registered, contactReference: 'CRM-77' });
    expect(two.contactID).toBe(one.contactID);
    const body = { ...registered, contactReference: 'CRM-77', contactID: 'ANOTHER1' };
    expect(rejectedFields(await http.ask(422, 'POST /visitors/AD2026', { body }))).toEqual([
      'contactReference',
    ]);
  });

  it('refer only to existing records', async () => {
    for (const [field, value] of [
      ['partnerID', 'NOBODY'],
      ['registrationType', 'RTEXHIBITOR'],
      ['labels', ['NOLABEL']],
    ] as const) {
      const refused = await http.ask(422, 'POST /visitors/AD2026', {
        body: { ...registered, [field]: value },
      });
      expect(rejectedFields(refused)[0]).toMatch(new RegExp(`^${field}`));
    }
  });
});

describe('an order', () => {
  it('follows the state of its payment until it is completed', async () => {
    const [payment] = (await http.get('/payments/AD2026?paymentStates=pending')) as Json[];
    const order = async () => (await http.get(`/orders/AD2026/${payment.orderID}`)).state;
    await http.put(`/payments/AD2026/${payment.id}`, { state: 'paid' });
    expect(await order()).toBe('completed');
    await http.put(`/payments/AD2026/${payment.id}`, { state: 'denied' });
    expect(await order()).toBe('completed');
  });
});

describe('a license', () => {
  it('that allows no activation gives its company no access to connections', async () => {
    const { id } = await http.post('/partners/AD2026', { name: 'Zero', registrationType: 'RTEXHIBITOR' });
    await http.post('/licenses/AD2026', { partnerID: id, type: 'app', activationMax: 0 });
    await platform.makeKey('zero', { expos: ['AD2026'], partnerId: id, connections: true });
    await http.ask(403, 'GET /connections/AD2026', { key: 'zero' });
    await http.post('/licenses/AD2026', { partnerID: id, type: 'app', activationMax: 1 });
    await http.ask(200, 'GET /connections/AD2026', { key: 'zero' });
  });
});

describe('touchpoints', () => {
  it('are listed with the demo stand first, and filtered by partner', async () => {
    const list = await http.get('/touchpoints/AD2026?limit=1000');
    expect(list[0]).toMatchObject({ name: 'B17 left', purpose: 'lead', partnerID: 'AD2026P001' });
    expect((await http.get('/partners/AD2026/AD2026P001')).stand).toBe('Hall 4, B17');
    const own = await http.get('/touchpoints/AD2026?partnerId=AD2026P001');
    expect(own.map((touchpoint: Json) => touchpoint.purpose)).toEqual(['lead', 'lead', 'content']);
    expect(await http.get(`/touchpoints/AD2026/${list[0].id}`)).toEqual(list[0]);
  });

  it('use one activation of their license with their first interaction', async () => {
    const count = async () => (await http.get('/licenses/AD2026?partnerId=AD2026P001'))[0].activations;
    const before = await count();
    const tap = () => interaction({ badge: '04A1B2C3D4E5F6', touchpointID: 'AD2026T02' });
    await http.post('/actions/AD2026', [tap()]);
    expect(await count()).toBe(before + 1);
    await http.post('/actions/AD2026', [tap(), tap()]);
    expect(await count()).toBe(before + 1);
  });
});

describe('contents and licenses', () => {
  it.each(['contents', 'licenses'])('filters %s by both spellings of the partner', async (folder) => {
    const [one, other] = await Promise.all(
      ['partnerId', 'partnerID'].map((name) => http.get(`/${folder}/AD2026?${name}=AD2026P002`)),
    );
    expect(new Set(one.map((record: Json) => record.partnerID))).toEqual(new Set(['AD2026P002']));
    expect(other).toEqual(one);
  });
});

describe('an uploaded image', () => {
  const visitorId = 'AD2026V000001';
  const path = (type: string) => `/upload/visitor/${visitorId}?type=${type}`;
  const headers = { 'content-type': 'application/octet-stream' };
  const folder = () => join(platform.folder, 'uploads', 'AD2026', visitorId);

  it('is stored unchanged, and replaced by the next one', async () => {
    const bytes = png(300_000);
    const answer = await http.ask(200, `POST ${path('ProfilePhoto')}`, { raw: bytes, headers });
    expect(answer.json).toMatchObject({ visitorID: visitorId, type: 'ProfilePhoto', size: 300_000 });
    expect(answer.json.sha256).toMatch(/^[0-9a-f]{64}$/);
    const file = join(folder(), 'ProfilePhoto.png');
    expect((await readFile(file)).equals(bytes)).toBe(true);
    expect((await stat(file)).mode & 0o077).toBe(0);
    await http.ask(200, `POST ${path('ProfilePhoto')}`, { raw: jpeg, headers });
    expect(await readdir(folder())).toEqual(['ProfilePhoto.jpg']);
  });

  it('is refused if its body is JSON instead of bytes', async () => {
    const json = { 'content-type': 'application/json' };
    const answer = await http.ask(400, `POST ${path('IdCard')}`, {
      raw: Buffer.from('{"a":1}'),
      headers: json,
    });
    expect(answer.json.type).toBe('badRequest');
  });

  it('is refused for an id that belongs to no visitor', async () => {
    for (const id of ['%00', 'a%00b', 'NOBODY']) {
      await http.ask(404, `POST /upload/visitor/${id}?type=IdCard`, { raw: png(1000), headers });
    }
  });

  it('is JPEG or PNG by its content, and at most 10 MB', async () => {
    await http.ask(200, `POST ${path('IdCard')}`, { raw: png(10_000_000), headers });
    const signature = png(1000).subarray(0, 8);
    const refusedOnes = {
      ...{ gif: Buffer.from('GIF89a..........'), half: Buffer.from([0xff, 0xd8]), empty: Buffer.alloc(0) },
      page: Buffer.concat([signature, Buffer.from('<html><script>alert(1)</script></html>')]),
      noise: Buffer.concat([signature, randomBytes(1000)]),
      cutOff: jpeg.subarray(0, jpeg.length - 200),
      bomb,
    };
    for (const raw of Object.values(refusedOnes)) {
      const refused = await http.ask(422, `POST ${path('IdPhoto')}`, { raw, headers });
      expect(rejectedFields(refused)).toEqual(['body']);
    }
    const large = await platform
      .request('POST', path('IdPhoto'), { raw: png(10_000_001), headers })
      .catch(() => null);
    // A client that is still sending may see the connection close before it sees the answer.
    if (large) expect([large.status, large.json.errors[0].error]).toEqual([422, 'tooLarge']);
    expect((await readdir(folder())).toSorted()).toEqual(['IdCard.png', 'ProfilePhoto.jpg']);
  });

  it('needs a known visitor, a known type, the right content type and the right to write', async () => {
    const raw = png(1000);
    await http.ask(404, 'POST /upload/visitor/NOBODY?type=IdCard', { raw, headers });
    await http.ask(400, `POST ${path('Selfie')}`, { raw, headers });
    await http.ask(400, `POST ${path('IdCard')}`, { raw, headers: { 'content-type': 'image/png' } });
    await platform.makeKey('upload-reader');
    await http.ask(403, `POST ${path('IdCard')}`, { key: 'upload-reader', raw, headers });
    await platform.makeKey('upload-elsewhere', { canWrite: true, expos: ['PN2027'] });
    await http.ask(403, `POST ${path('IdCard')}`, { key: 'upload-elsewhere', raw, headers });
  });
});

describe('revisions', () => {
  it('follow one another without gap or repetition while two clients write', async () => {
    const write = async (name: string) => {
      const seen: number[] = [];
      for (let number = 0; number < 20; number += 1) {
        const label = await http.post('/labels/AD2026', { name, color: '#000000', types: ['profile'] });
        seen.push(label.revision);
      }
      return seen;
    };
    const both = (await Promise.all([write('one'), write('two')])).flat().toSorted((a, b) => a - b);
    expect(both.at(-1)).toBe((both[0] ?? 0) + 39);
    expect(new Set(both).size).toBe(40);
  });

  it('are read and written with all their digits beyond 2^53', async () => {
    const far = 9_007_199_254_740_993n;
    await platform.store.write(async ({ db }) => {
      await db
        .updateTable('counter')
        .set({ value: far - 1n })
        .execute();
    });
    const body = { name: 'Far', color: '#000000', types: ['profile'] };
    const made = await platform.request('POST', '/labels/AD2026', { body });
    expect(made.text).toContain(`"revision":${far}`);
    const next = await platform.request('GET', `/labels/AD2026?fromRevision=${far}`);
    expect(next.json).toHaveLength(1);
    expect((await platform.request('GET', `/labels/AD2026?fromRevision=${far + 1n}`)).json).toEqual([]);
    const headers = { 'content-type': 'application/json' };
    const id = made.json.id;
    const raw = made.text.replace('"Far"', '"Farther"');
    const changed = await platform.request('PUT', `/labels/AD2026/${id}`, { raw, headers });
    expect(changed.text).toContain(`"revision":${far + 1n}`);
  });
});

describe('mail', () => {
  it('does not count as sent if it cannot be delivered, and can be requested again', async () => {
    let works = false;
    const sent: string[] = [];
    const own = await startPlatform({
      mailer: {
        send: async (mail) => {
          if (!works) throw new Error('The mail server is away.');
          sent.push(mail.to);
        },
      },
    });
    const body = { visitorId: 'AD2026V000001', type: 'confirmation' };
    expect((await own.request('POST', '/sendemail/AD2026', { body })).json.sent).toBe(false);
    works = true;
    const both = await Promise.all([1, 2].map(() => own.request('POST', '/sendemail/AD2026', { body })));
    expect(both.map((answer) => answer.json.sent).toSorted()).toEqual([false, true]);
    expect(sent).toEqual(['amelie.beaumont@example.org']);
    await own.stop();
  });
});
