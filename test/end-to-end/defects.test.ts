/**
 * The real app with a token and leads, and defects planted in it: parts that fail, a crash and a failed start, each
 * with an error that quotes the token and a lead. The token and the leads appear in no output and in no file except
 * those that store them.
 */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { collectDiagnostics } from '../../src-main/commands/diagnostics/collect.ts';
import { DEFECT_CODE } from '../../src-main/launch/refused.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { startHubspot } from '../core/team/destinations/hubspot-double.ts';
import { entry, type RunningApp, watch } from '../launch/running-app.ts';
import { connectTo, fillJournal, PIN } from './app-with-leads.ts';

const TOKEN = 'private-token-0123456789';
const QUOTE = `"${TOKEN}" of Ada7 Canary7 <canary7@example.org>`;

/**
 * Loaded by every process and thread of the app. If the file `broken` is beside it, every part that reads a lead
 * fails. A signal makes the app crash.
 */
const PLANT = `
import { existsSync } from 'node:fs';
const broken = new URL('broken', import.meta.url);
const quote = ${JSON.stringify(QUOTE)};
const { umask } = process;
process.umask = (...mask) => {
  if (process.env.PLANT === 'start') throw new Error(quote);
  if (process.env.PLANT === 'late') setImmediate(() => { throw new TypeError(quote, { cause: new Error(quote) }); });
  return umask(...mask);
};
const { parse } = JSON;
JSON.parse = (text, ...more) => {
  if (String(text).includes('Canary') && existsSync(broken)) throw new SyntaxError(quote + ' in ' + String(text).slice(0, 500));
  return parse(text, ...more);
};
if (process.env.PLANT === 'signals') {
  process.on('SIGWINCH', () => { void Promise.reject(new RangeError(quote)); });
}
`;

const startPlanted = (folder: string, plant: string, mode: 'signals' | 'start' | 'late'): RunningApp => {
  const args = [entry, '--data', folder, '--reader', 'none', '--no-open', '--shell', 'browser'];
  const env = { ...process.env, PLANT: mode, NODE_OPTIONS: `--import ${plant}` };
  const app = watch(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  onTestFinished(async () => {
    app.child.kill('SIGKILL');
    await app.ended;
  });
  return app;
};

it('the app quotes no token and no lead when parts fail, when it crashes and when a start fails', {
  timeout: 180_000,
}, async () => {
  const double = await startHubspot(() => 0.99, TOKEN);
  onTestFinished(() => double.close());
  const top = ownFolder();
  const folder = join(top, 'data');
  const plant = join(top, 'plant.mjs');
  writeFileSync(plant, PLANT);
  mkdirSync(folder, { mode: 0o700 });
  const name = (index: number) => [`Ada${index}`, `Canary${index}`, `canary${index}@example.org`] as const;
  fillJournal(folder, 12, name, () => true);

  const app = startPlanted(folder, plant, 'signals');
  await app.line(/^Touchpoint is ready: (\S+)$/);
  const client = await connectTo(folder);
  for await (const { mirror } of await client.device.watch()) if (mirror.complete) break;
  expect((await client.staff.signIn({ pin: PIN })).kind).toBe('in');
  const done = await client.destinations.connect({
    ...{ kind: 'hubspot', name: 'HubSpot', address: double.address, token: TOKEN },
  });
  if (done.kind !== 'connected') throw new Error(JSON.stringify(done));
  const settings = { when: { kind: 'all' }, needsConsent: false, notBefore: null, mapping: {} } as const;
  await client.destinations.save({ id: done.id, settings });
  await until('a lead is there', () => double.records.size > 0);
  const [lead] = (await client.leads.page({})).leads;

  // An answer of an unknown form is a defect of the sender. Then every part that parses a lead fails.
  double.spoil = (text) => text.replace('"id":"', '"id":["').replace('","properties"', '"],"properties"');
  await client.leads.edit({ lead: lead?.id ?? '', change: { note: 'Call' } });
  const files = async () => (await filesBelow(folder)).map((path) => [path, readable(path)] as const);
  const logs = async () =>
    (await files())
      .filter(([path]) => path.includes('logs'))
      .map(([, text]) => text)
      .join('');
  await until('a defect is in the log', async () => (await logs()).includes('unexpected fault'));
  writeFileSync(join(top, 'broken'), '');
  for (const call of [
    () => client.leads.edit({ lead: lead?.id ?? '', change: { note: 'Call' } }),
    () => client.leads.page({}),
    () => client.leads.one({ lead: lead?.id ?? '' }),
    () => client.destinations.dryRun({ id: done.id, filter: {} }),
    () => client.destinations.mapping({ id: done.id }),
  ])
    await call().catch(() => undefined);

  // The app crashes.
  app.child.kill('SIGWINCH');
  expect(await app.ended).toBe(DEFECT_CODE);
  expect(await logs()).toContain('A defect ended the app');

  // The app fails to start: once in its first step, once later.
  const failed = [startPlanted(folder, plant, 'start'), startPlanted(folder, plant, 'late')];
  for (const start of failed) expect(await start.ended).not.toBe(0);

  const printed = [app, ...failed].map((one) => one.lines.join('\n') + one.errors()).join('\n');
  const everything = [
    ...(await files()),
    ...[...collectDiagnostics(folder, Date.now())].map(
      ([path, bytes]) => [`diagnostics/${path}`, Buffer.from(bytes).toString('latin1')] as const,
    ),
    ['the output', printed] as const,
  ];
  const found = everything.flatMap(([path, text]) => [
    ...(!path.endsWith('destination-keys.json') && text.includes(TOKEN) ? [`a token in ${path}`] : []),
    ...(!/journal\.db|leads|backup/u.test(path) && /canary\d/iu.test(text) ? [`a name in ${path}`] : []),
  ]);
  expect(found).toEqual([]);
});

const filesBelow = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

const readable = (path: string): string => (existsSync(path) ? readFileSync(path, 'latin1') : '');
