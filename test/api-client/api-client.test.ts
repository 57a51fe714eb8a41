/**
 * The published client: its generated types, its calls to the real platform, its example, and its package.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../../packages/api-client/src/client.ts';
import { ownFolder } from '../core/fixture.ts';
import { answerOf, jsonOf, startLiteralServer } from '../core/foundations/api/literal-server.ts';
import { type RunningPlatform, startPlatform } from '../platform/running-platform.ts';

const root = join(import.meta.dirname, '..', '..');
const source = join(root, 'packages', 'api-client');
const run = promisify(execFile);

const expoId = 'AD2026';
const key = 'demo-key-touchpoint';
const path = { expoId };

let platform: RunningPlatform;
let api: ApiClient;

beforeAll(async () => {
  platform = await startPlatform({ faults: { die: () => undefined } });
  api = createApiClient({ baseUrl: platform.base, key });
});
afterAll(() => platform.stop());

/** Makes the next requests fail (docs/platform-faults.md). */
const addFault = async (fault: object) => {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${platform.origin}/faults`, { method: 'POST', headers, body: JSON.stringify(fault) });
};

/** The paths of 64-bit integers in a description. */
const longNumbers = (value: unknown, place = ''): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const here = 'format' in value && value.format === 'int64' ? [place] : [];
  return [
    ...here,
    ...Object.entries(value).flatMap(([name, member]) => longNumbers(member, `${place}/${name}`)),
  ];
};

describe('the generated types', () => {
  it('equal the description of the platform (npm run api-types)', async () => {
    const address = `${platform.origin}/openapi.json`;
    const generated = join(ownFolder(), 'interface.ts');
    await run(process.execPath, [join(source, 'generate.ts'), address, generated]);
    const committed = readFileSync(join(source, 'src', 'interface.ts'), 'utf8');
    expect(readFileSync(generated, 'utf8') === committed, 'npm run api-types').toBe(true);
    const description: unknown = await (await fetch(address)).json();
    // The client reads a `revision` as a bigint, and no other field of an answer is a 64-bit integer.
    const inAnswers = longNumbers(description).filter((place) => !/\/(parameters|requestBody)\//.test(place));
    expect(inAnswers.length).toBeGreaterThan(15);
    expect(inAnswers.filter((place) => !place.endsWith('/revision'))).toEqual([]);
  });
});

describe('the client', () => {
  it('lists visitors by revision and reads one', async () => {
    const query = { fromRevision: 0n, limit: 5, registrationStates: ['registered' as const] };
    const first = await api.GET('/visitors/{expoId}', { params: { path, query } });
    expect(first.data).toHaveLength(5);
    const last = first.data?.at(-1);
    expect(last?.revision).toBeTypeOf('bigint');
    const next = { fromRevision: last?.revision ?? 0n, limit: 5 };
    const second = await api.GET('/visitors/{expoId}', { params: { path, query: next } });
    expect(second.data?.map(({ revision }) => revision >= next.fromRevision)).toEqual(Array(5).fill(true));
    const one = { expoId, visitorId: last?.id ?? '' };
    const read = await api.GET('/visitors/{expoId}/{visitorId}', { params: { path: one } });
    expect(read.data?.lastName).toBe(last?.lastName);
  });

  it('posts a scan, and the same scan again is a duplicate', async () => {
    const id = '0190a000-0000-7000-8000-00000000a001';
    const badge = '04A1B2C3D4E5F6';
    const scan = {
      id,
      kind: 'tap' as const,
      at: '2026-11-20T10:00:00.000Z',
      touchpointID: 'AD2026T01',
      badge,
    };
    for (const result of ['created', 'duplicate']) {
      const { data } = await api.POST('/actions/{expoId}', { params: { path }, body: [scan] });
      expect(data).toMatchObject([{ id, result }]);
    }
    const { data } = await api.GET('/actions/{expoId}', { params: { path } });
    expect(data?.filter(({ clientID }) => clientID === id)).toHaveLength(1);
  });

  it('creates, changes and deletes a record, and uploads bytes', async () => {
    const body = { name: 'Robotics', color: '#123abc', types: ['product' as const] };
    const made = await api.POST('/labels/{expoId}', { params: { path }, body });
    const one = { expoId, labelId: made.data?.id ?? '' };
    const changed = await api.PUT('/labels/{expoId}/{labelId}', {
      params: { path: one },
      body: { ...made.data, ...body, name: 'Robots' },
    });
    expect(changed.data).toMatchObject({ name: 'Robots' });
    const removed = await api.DELETE('/labels/{expoId}/{labelId}', { params: { path: one } });
    expect(removed.response.status).toBe(200);
    const [visitor] = (await api.GET('/visitors/{expoId}', { params: { path } })).data ?? [];
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const bytes = Uint8Array.from(Buffer.from(pixel, 'base64'));
    const stored = await api.POST('/upload/visitor/{visitorId}', {
      params: { path: { visitorId: visitor?.id ?? '' }, query: { type: 'ProfilePhoto' } },
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes,
    });
    expect(stored.data).toMatchObject({ size: bytes.length });
  });

  it('returns an error of the platform with its status', async () => {
    const nobody = createApiClient({ baseUrl: platform.base, key: 'wrong' });
    const refused = await nobody.GET('/visitors/{expoId}', { params: { path } });
    expect([refused.response.status, refused.data]).toEqual([401, undefined]);
    const missing = await api.GET('/visitors/{expoId}', { params: { path: { expoId: 'NOPE' } } });
    expect([missing.response.status, missing.error?.status]).toEqual([400, 400]);
    await addFault({ kind: 'status', status: 429, retryAfter: 1, count: 1 });
    const busy = await api.GET('/visitors/{expoId}', { params: { path } });
    expect([busy.response.status, busy.response.headers.get('retry-after')]).toEqual([429, '1']);
  });

  it('keeps every digit of a revision, with and without a content length of the answer', async () => {
    const text = '[{"id":"a","revision":9223372036854775807}]';
    const chunked = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    const type = 'content-type: application/json';
    const answers = [
      answerOf(200, [type], text),
      answerOf(200, [type, 'transfer-encoding: chunked'], chunked),
    ];
    const server = await startLiteralServer((socket, _request, number) => {
      socket.write(answers[number - 1] ?? jsonOf({ id: 'a' }));
    });
    const api = createApiClient({ baseUrl: server.baseUrl, key: 'k' });
    const params = { path: { expoId: 'E/1 ?' }, query: { fromRevision: 9223372036854775807n } };
    for (const _answer of answers) {
      const { data } = await api.GET('/labels/{expoId}', { params });
      expect(data).toEqual([{ id: 'a', revision: 9223372036854775807n }]);
    }
    const revision = 9007199254740993n;
    const body = { id: 'a', name: 'x', color: '#000000', types: ['product' as const], revision };
    await api.PUT('/labels/{expoId}/{labelId}', { params: { path: { expoId: 'E', labelId: 'a' } }, body });
    const [list, , put] = server.received;
    expect(list?.target).toContain('/labels/E%2F1%20%3F?fromRevision=9223372036854775807');
    expect(list?.headers.authorization).toBe(`Basic ${btoa('k:')}`);
    expect(put?.body.toString()).toContain('"revision":9007199254740993');
  });

  it('follows no redirect, so the key stays at its address', async () => {
    const other = await startLiteralServer((socket) => void socket.write(jsonOf([])));
    const there = `location: http://127.0.0.1:${other.port}/`;
    const server = await startLiteralServer((socket) => void socket.write(answerOf(307, [there])));
    const api = createApiClient({ baseUrl: server.baseUrl, key: 'k' });
    await expect(api.GET('/expos')).rejects.toThrow('fetch failed');
    expect(other.connections()).toBe(0);
  });
});

