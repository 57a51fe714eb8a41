/**
 * Random requests to every operation of the OpenAPI description, different ones for each commit.
 *
 * Invariants of the answers:
 * - None has a 5xx status or shows internal details.
 * - Every refusal has the documented body.
 * - Every accepted answer has the described shape.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allOperations } from '../../src-platform/catalogue.ts';
import { createFileOutbox } from '../../src-platform/mail/mailer.ts';
import { demoKey } from '../../src-platform/seed/demo.ts';
import { newId } from '../../src-platform/serve.ts';
import { isThorough, runSeed } from '../thoroughness.ts';
import { createValues, type Known, type Schema, type Values } from './fuzz-values.ts';
import { basic, createRawClient, type RawAnswer, type RawClient } from './raw-http.ts';
import { type RunningPlatform, startPlatform } from './running-platform.ts';

/** Requests of an ordinary run. PostgreSQL gets fewer, because SQLite already gets the same ones. */
const byDay = process.env.PLATFORM_TEST_SERVER === undefined ? 1000 : 300;
const requests = isThorough() ? 5000 : byDay;
const start = Number(process.env.FUZZ_START ?? runSeed());

type Described = { readonly method: string; readonly path: string; readonly operation: Schema };

let platform: RunningPlatform;
let client: RawClient;
let described: readonly Described[];
let answers: ReadonlyMap<string, z.ZodType | null>;
let known: Known;

/** Ids by the name of the field that holds one: `visitorID`, `visitorId`, `labels`. */
const learnIds = async (): Promise<Known> => {
  const rows = await platform.store.db
    .selectFrom('record')
    .select(['kind', 'id'])
    .where('deleted', '=', 0)
    .orderBy('revision', 'desc')
    .execute();
  const byKind = Map.groupBy(rows, (row) => row.kind);
  const any = rows.slice(0, 700).map((row) => row.id);
  return (name) => byKind.get(name.replace(/(I[dD]|s)$/, ''))?.map((row) => row.id) ?? any;
};

beforeAll(async () => {
  platform = await startPlatform();
  client = createRawClient(platform.origin);
  const document = (await (await fetch(`${platform.origin}/openapi.json`)).json()) as Schema;
  described = Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const operations = allOperations(
    {
      store: platform.store,
      now: () => new Date(),
      newId,
      uploads: platform.folder,
      allowPrivateTargets: true,
    },
    createFileOutbox(platform.folder),
    () => undefined,
    null,
  );
  answers = new Map(operations.map(({ method, path, answer }) => [`${method} ${path}`, answer]));
  expect(answers.size).toBe(described.length);
  known = await learnIds();
});
afterAll(async () => {
  client.close();
  await platform.stop();
});

const hostileParts = [
  '%00',
  '%2F',
  '..%2F..',
  '%F0%9F%98%80',
  '%zz',
  '%',
  "'",
  'a%2Fb',
  'x'.repeat(600),
  '__proto__',
  '.',
];

/** A real PNG of one pixel. */
const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
).toString('latin1');

const pathOf = (values: Values, path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const { random } = values;
    if (random.chance(0.15)) return random.pick(hostileParts);
    if (name === 'expoId') return random.chance(0.9) ? 'AD2026' : random.pick(known(name));
    return random.pick(known(random.chance(0.9) ? name : ''));
  });

const spell = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(spell).join(',')
    : typeof value === 'string'
      ? value
      : (JSON.stringify(value) ?? '');

const queryOf = (values: Values, operation: Schema): string => {
  const { random } = values;
  const parts: string[] = [];
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in !== 'query' || !random.chance(parameter.required ? 0.9 : 0.3)) continue;
    const value = random.chance(0.3)
      ? values.text()
      : spell(values.of(parameter.schema, 0.2, parameter.name));
    const encoded = random.chance(0.05) ? '%E0%A4%A' : encodeURIComponent(value.toWellFormed());
    parts.push(`${parameter.name}=${encoded}`);
  }
  if (random.chance(0.05)) parts.push('limit=1&limit=2', '__proto__=1');
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};

