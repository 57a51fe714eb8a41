/** The description is valid in two validators, and its examples work without changes. */
import { validate } from '@readme/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorBody } from '../../../src-platform/http/errors.ts';
import { type RunningPlatform, startPlatform } from '../running-platform.ts';
import type { Json } from '../table/row.ts';

let platform: RunningPlatform;
let description: Json;

beforeAll(async () => {
  platform = await startPlatform();
  description = await (await fetch(`${platform.origin}/openapi.json`)).json();
});
afterAll(() => platform.stop());

type Described = { readonly method: string; readonly path: string; readonly operation: Json };

const operations = (): readonly Described[] =>
  Object.entries<Json>(description.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

const withJson = (): readonly Described[] =>
  operations().filter(({ operation }) => operation.requestBody?.content['application/json'] !== undefined);

describe('the description is valid', () => {
  it('according to @readme/openapi-parser', async () => {
    const result = await validate(structuredClone(description));
    expect(result).toMatchObject({ valid: true });
  });

  it('according to @seriousme/openapi-schema-validator', async () => {
    const result = await new Validator().validate(structuredClone(description));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it('according to both validators, which reject a broken one', async () => {
    const broken = structuredClone(description);
    broken.paths['/expos'].get.responses = 7;
    expect((await validate(structuredClone(broken))).valid).toBe(false);
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });
});

describe('the examples', () => {
  it('exist for every JSON body', () => {
    const missing = withJson().filter(
      ({ operation }) => !operation.requestBody.content['application/json'].example,
    );
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect(withJson().length).toBeGreaterThan(14);
  });

  it('are accepted without changes', async () => {
    for (const { method, path, operation } of withJson()) {
      const values: Record<string, string> = {};
      for (const { name, in: place, example } of operation.parameters as readonly Json[]) {
        if (place === 'path') values[name] = example ?? '';
      }
      if (values.webhookId !== undefined) {
        const body = { type: 'order', url: 'https://consumer.example.org' };
        values.webhookId = (await platform.request('POST', '/webhooks/AD2026', { body })).json.id;
      }
      const body = operation.requestBody.content['application/json'].example;
      const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '');
      const answer = await platform.request(method, filled, { body });
      expect(answer.status, `${method} ${filled}: ${answer.text}`).toBe(200);
      if (path === '/actions/{expoId}') expect(answer.json).toMatchObject([{ result: 'created' }]);
      if (path === '/sendemail/{expoId}') expect(answer.json.sent).toBe(true);
    }
  });

  it('refer to records of the demo event that exist', async () => {
    for (const { method, path, operation } of operations()) {
      const parameters = (operation.parameters as readonly Json[]).filter((entry) => entry.in === 'path');
      if (method !== 'GET' || parameters.some(({ description: how }) => how?.includes('none at first')))
        continue;
      const filled = parameters.reduce<string>(
        (text, { name, example }) => text.replace(`{${name}}`, example),
        path,
      );
      expect((await platform.request('GET', filled)).status, filled).toBe(200);
    }
  });

  it('exist for each parameter of a path and for each required one of a query', () => {
    const missing = operations().flatMap(({ method, path, operation }) =>
      (operation.parameters as readonly Json[])
        .filter(({ required, example }) => required === true && example === undefined)
        .map(({ name }) => `${method} ${path} ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('have the status of their response for errors, and name the type that the platform returns', () => {
    let errors = 0;
    for (const { method, path, operation } of operations()) {
      for (const [status, answer] of Object.entries<Json>(operation.responses)) {
        if (Number(status) < 400) continue;
        const { example } = answer.content['application/json'];
        expect(example, `${method} ${path}`).toEqual(
          errorBody(Number(status), example.title, example.errors),
        );
        expect(example.errors !== undefined, `${method} ${path}`).toBe(status === '422');
        errors += 1;
      }
    }
    expect(errors).toBeGreaterThan(100);
  });

  it.each([
    ['400', '/visitors/NOEVENT', '/visitors/{expoId}', undefined],
    ['401', '/visitors/AD2026', '/visitors/{expoId}', 'no such key'],
    ['404', '/visitors/AD2026/NONE', '/visitors/{expoId}/{visitorId}', undefined],
    ['404', '/contents/AD2026/NONE', '/contents/{expoId}/{contentId}', undefined],
  ])('of a %s is what %s answers', async (status, path, described, key) => {
    const answer = await platform.request('GET', path, key === undefined ? {} : { key });
    const { example } = description.paths[described].get.responses[status].content['application/json'];
    expect([String(answer.status), answer.json]).toEqual([status, example]);
  });

  it('belong to schemas of bodies without read-only identifiers', () => {
    for (const { method, path, operation } of withJson()) {
      if (path === '/actions/{expoId}') continue;
      const names = Object.keys(operation.requestBody.content['application/json'].schema.properties);
      expect(names, `${method} ${path}`).not.toContain('id');
      expect(names, `${method} ${path}`).not.toContain('expoID');
      expect(names, `${method} ${path}`).not.toContain('revision');
    }
  });
});

describe('the description', () => {
  const of = (method: string, path: string): Json => description.paths[path][method];

  it('says which operations are not in the published interface', () => {
    for (const { method, path, operation } of operations()) {
      const isSaid = String(operation.description ?? '').includes('Not in the published interface');
      expect(isSaid, `${method} ${path}`).toBe(operation['x-documented'] === false);
    }
  });

  it('says that a PUT replaces the record, and where it does not', () => {
    expect(of('put', '/visitors/{expoId}/{visitorId}').description).toContain('Replaces the record');
    expect(of('put', '/payments/{expoId}/{paymentId}').description).toContain('Changes the state');
    expect(of('put', '/webhooks/{expoId}/{webhookId}').description).toContain('alone is enough');
  });

  it('says which states orders have and what the owner type of connections is', () => {
    const parameter = (path: string, wanted: string): Json =>
      of('get', path).parameters.find(({ name }: Json) => name === wanted);
    expect(parameter('/orders/{expoId}', 'orderStates')).toMatchObject({
      style: 'form',
      explode: false,
      schema: {
        type: 'array',
        items: { enum: ['paying', 'paymentPending', 'completed', 'timeout', 'cancelled'] },
      },
    });
    expect(parameter('/connections/{expoId}', 'type').description).toMatch(/^Owner type/);
  });

  it('says why a key gets 403', async () => {
    expect(of('get', '/connections/{expoId}').description).toContain('--connections');
    await platform.makeKey('ten minutes', { expos: ['AD2026'], canWrite: true });
    const refused = await platform.request('GET', '/connections/AD2026', { key: 'ten minutes' });
    expect([refused.status, refused.json.title]).toEqual([403, expect.stringContaining('--connections')]);
  });
});

it('the page has a title and an icon', async () => {
  const html = await (await fetch(`${platform.origin}/docs/`)).text();
  expect(html).toContain('<title>Event platform: the API</title>');
  expect(html).toContain('favicon.svg');
  const script = await (await fetch(`${platform.origin}/docs/static/swagger-initializer.js`)).text();
  expect(script).toContain(Buffer.from('aria-label="Event platform"').toString('base64').slice(4, -4));
});
