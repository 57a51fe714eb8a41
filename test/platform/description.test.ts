/**
 * Compares the OpenAPI description with the table of operations in the published interface
 * (docs/interface/endpoints.md#operations).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedOperations } from './document.ts';
import { type RunningPlatform, startPlatform } from './running-platform.ts';
import type { Json } from './table/row.ts';

let platform: RunningPlatform;
let description: Json;

beforeAll(async () => {
  platform = await startPlatform({ seed: 'empty' });
  description = await (await fetch(`${platform.origin}/openapi.json`)).json();
});
afterAll(() => platform.stop());

const operations = (): readonly { readonly name: string; readonly operation: Json }[] =>
  Object.entries<Json>(description.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

/** Operation rule 6 mentions the list of visitors by webhook, which the table does not. */
const byRule = ['GET /visitors/{expoId}'];
/** Its own parameter, and the two parameters that every list has (docs/interface/lists.md#from-revision). */
const ruleQuery = ['fromRevision', 'limit', 'webhookId'];

describe('the description', () => {
  it('has every operation of the table, and marks every other operation as undocumented', () => {
    const table = documentedOperations.map(({ method, path }) => `${method} ${path}`);
    const documented = operations().filter(({ operation }) => operation['x-documented'] !== false);
    expect(documented.map(({ name }) => name).toSorted()).toEqual([...table, ...byRule].toSorted());
    const others = operations().filter(({ operation }) => operation['x-documented'] === false);
    expect(others.map(({ name }) => name)).toContain('POST /actions/{expoId}');
    expect(others.length).toBeGreaterThan(8);
  });

  it('has exactly the query parameters of the table and marks any others', () => {
    for (const { method, path, query } of documentedOperations) {
      const parameters = description.paths[path][method.toLowerCase()].parameters as readonly Json[];
      const shown = parameters.filter((entry) => entry.in === 'query' && entry['x-documented'] !== false);
      expect(shown.map((entry) => entry.name).toSorted(), `${method} ${path}`).toEqual([...query].toSorted());
    }
    const visitors = description.paths['/visitors/{expoId}'].get.parameters as readonly Json[];
    const named = visitors.filter((entry) => entry.in === 'query' && entry['x-documented'] !== false);
    expect(named.map((entry) => entry.name).toSorted()).toEqual(ruleQuery);
  });

  it('states the range of each limit', () => {
    for (const { method, path, query } of documentedOperations) {
      if (!query.includes('limit')) continue;
      const parameters = description.paths[path][method.toLowerCase()].parameters as readonly Json[];
      const most = path.startsWith('/licenses') ? 1000 : 100;
      const limit = parameters.find((entry) => entry.name === 'limit')?.schema;
      expect(limit, path).toMatchObject({ type: 'integer', minimum: 1, maximum: most });
    }
  });

  it('marks the fields of events and contents as documented, and of all other records as undocumented', () => {
    const { schemas } = description.components;
    for (const [name, schema] of Object.entries<Json>(schemas)) {
      const isShown = ['Error', 'EventListItem', 'Event', 'ContentListItem', 'Content'].includes(name);
      expect(schema['x-documented'], name).toBe(isShown ? undefined : false);
    }
    const marked = (name: string) =>
      Object.entries<Json>(schemas[name].properties)
        .filter(([, property]) => property['x-documented'] === false)
        .map(([property]) => property);
    expect(marked('ContentListItem')).toEqual([]);
    expect(marked('Content')).toEqual(['description', 'url', 'image', 'labels', 'deleted']);
    expect(marked('Event')).toEqual(['venue', 'logo', 'labels', 'discoverUrl', 'bagUrl']);
    expect(marked('Error')).toEqual(['errors']);
    expect(Object.keys(schemas.ContentListItem.properties)).toEqual([
      'id',
      'expoID',
      'partnerID',
      'category',
      'name',
      'summary',
      'source',
      'revision',
    ]);
  });

  it('resolves all its references and gives each operation a unique name', () => {
    const text = JSON.stringify(description);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(description.components.schemas).toHaveProperty(name ?? '');
    }
    const names = operations().map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(description.openapi).toBe('3.1.0');
  });
});

describe('the documentation page', () => {
  it('requests everything from this server, and its policy permits no other', async () => {
    const page = await fetch(`${platform.origin}/docs/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page.headers.get('content-security-policy')).not.toMatch(/https?:|upgrade-insecure/);
    const html = await page.text();
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      const target = new URL(link, `${platform.origin}/docs/`);
      expect(target.origin).toBe(platform.origin);
      expect((await fetch(target)).status, link).toBe(200);
    }
    const served = await (await fetch(`${platform.origin}/docs/json`)).json();
    expect(served).toEqual(description);
  });
});
