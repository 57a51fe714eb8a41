/**
 * Rows for the lists: order, paging, filters, deleted records and webhooks. Every list gets the same checks.
 */
import { expect } from 'vitest';
import { type Http, type Json, type Row, row, wholeList } from './row.ts';

type List = {
  readonly folder: string;
  readonly most: number;
  /** The query parameter, and the field that must equal it. With `many`, the query has two values. */
  readonly filters?: readonly { readonly name: string; readonly field: string; readonly many?: true }[];
  readonly webhook?: string;
  /** A body that creates a record which can be deleted. */
  readonly deletable?: object;
};

const lists: readonly List[] = [
  {
    folder: 'actions',
    most: 100,
    webhook: 'action',
    filters: [
      { name: 'locationId', field: 'locationID' },
      { name: 'partnerId', field: 'partnerID' },
      { name: 'visitorId', field: 'visitorID' },
      { name: 'contentId', field: 'contentID' },
    ],
  },
  {
    folder: 'activities',
    most: 100,
    webhook: 'content',
    deletable: {
      name: 'Short-lived',
      type: 'other',
      access: 'open',
      start: '2026-11-21T09:00:00Z',
      end: '2026-11-21T10:00:00Z',
    },
  },
  { folder: 'connections', most: 100, webhook: 'connection', filters: [{ name: 'type', field: 'type' }] },
  { folder: 'contents', most: 100, webhook: 'content', filters: [{ name: 'partnerId', field: 'partnerID' }] },
  {
    folder: 'labels',
    most: 100,
    deletable: { name: 'Short-lived', color: '#112233', types: ['profile'] },
  },
  { folder: 'licenses', most: 1000, filters: [{ name: 'partnerId', field: 'partnerID' }] },
  {
    folder: 'orders',
    most: 100,
    webhook: 'order',
    filters: [
      { name: 'visitorId', field: 'visitorID' },
      { name: 'partnerId', field: 'partnerID' },
      { name: 'orderStates', field: 'state', many: true },
    ],
  },
  { folder: 'participants', most: 100, webhook: 'participant' },
  {
    folder: 'partners',
    most: 100,
    webhook: 'partner',
    deletable: { name: 'Short-lived', registrationType: 'RTEXHIBITOR' },
    filters: [
      { name: 'contactReference', field: 'contactReference' },
      { name: 'contactId', field: 'contactID' },
      { name: 'registrationType', field: 'registrationType', many: true },
    ],
  },
  {
    folder: 'payments',
    most: 100,
    webhook: 'payment',
    filters: [
      { name: 'visitorId', field: 'visitorID' },
      { name: 'partnerId', field: 'partnerID' },
      { name: 'paymentStates', field: 'state', many: true },
      { name: 'paymentMethods', field: 'method', many: true },
    ],
  },
];

const newWebhook = async (http: Http, type: string): Promise<string> => {
  const webhook = await http.post('/webhooks/AD2026', { type, url: 'https://consumer.example.org/hook' });
  return webhook.id;
};

const showFilter = async (http: Http, list: List, name: string, field: string, many: boolean) => {
  const path = `/${list.folder}/AD2026`;
  const all = await wholeList(http, path, list.most);
  const values = [...new Set(all.map((record) => record[field]).filter((value) => value !== undefined))];
  const asked = values.slice(0, many ? 2 : 1);
  expect(asked.length, `${name} needs records to tell apart`).toBe(many ? 2 : 1);
  const having = (...wanted: readonly unknown[]) => all.filter((record) => wanted.includes(record[field]));
  expect(having(asked[0]).length).toBeLessThan(all.length);
  expect(await wholeList(http, `${path}?${name}=${asked[0]}`, list.most)).toEqual(having(asked[0]));
  if (!many) return;
  expect(await wholeList(http, `${path}?${name}=${asked.join(',')}`, list.most)).toEqual(having(...asked));
};

