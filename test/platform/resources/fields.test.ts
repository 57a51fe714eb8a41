/**
 * The content of a body is stored or refused, never dropped: the owner of a record, unknown fields, and the shapes
 * that some clients of this API send.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, startPlatform } from '../running-platform.ts';
import { createHttp, type Http, interaction, rejectedFields } from '../table/row.ts';

let platform: RunningPlatform;
let http: Http;
beforeAll(async () => {
  platform = await startPlatform();
  http = createHttp(platform);
});
afterAll(() => platform.stop());

describe.each([
  ['/contents/AD2026', { name: 'Gripper' }],
  ['/licenses/AD2026', { type: 'scan', activationMax: 2 }],
] as const)('the partner of a new record in %s', (path, body) => {
  it.each(['partnerID', 'partnerId'])('is the one in the body as %s, whatever the query is', async (name) => {
    for (const query of ['partnerId', 'partnerID']) {
      const made = await http.post(`${path}?${query}=AD2026P004`, { ...body, [name]: 'AD2026P002' });
      expect(made.partnerID).toBe('AD2026P002');
      expect(made).not.toHaveProperty('partnerId');
    }
  });

  it.each(['partnerID', 'partnerId'])('is the one in the query as %s if the body has none', async (name) => {
    expect((await http.post(`${path}?${name}=AD2026P004`, body)).partnerID).toBe('AD2026P004');
  });

  it('is refused if the two spellings differ', async () => {
    const both = { ...body, partnerID: 'AD2026P002', partnerId: 'AD2026P004' };
    expect(rejectedFields(await http.ask(422, `POST ${path}`, { body: both }))).toEqual(['partnerId']);
  });

  it('is also checked in an update', async () => {
    const made = await http.post(path, { ...body, partnerID: 'AD2026P002' });
    const { partnerID: _left, ...rest } = made;
    expect((await http.put(`${path}/${made.id}`, { ...rest, partnerId: 'AD2026P002' })).partnerID).toBe(
      'AD2026P002',
    );
    const other = { ...rest, partnerId: 'NOBODY' };
    await http.ask(422, `PUT ${path}/${made.id}`, { body: other });
  });
});

const records = [
  ['/visitors/AD2026', { lastName: 'Ito', registrationState: 'registered' }],
  ['/partners/AD2026', { name: 'Helvetia Drives', registrationType: 'RTEXHIBITOR' }],
  ['/contents/AD2026', { name: 'Gripper', partnerID: 'AD2026P002' }],
  [
    '/activities/AD2026',
    { name: 'A', type: 'other', access: 'open', start: '2026-11-24T09:00:00Z', end: '2026-11-24T10:00:00Z' },
  ],
  ['/labels/AD2026', { name: 'Blue', color: '#0000ff', types: ['profile'] }],
  ['/licenses/AD2026', { type: 'scan', activationMax: 2, partnerID: 'AD2026P002' }],
] as const;

describe.each(records)('an unknown field, in %s', (path, body) => {
  const own = { rfid: '04A1', crm: { owner: 'Ünal', tags: ['a', { b: 1.5 }], none: null } };

  it('is stored and returned until a PUT omits it', async () => {
    const made = await http.post(path, { ...body, ...own });
    expect(made).toMatchObject(own);
    const read = await http.get(`${path}/${made.id}`);
    expect(read).toEqual(made);
    const changed = await http.put(`${path}/${made.id}`, { ...read, rfid: '04A2' });
    expect(changed).toMatchObject({ ...own, rfid: '04A2' });
    const { rfid: _rfid, crm: _crm, ...less } = changed;
    const cleared = await http.put(`${path}/${made.id}`, less);
    expect(cleared).not.toHaveProperty('rfid');
    expect(cleared).not.toHaveProperty('crm');
  });

  it('gives no access to the internals of a record, whatever its name', async () => {
    const claims = {
      deleted: true,
      revision: 1,
      key_id: 'K',
      visitorID: 'x'.repeat(4000),
      locationID: 'a\u0000b',
    };
    const made = await http.post(path, { ...body, ...claims });
    expect(made.deleted).toBeUndefined();
    expect(made.revision).toBeGreaterThan(1);
    expect((await http.get(`${path}/${made.id}`)).id).toBe(made.id);
  });
});

it('returns unknown fields of visitors in their list, where a badge reader looks for them', async () => {
  const made = await http.post('/visitors/AD2026', { ...records[0][1], rfid: '04A1B2C3' });
  const [listed] = await http.get(`/visitors/AD2026?fromRevision=${made.revision}`);
  expect(listed).toEqual(made);
  expect(listed.rfid).toBe('04A1B2C3');
});

describe('a field that cannot be stored is refused by name', () => {
  const refused = async (line: string, body: unknown, ...fields: readonly string[]): Promise<void> => {
    const answer = await http.ask(422, line, { body });
    expect(rejectedFields(answer)).toEqual(fields);
    expect(answer.json.errors[0].error).toBe('unknownField');
  };

  it('in webhooks, payments and e-mails', async () => {
    const webhook = { type: 'order', url: 'https://consumer.example.org' };
    await refused('POST /webhooks/AD2026', { ...webhook, secret: 'x', retries: 3 }, 'secret', 'retries');
    await refused('PUT /payments/AD2026/AD2026Y001', { state: 'paid', note: 'x' }, 'note');
    const mail = { visitorId: 'AD2026V000002', type: 'confirmation' };
    await refused('POST /sendemail/AD2026', { ...mail, language: 'de' }, 'language');
  });

  it('inside a badge', async () => {
    const badges = [{ type: 'nfc', code: '04A1B2C3', colour: 'red' }];
    await refused('POST /visitors/AD2026', { ...records[0][1], badges }, 'badges.0.colour');
  });

  it('in an interaction, without affecting the others', async () => {
    const results = await http.post('/actions/AD2026', [
      interaction({ badge: '04AA', mood: 'good' }),
      interaction({ badge: '04AA', fields: { mood: 'good' } }),
    ]);
    expect(results).toMatchObject([
      { result: 'rejected', errors: [{ field: 'mood', error: 'unknownField' }] },
      { result: 'created' },
    ]);
  });
});

describe('the shapes that some clients of this API send', () => {
  it.each(records.slice(0, 2))('include a contact in %s', async (path, body) => {
    const contact = {
      name: 'Nora Keller',
      email: 'nora.keller@example.org',
      phone: '+41 61 000 00 00',
      fax: '1',
    };
    const made = await http.post(path, { ...body, contact });
    expect(made.contact).toEqual(contact);
    expect((await http.get(`${path}/${made.id}`)).contact).toEqual(contact);
    const wrong = { ...body, contact: { email: 'nobody' } };
    expect(rejectedFields(await http.ask(422, `POST ${path}`, { body: wrong }))).toEqual(['contact.email']);
  });

  it.each([
    ['Nora Keller', 'Nora', 'Keller'],
    ['Keller, Nora', 'Nora', 'Keller'],
    ['山田 太郎', '太郎', '山田'],
    ['Madonna', undefined, 'Madonna'],
  ])('include visitors whose name is only in contact: %s', async (name, firstName, lastName) => {
    const contact = { name, email: 'nora.keller@example.org', phone: '+41 61 000 00 00' };
    const made = await http.post('/visitors/AD2026', { registrationState: 'registered', contact });
    expect(made).toMatchObject({ lastName, email: contact.email, phone: contact.phone, contact });
    expect(made.firstName).toBe(firstName);
    // A PUT replaces the record: the name comes from the contact again, unless the visitor has its own name.
    const path = `/visitors/AD2026/${made.id}`;
    const moved = { registrationState: 'registered', contact: { ...contact, name: 'Ada Roth' } };
    expect(await http.put(path, moved)).toMatchObject({ firstName: 'Ada', lastName: 'Roth' });
    expect(await http.put(path, { ...moved, lastName: 'Own' })).toMatchObject({ lastName: 'Own' });
  });

  it('do not include visitors without a name, who are refused', async () => {
    for (const contact of [undefined, { email: 'nora.keller@example.org' }, { name: ' , ' }]) {
      const body = { registrationState: 'registered', contact };
      expect(rejectedFields(await http.ask(422, 'POST /visitors/AD2026', { body }))).toEqual(['lastName']);
    }
  });

  it('include keynotes in the schedule', async () => {
    const keynote = { ...records[3][1], type: 'keynote' };
    expect((await http.post('/activities/AD2026', keynote)).type).toBe('keynote');
  });

  it('include webhooks for activities, which report the schedule but not the contents', async () => {
    const { id } = await http.post('/webhooks/AD2026', {
      type: 'activity',
      url: 'https://consumer.example.org',
    });
    expect(await http.get(`/activities/AD2026?webhookId=${id}`)).toEqual(
      await http.get('/activities/AD2026'),
    );
    await http.ask(400, `GET /contents/AD2026?webhookId=${id}`);
  });
});
