/**
 * Devices and platform have equal tables of lead fields, fact kinds and purposes. The test compares them over HTTP.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purposeSchema } from '../../src-main/contract/device.ts';
import { FACT_KINDS } from '../../src-main/contract/fact-kinds.ts';
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

/** Fields of a fact that the team cannot edit. */
const NOT_OF_THE_TEAM = ['answers', 'consent', 'direction', 'turnedAway'];

/** A value for each field. A new field needs one here. */
const QUALIFIED: Required<FactValues> = {
  rating: 4,
  labels: ['visit'],
  notes: 'Wants a quote',
  followUpOn: '2026-12-01',
  followUpBy: 'Jonas W.',
  companyGroup: 'Northwind Group',
  followUpTime: '14:30',
  followUpKind: 'call',
  form: { budget: ['b2'], seats: 20 },
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

describe('the description', () => {
  let resolve: (schema: Json) => Json;
  let item: Json;
  let shown: (path: string) => Json;
  beforeAll(async () => {
    const { paths, components }: Json = await (await fetch(`${platform.origin}/openapi.json`)).json();
    resolve = ({ $ref, ...schema }) =>
      $ref === undefined ? schema : components.schemas[$ref.split('/').at(-1)];
    const bodyOf = ({ content }: Json): Json => resolve(content['application/json'].schema);
    item = resolve(bodyOf(paths['/actions/{expoId}'].post.requestBody).items).properties;
    shown = (path) => resolve(bodyOf(paths[path].get.responses['200']).items).properties;
  });

  it('has exactly the fields that devices send', () => {
    const ofFacts = Object.keys(resolve(item.fields).properties);
    expect(ofFacts.toSorted()).toEqual([...names, ...NOT_OF_THE_TEAM].toSorted());
    expect(Object.keys(shown('/connections/{expoId}'))).toEqual(expect.arrayContaining(names));
  });

  it('has exactly the kinds of facts that devices send', () => {
    expect(resolve(item.kind).enum.toSorted()).toEqual(FACT_KINDS.toSorted());
  });

  it('has exactly the purposes that devices know', () => {
    const { purpose } = shown('/touchpoints/{expoId}');
    expect(resolve(purpose).enum.toSorted()).toEqual(purposeSchema.options.toSorted());
  });
});

it('the platform merges each field into the connection, and removes it with null', async () => {
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

it('docs/interface/undocumented.md describes each lead field', async () => {
  const text = await readFile('docs/interface/undocumented.md', 'utf8');
  const section = text.split('### Connection\n')[1]?.split('### ')[0] ?? '';
  for (const name of names) expect(section, name).toMatch(new RegExp(`\`${name}(\\?|\\[\\])\``, 'u'));
});