const showWebhook = async (http: Http, list: List, type: string) => {
  const path = `/${list.folder}/AD2026`;
  const webhookId = await newWebhook(http, type);
  const page = await http.get(`${path}?webhookId=${webhookId}`);
  expect(page).toEqual(await http.get(path));
  const { db } = http.platform.store;
  const last = BigInt(page.at(-1).revision);
  const marks = await db.selectFrom('webhook_mark').selectAll().where('webhook_id', '=', webhookId).execute();
  expect(marks).toContainEqual(expect.objectContaining({ seen: last, mark: 0n }));
  // An acknowledgement moves the mark: the next page starts after it, unless the query says otherwise.
  await http.platform.store.write(async (write) => {
    await write.db
      .updateTable('webhook_mark')
      .set({ mark: last })
      .where('webhook_id', '=', webhookId)
      .execute();
  });
  const next = await http.get(`${path}?webhookId=${webhookId}`);
  expect(next.every((record: Json) => record.revision > Number(last))).toBe(true);
  expect(await http.get(`${path}?webhookId=${webhookId}&fromRevision=0`)).toEqual(page);
  const other = await newWebhook(http, type === 'visitor' ? 'order' : 'visitor');
  await http.ask(400, `GET ${path}?webhookId=${other}`);
  await http.ask(400, `GET ${path}?webhookId=NOBODY`);
};

const showDeleted = async (http: Http, { folder, deletable }: List) => {
  const made = await http.post(`/${folder}/AD2026`, deletable);
  await http.ask(200, `DELETE /${folder}/AD2026/${made.id}`);
  const path = `/${folder}/AD2026?fromRevision=${made.revision}`;
  for (const hidden of [path, `${path}&showDeleted=false`]) {
    expect((await http.get(hidden)).some((record: Json) => record.id === made.id)).toBe(false);
  }
  const shown = (await http.get(`${path}&showDeleted=true`)).find((record: Json) => record.id === made.id);
  expect(shown).toMatchObject({ id: made.id, expoID: 'AD2026', deleted: true });
  expect(shown.revision).toBeGreaterThan(made.revision);
  await http.ask(400, `GET ${path}&showDeleted=perhaps`);
};

const rowsOf = (list: List): readonly Row[] => {
  const name = `GET /${list.folder}/{expoId}`;
  const path = `/${list.folder}/AD2026`;
  return [
    row(name, 'lists records in order of increasing revision', async (http) => {
      const page = await http.get(path);
      expect(page.length).toBeGreaterThan(1);
      expect(page.length).toBeLessThanOrEqual(list.most);
      const revisions = page.map((record: Json) => record.revision);
      expect(revisions).toEqual(revisions.toSorted((a: number, b: number) => a - b));
      expect(new Set(revisions).size).toBe(revisions.length);
    }),
    row(`${name} ?fromRevision`, 'starts at the given revision, inclusive', async (http) => {
      const page = await http.get(path);
      const { revision } = page[1];
      expect((await http.get(`${path}?fromRevision=${revision}`))[0]).toEqual(page[1]);
      expect((await http.get(`${path}?fromRevision=${revision + 1}`))[0]).not.toEqual(page[1]);
      expect(await http.get(`${path}?fromRevision=9223372036854775807`)).toEqual([]);
      for (const bad of ['-1', '9223372036854775808', 'x', '1.5', '']) {
        await http.ask(400, `GET ${path}?fromRevision=${bad}`);
      }
    }),
    row(`${name} ?limit`, `returns at most this many, up to ${list.most}`, async (http) => {
      expect(await http.get(`${path}?limit=1`)).toHaveLength(1);
      await http.get(`${path}?limit=${list.most}`);
      for (const bad of ['0', '-1', String(list.most + 1), '99999999999999999999', 'all']) {
        await http.ask(400, `GET ${path}?limit=${bad}`);
      }
    }),
    ...(list.webhook === undefined
      ? []
      : [
          row(`${name} ?webhookId`, 'returns records above the mark of the webhook', (http) =>
            showWebhook(http, list, list.webhook ?? ''),
          ),
        ]),
    ...(list.deletable === undefined
      ? []
      : [
          row(`${name} ?showDeleted`, 'returns deleted records on request', (http) =>
            showDeleted(http, list),
          ),
        ]),
    ...(list.filters ?? []).map((filter) =>
      row(`${name} ?${filter.name}`, 'returns exactly the matching records', (http) =>
        showFilter(http, list, filter.name, filter.field, filter.many === true),
      ),
    ),
  ];
};

export const listRows: readonly Row[] = lists.flatMap(rowsOf);
