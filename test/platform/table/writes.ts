/**
 * Rows for create, read, update and delete of the resources that have them, each with its documented answers.
 */
import { expect } from 'vitest';
import { type Http, type Json, type Row, rejectedFields, row } from './row.ts';

type Written = {
  readonly folder: string;
  readonly parameter: string;
  readonly create: object;
  readonly update: object;
  /** A refused body, and the field that the refusal names. */
  readonly bad: { readonly body: object; readonly field: string };
  readonly confirmation: 'empty' | 'text';
};

const written: readonly Written[] = [
  {
    folder: 'activities',
    parameter: 'activityId',
    create: {
      name: 'Grip without force',
      type: 'workshop',
      start: '2026-11-21T10:00:00+01:00',
      end: '2026-11-21T11:00:00+01:00',
      access: 'signup',
      description: 'Bring a part.',
      speakers: ['Regula Rüegg'],
    },
    update: { access: 'open', capacity: 20 },
    bad: { body: { end: '2026-11-20T00:00:00Z' }, field: 'end' },
    confirmation: 'empty',
  },
  {
    folder: 'contents',
    parameter: 'contentId',
    create: { partnerID: 'AD2026P002', name: 'Gripper Z9', summary: 'Data sheet', source: 'internal' },
    update: { summary: null, description: 'New text' },
    bad: { body: { name: 'x'.repeat(100) }, field: 'name' },
    confirmation: 'empty',
  },
  {
    folder: 'labels',
    parameter: 'labelId',
    create: { name: 'Hygienic', color: '#00aacc', types: ['product'] },
    update: { types: ['product', 'profile'] },
    bad: { body: { color: 'blue' }, field: 'color' },
    confirmation: 'empty',
  },
  {
    folder: 'licenses',
    parameter: 'licenseId',
    create: { partnerID: 'AD2026P003', type: 'app', activationMax: 3 },
    update: { activationMax: 5 },
    bad: { body: { activationMax: -1 }, field: 'activationMax' },
    confirmation: 'text',
  },
  {
    folder: 'partners',
    parameter: 'partnerId',
    create: {
      name: 'Zephyr Pumps',
      registrationType: 'RTEXHIBITOR',
      stand: 'Hall 2, C40',
      website: 'https://zephyr.example.org',
    },
    update: { stand: 'Hall 2, C41', phone: '+41 44 000 00 00' },
    bad: { body: { registrationType: 'RTVISITOR' }, field: 'registrationType' },
    confirmation: 'text',
  },
];

const showCreate = async ({ post, ask, get }: Http, { folder, create, bad }: Written) => {
  const made = await post(`/${folder}/AD2026`, create);
  expect(made.id).toMatch(/^[A-Za-z0-9]+$/);
  expect(made.expoID).toBe('AD2026');
  expect(await get(`/${folder}/AD2026/${made.id}`)).toEqual(made);
  const refused = await ask(422, `POST /${folder}/AD2026`, { body: { ...create, ...bad.body } });
  expect(rejectedFields(refused)).toContain(bad.field);
  await ask(422, `POST /${folder}/AD2026`, { body: [] });
  await ask(400, `POST /${folder}/NOPE`, { body: create });
  await ask(400, `POST /${folder}/AD2026`, { body: { ...create, expoID: 'PN2027' } });
};

const showUpdate = async ({ post, put, ask, get }: Http, { folder, create, update, bad }: Written) => {
  const made = await post(`/${folder}/AD2026`, create);
  const path = `/${folder}/AD2026/${made.id}`;
  const changed = await put(path, { ...made, ...update });
  const { revision: _before, ...rest } = made;
  const { revision, ...now } = changed;
  expect(now).toEqual({ ...rest, ...update });
  expect(revision).toBeGreaterThan(made.revision);
  expect(await get(path)).toEqual(changed);
  expect(rejectedFields(await ask(422, `PUT ${path}`, { body: { ...made, ...bad.body } }))).toContain(
    bad.field,
  );
  await ask(400, `PUT ${path}`, { body: { ...made, id: 'ANOTHER' } });
  await ask(404, `PUT /${folder}/AD2026/NOBODY`, { body: { ...made, id: 'NOBODY' } });
};

const showRemove = async ({ post, ask, get }: Http, { folder, create, confirmation }: Written) => {
  const made = await post(`/${folder}/AD2026`, create);
  const path = `/${folder}/AD2026/${made.id}`;
  const answer = await ask(200, `DELETE ${path}`);
  if (confirmation === 'empty') expect(answer.text).toBe('');
  else expect(answer.json).toBeTypeOf('string');
  await ask(400, `DELETE ${path}`);
  await ask(404, `DELETE /${folder}/AD2026/NOBODY`);
  await ask(400, `DELETE /${folder}/AD2026/no%2Fbody`);
  await ask(404, `PUT ${path}`, { body: made });
  const left = (await get(`/${folder}/AD2026?fromRevision=${made.revision}`)) as readonly Json[];
  expect(left.some((record) => record.id === made.id)).toBe(false);
};

const rowsOf = (resource: Written): readonly Row[] => {
  const list = `/${resource.folder}/{expoId}`;
  const single = `${list}/{${resource.parameter}}`;
  return [
    row(`POST ${list}`, 'creates and returns the record', (http) => showCreate(http, resource)),
    row(`GET ${single}`, 'returns the record, 404 for an unknown one', async ({ get, ask }) => {
      const [first] = await get(`/${resource.folder}/AD2026?limit=1`);
      expect(await get(`/${resource.folder}/AD2026/${first.id}`)).toMatchObject(first);
      await ask(404, `GET /${resource.folder}/AD2026/NOBODY`);
      await ask(404, `GET /${resource.folder}/PN2027/${first.id}`);
    }),
    row(`PUT ${single}`, 'updates and returns the record', (http) => showUpdate(http, resource)),
    row(`DELETE ${single}`, 'deletes and confirms', (http) => showRemove(http, resource)),
  ];
};

export const writeRows: readonly Row[] = [
  ...written.flatMap(rowsOf),
  row('GET /payments/{expoId}/{paymentId}', 'returns one payment', async ({ get, ask }) => {
    const [first] = await get('/payments/AD2026?limit=1');
    expect(await get(`/payments/AD2026/${first.id}`)).toEqual(first);
    await ask(404, 'GET /payments/AD2026/NOBODY');
    await ask(400, 'GET /payments/AD2026?paymentStates=lost');
    await ask(400, 'GET /payments/AD2026?paymentMethods=cash');
  }),
  row(
    ['PUT /payments/{expoId}/{paymentId}', 'payment states'],
    'changes only the state, and only to paid, denied or pending',
    async ({ get, put, ask }) => {
      const [payment] = await get('/payments/AD2026?limit=1');
      const path = `/payments/AD2026/${payment.id}`;
      for (const state of ['paid', 'denied', 'pending']) {
        const changed = await put(path, { ...payment, state });
        expect(changed).toEqual({ ...payment, state, revision: expect.any(Number) });
      }
      expect((await put(path, { state: 'paid' })).state).toBe('paid');
      for (const state of ['refunded', 'cancelled', 'stolen']) {
        expect(rejectedFields(await ask(422, `PUT ${path}`, { body: { ...payment, state } }))).toEqual([
          'state',
        ]);
      }
      const cheaper = await ask(422, `PUT ${path}`, { body: { ...payment, state: 'paid', amount: 1 } });
      expect(rejectedFields(cheaper)).toEqual(['amount']);
      await ask(400, `PUT ${path}`, { body: { ...payment, id: 'ANOTHER', state: 'paid' } });
    },
  ),
];