describe('the example', () => {
  const EXAMPLE = join(source, 'example', 'visitors-and-scan.ts');

  it('lists visitors and posts a scan, waits after a 429, and names the status that stops it', async () => {
    await addFault({ kind: 'status', status: 429, retryAfter: 0, count: 2 });
    const { stdout } = await run(process.execPath, [EXAMPLE, platform.base, expoId]);
    expect(stdout).toContain('Amélie Beaumont, Ateliers du Rhône\n');
    expect(stdout).toMatch(/\n400 visitors\nThe scan: created\n$/);
    const env = { ...process.env, PLATFORM_KEY: 'wrong' };
    const refused = run(process.execPath, [EXAMPLE, platform.base, expoId], { env });
    const stderr = expect.stringContaining('The platform answered 401') as string;
    await expect(refused).rejects.toMatchObject({ code: 1, stderr });
  });
});

describe('the package', () => {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const USE = `
    import { type ApiClient, createApiClient } from '@touchpoint/api-client';
    const [baseUrl = '', expoId = '', key = ''] = process.argv.slice(2);
    const { data } = await createApiClient({ baseUrl, key }).GET('/labels/{expoId}', { params: { path: { expoId } } });
    console.log(data?.map(({ name }) => name).join());
  `;

  it('works as a dependency of another project, and reports a wrong use at compile time', {
    timeout: 120_000,
  }, async () => {
    const project = ownFolder();
    const installed = join(project, 'node_modules', '@touchpoint', 'api-client');
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, 'package.json'), readFileSync(join(source, 'package.json')));
    await run(process.execPath, [tsc, '-p', source, '--outDir', join(installed, 'dist')]);
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types']) {
      mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
    }
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2024',
      strict: true,
      types: ['node'],
      noEmit: true,
    };
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    writeFileSync(join(project, 'use.ts'), USE);
    await run(process.execPath, [tsc, '-p', project]);
    const args = [join(project, 'use.ts'), platform.base, expoId, key];
    expect((await run(process.execPath, args)).stdout).toContain('Robotics');
    writeFileSync(join(project, 'use.ts'), USE.replace("'/labels/{expoId}'", "'/everything/{expoId}'"));
    await expect(run(process.execPath, [tsc, '-p', project])).rejects.toMatchObject({
      stdout: expect.stringContaining('/everything/{expoId}') as string,
    });
  });
});
