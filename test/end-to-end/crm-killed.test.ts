/**
 * The app is killed with SIGKILL while it sends leads to a badly behaving CRM: each lead is sent once, and every
 * displayed state is true. Then the test searches everything that the app wrote and printed, including reports of a
 * defect, for tokens and personal data.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { collectDiagnostics } from '../../src-main/commands/diagnostics/collect.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { KIND, UNKIND } from '../core/team/destinations/double.ts';
import { startHubspot } from '../core/team/destinations/hubspot-double.ts';
import { isThorough } from '../thoroughness.ts';
import { connectTo, fillJournal, PIN, startOn } from './app-with-leads.ts';

const TOKEN = 'private-token-0123456789';
const KILLS = isThorough() ? 8 : 2;
/** There are more batches than kills, so that each kill meets a write. */
const LEADS = 100 * KILLS + 50;

it('the app sends each lead once although it is killed while it sends, and leaks no token or name', {
  timeout: 180_000,
}, async () => {
  let luck = 0;
  const double = await startHubspot(() => {
    luck = (luck * 7 + 3) % 101;
    return luck / 101;
  }, TOKEN);
  onTestFinished(() => double.close());
  const folder = ownFolder();
  const name = (index: number) => [`Ada${index}`, `Canary${index}`, `canary${index}@example.org`] as const;
  fillJournal(folder, LEADS, name, () => false);

  const said: string[] = [];
  const start = async () => {
    const { app } = await startOn(folder);
    app.child.stderr?.on('data', (part) => said.push(String(part)));
    const client = await connectTo(folder);
    // The app knows its stand only when its mirror is complete.
    for await (const { mirror } of await client.device.watch()) if (mirror.complete) break;
    expect((await client.staff.signIn({ pin: PIN })).kind).toBe('in');
    return { app, client };
  };
  let { app, client } = await start();
  const { address } = double;
  const done = await client.destinations.connect({ kind: 'hubspot', name: 'HubSpot', address, token: TOKEN });
  if (done.kind !== 'connected') throw new Error(JSON.stringify(done));
  double.mood = { ...UNKIND, latencyMs: 20 };
  const when = { kind: 'all' } as const;
  const settings = { when, needsConsent: false, notBefore: null, mapping: {} };
  await client.destinations.save({ id: done.id, settings });
  const writes = () => double.requests.filter(({ path }) => /batch\/(upsert|update)$/u.test(path)).length;
  let before = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    // The write has arrived at the CRM, and the answer is on its way.
    await until('the app writes again', () => writes() > before);
    app.child.kill('SIGKILL');
    said.push(...app.lines);
    await app.ended;
    before = writes();
    ({ app, client } = await start());
  }
  const counts = async () => (await client.destinations.list())[0]?.counts;
  await until('the destination has every lead', async () => (await counts())?.confirmed === LEADS, 60_000);

  const records = [...double.records.values()].map(({ values }) => values);
  expect(records.map(({ lastname }) => lastname).toSorted()).toEqual(
    Array.from({ length: LEADS }, (_, index) => `Canary${index}`).toSorted(),
  );
  expect(new Set(records.map(({ touchpoint_lead_id: id }) => id)).size).toBe(LEADS);
  expect(await counts()).toMatchObject({ due: 0, in_flight: 0, uncertain: 0, sent: 0, parked: 0 });

  // An answer of an unknown form, with a name in it, is a defect that is logged.
  double.mood = KIND;
  double.spoil = (text) => text.replace('"id":"', '"id":["').replace('","properties"', '"],"properties"');
  const [lead] = (await client.leads.page({})).leads;
  await client.leads.edit({ lead: lead?.id ?? '', change: { note: 'Call' } });
  const logs = async () =>
    (await filesBelow(folder))
      .filter((path) => path.includes('logs'))
      .map(readable)
      .join('');
  await until('the defect is in the log', async () => (await logs()).includes('unexpected fault'));
  app.child.kill('SIGTERM');
  said.push(...app.lines);
  await app.ended;

  const everything = [
    ...(await filesBelow(folder)).map((path) => [path, readable(path)] as const),
    ...[...collectDiagnostics(folder, Date.now())].map(
      ([path, bytes]) => [`diagnostics/${path}`, Buffer.from(bytes).toString('latin1')] as const,
    ),
    ['the output', said.join('\n')] as const,
  ];
  for (const [path, text] of everything) {
    if (!path.endsWith('destination-keys.json'))
      expect(text.includes(TOKEN), `a token in ${path}`).toBe(false);
    if (!/journal\.db|leads|backup/u.test(path))
      expect(/canary\d/iu.test(text), `a name in ${path}`).toBe(false);
  }
});

const filesBelow = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

const readable = (path: string): string => (existsSync(path) ? readFileSync(path, 'latin1') : '');
