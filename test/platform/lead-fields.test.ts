/** The fields of a lead: the devices' table and the platform's name the same ones, seen over HTTP. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type FactValues,
  LEAD_FIELDS,
  PERSON_FIELDS,
  type PersonField,
} from '../../src-main/contract/lead-fields.ts';
import { type RunningPlatform, startPlatform } from './running-platform.ts';
import type { Json } from './table/row.ts';

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

/** What a fact says that no team sets. */
const NOT_OF_THE_TEAM = ['answers', 'consent', 'direction', 'turnedAway'];

/** A value of each field; a new field needs one. */
const QUALIFIED: Required<FactValues> = {
  rating: 4,
  labels: ['visit'],
  notes: 'Wants a quote',
  followUpOn: '2026-12-01',
  followUpBy: 'Jonas W.',
};
const CORRECTED: Readonly<Record<PersonField, string>> = {
  firstName: 'Amelia',
  lastName: 'Berg',
  company: 'Northwind',
  jobTitle: 'Buyer',
  email: 'amelia@example.org',
  phone: '+41 44 123 45 67',
};

const names = Object.values(LEAD_FIELDS).map(({ fact }) => fact);

const say = async (kind: string, at: string, fields?: object): Promise<void> => {
  const badge = '04A1B2C3D4E5F6';
  const body = [{ id: randomUUID(), kind, at, touchpointID: 'AD2026T01', badge, fields }];
  const answer = await platform.request('POST', '/actions/AD2026', { body });
  expect(answer.json, answer.text).toMatchObject([{ result: 'created' }]);
};
const connection = async (): Promise<Json> =>
  (await platform.request('GET', '/connections/AD2026?type=partner&visitorId=AD2026V000001')).json[0];

it('describes the fields that devices send, and no others', async () => {
  const description: Json = await (await fetch(`${platform.origin}/openapi.json`)).json();
  const resolve = (schema: Json): Json =>
    schema.$ref === undefined ? schema : description.components.schemas[schema.$ref.split('/').at(-1)];
  const body = description.paths['/actions/{expoId}'].post.requestBody.content['application/json'].schema;
  const ofFacts = Object.keys(resolve(resolve(body.items).properties.fields).properties);
  expect(ofFacts.toSorted()).toEqual([...names, ...NOT_OF_THE_TEAM].toSorted());

  const page = description.paths['/connections/{expoId}'].get.responses['200'].content['application/json'];
  const ofConnections = Object.keys(resolve(resolve(page.schema).items).properties);
  expect(ofConnections).toEqual(expect.arrayContaining(names));
});

it('merges each field into the connection, and takes it away with null', async () => {
  await say('tap', '2026-11-21T10:00:00.000Z');
  await say('qualify', '2026-11-21T10:01:00.000Z', QUALIFIED);
  await say('correct', '2026-11-21T10:02:00.000Z', CORRECTED);
  expect(await connection()).toMatchObject({ ...QUALIFIED, corrected: CORRECTED });

  const nothing = Object.fromEntries(names.map((name) => [name, null]));
  await say('qualify', '2026-11-21T10:03:00.000Z', nothing);
  await say(
    'correct',
    '2026-11-21T10:04:00.000Z',
    Object.fromEntries(PERSON_FIELDS.map((name) => [name, null])),
  );
  const cleared = await connection();
  for (const name of [...names, 'corrected']) expect(cleared[name] ?? [], name).toEqual([]);
});

it('has each field in the published interface', async () => {
  const text = await readFile('docs/interface/undocumented.md', 'utf8');
  const section = text.split('### Connection\n')[1]?.split('### ')[0] ?? '';
  for (const name of names) expect(section, name).toMatch(new RegExp(`\`${name}(\\?|\\[\\])\``, 'u'));
});
