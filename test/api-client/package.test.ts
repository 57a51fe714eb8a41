/** The client as somebody else's dependency: built, installed into an empty project, type-checked and run. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ownFolder } from '../core/fixture.ts';
import { createPlatformProcess } from '../core/platform-process.ts';

const root = join(import.meta.dirname, '..', '..');
const source = join(root, 'packages', 'api-client');
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const run = promisify(execFile);

type Manifest = { readonly name: string; readonly dependencies: Readonly<Record<string, string>> };

/** A project that has the built client, its dependencies and nothing else of ours. */
async function projectWithClient(): Promise<string> {
  const project = ownFolder();
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest;
  const installed = join(project, 'node_modules', manifest.name);
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(source, 'package.json'), join(installed, 'package.json'));
  await run(process.execPath, [tsc, '-p', source, '--outDir', join(installed, 'dist')]);
  for (const name of [...Object.keys(manifest.dependencies), '@types/node', 'undici-types']) {
    const link = join(project, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    types: ['node'],
    noEmit: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  return project;
}

const USE = `
import { createClient } from '@touchpoint/api-client/client';
import { ApiError } from '@touchpoint/api-client/errors';
import { everyPage } from '@touchpoint/api-client/pages';
import { createPlatformApi } from '@touchpoint/api-client/platform';

const [baseUrl = '', expoId = '', key = ''] = process.argv.slice(2);
const clock = { now: Date.now, monotonic: () => performance.now(), sleep: async () => undefined };
const client = createClient({ baseUrl, key, password: '', expoId }, clock);
const event = createPlatformApi(client).event(expoId);
let names: string[] = [];
for await (const page of everyPage((paging) => event.labels.list(paging), { limit: 100 })) {
  names = [...names, ...page.map(({ name }) => name ?? '')];
}
const missing = await event.labels.read('nobody').catch((error: unknown) => error);
console.log(JSON.stringify({ names, missing: missing instanceof ApiError && missing.errorClass.kind }));
await client.close();
`;

it('a project that installs it has types that fit and a client that works', {
  timeout: 120_000,
}, async () => {
  const project = await projectWithClient();
  const platform = await createPlatformProcess(join(ownFolder(), 'platform'));
  await platform.start();
  writeFileSync(join(project, 'use.ts'), USE);
  await run(process.execPath, [tsc, '-p', project]);
  const args = [platform.baseUrl, platform.expoId, platform.key];
  const { stdout } = await run(process.execPath, [join(project, 'use.ts'), ...args]);
  expect(JSON.parse(stdout)).toMatchObject({
    names: expect.arrayContaining(['Robotics']),
    missing: 'reject',
  });
});

it('a use that the interface does not have is a fault of types', { timeout: 120_000 }, async () => {
  const project = await projectWithClient();
  writeFileSync(join(project, 'use.ts'), USE.replace('event.labels.list', 'event.labels.everything'));
  await expect(run(process.execPath, [tsc, '-p', project])).rejects.toMatchObject({
    stdout: expect.stringContaining("Property 'everything' does not exist") as string,
  });
});