const bodyOf = (values: Values, operation: Schema): { type: string; text: string } | null => {
  const { random } = values;
  const content = operation.requestBody?.content;
  if (!content) return random.chance(0.1) ? { type: 'application/json', text: '{}' } : null;
  if (random.chance(0.04)) return null;
  if (random.chance(0.04))
    return { type: random.pick(['text/plain', 'application/xml', 'x', '']), text: '<a/>' };
  const json = content['application/json'];
  if (!json) return { type: 'application/octet-stream', text: random.chance(0.5) ? image : 'GIF89a' };
  const wrongness = random.pick([0, 0, 0.1, 0.3, 1]);
  const text = JSON.stringify(values.of(json.schema, wrongness)) ?? 'null';
  if (random.chance(0.04)) return { type: 'application/json', text: text.slice(0, -1) };
  if (random.chance(0.04)) return { type: 'application/json', text: `{"__proto__":{"a":1},"x":${text}}` };
  return { type: 'application/json', text };
};

/** How an accepted answer differs from its description. Null if it does not. */
const misshape = (expected: z.ZodType | null, text: string): string | null => {
  if (expected === null) return text === '' ? null : 'a body where none belongs';
  const { error } = expected.safeParse(JSON.parse(text));
  return error ? `not as described: ${z.prettifyError(error)}` : null;
};

/** What is wrong with an answer. Null if nothing. */
const complaint = (answer: RawAnswer, expected: z.ZodType | null): string | null => {
  const { status, text } = answer;
  if (status >= 500) return 'a server error';
  if (/\n\s+at |node_modules|src-platform|SQLITE|sqlite/.test(text)) return 'shows the inside';
  if (status === 200) return misshape(expected, text);
  if (![400, 401, 403, 404, 405, 422, 429].includes(status)) return `status ${status} is not documented`;
  if (!answer.type.startsWith('application/json')) return `a body of type ${answer.type}`;
  const body = JSON.parse(text);
  if (body.status !== status || typeof body.title !== 'string' || typeof body.type !== 'string') {
    return 'not the documented body';
  }
  if (
    status === 422 &&
    !(Array.isArray(body.errors) && body.errors.every((entry: Schema) => typeof entry.field === 'string'))
  ) {
    return 'a 422 that names no field';
  }
  return null;
};

describe('fuzzing', () => {
  it(`finds no server error and no undocumented answer in ${requests} requests`, {
    timeout: 600_000,
  }, async () => {
    const values = createValues(start, (name) => known(name));
    const authorization = basic(demoKey);
    const statuses = new Map<string, Set<number>>();
    for (let number = 0; number < requests; number += 1) {
      if (number % 500 === 0) known = await learnIds();
      const entry = described[number % described.length];
      if (!entry) throw new Error('The description has no operations.');
      const method = entry.method.toUpperCase();
      const name = `${method} ${entry.path}`;
      const path = `/create/v2${pathOf(values, entry.path)}${queryOf(values, entry.operation)}`;
      const body = bodyOf(values, entry.operation);
      const headers = { authorization, ...(body ? { 'content-type': body.type } : {}) };
      const answer = await client.send(
        method,
        path,
        headers,
        body && Buffer.from(body.text, body.type.endsWith('stream') ? 'latin1' : 'utf8'),
      );
      const said = `${method} ${path} ${body?.text.slice(0, 2000)} (request ${number} from ${start}): ${answer.text.slice(0, 500)}`;
      expect(complaint(answer, answers.get(name) ?? null), said).toBeNull();
      statuses.set(name, (statuses.get(name) ?? new Set()).add(answer.status));
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(platform.logged()).not.toMatch(/"level":50/);
    // Both cases occurred: every operation refused a request, and most accepted one.
    const accepted = [...statuses.values()].filter((seen) => seen.has(200)).length;
    expect([...statuses.values()].every((seen) => seen.size > 1)).toBe(true);
    expect(accepted).toBeGreaterThan(described.length * 0.8);
  });
});
