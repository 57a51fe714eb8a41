/** `destinations add|list|token|remove` as an organiser types it, while the hub with this data runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { manageDestinations } from '../../src-hub/destinations-command.ts';
import { writeHubSetting } from '../../src-platform/store/hub-setting.ts';
import { startHubspot } from '../core/team/destinations/hubspot-double.ts';
import { startSalesforce } from '../core/team/destinations/salesforce-double.ts';
import { expo, startHub } from './serving/serving-hub.ts';

const TOKEN = 'private-token-0123456789';
const PARTNER = 'AD2026P001';

const hubWith = async () => {
  const hub = await startHub();
  await writeHubSetting(hub.store, 'expo', expo);
  const rows = () => hub.store.db.selectFrom('hub_destination').selectAll().execute();
  const tokenFile = join(hub.folder, 'token.txt');
  const type = (token: string) => writeFileSync(tokenFile, `${token}\n`);
  /** Returns the output of the command, or the sentence of its refusal. */
  const run = async (...args: readonly string[]): Promise<string> => {
    let said = '';
    try {
      await manageDestinations([...args, ...hub.where], (text) => {
        said += text;
      });
    } catch (error) {
      return (error as Error).message;
    }
    return said;
  };
  type(TOKEN);
  return { ...hub, rows, type, run, file: ['--token-file', tokenFile] };
};

it('the command adds a destination after it accepted the token, lists it, replaces its token and removes it', async () => {
  const double = await startHubspot(() => 0.99, TOKEN);
  onTestFinished(() => double.close());
  const { rows, run, type, file } = await hubWith();
  const about = [
    'add',
    '--partner',
    PARTNER,
    '--kind',
    'hubspot',
    '--address',
    double.address,
    '--name',
    'Sales',
  ];
  type('another-token-0123456789');
  expect(await run(...about, ...file)).toBe('Nothing was kept. The destination refuses the token.');
  expect(await run(...about.with(4, 'webhook'), ...file)).toBe(
    'A signing secret is whsec_ and the base64 of 24 to 64 random bytes.',
  );
  expect(await rows()).toEqual([]);
  type(TOKEN);
  const added = await run(...about, ...file);
  const [row] = await rows();
  const id = row?.id ?? '';
  expect(added).toContain(
    `${id}  Sales  hubspot at ${new URL(double.address).host}, for the devices of ${PARTNER}`,
  );
  // The command creates the properties that leads need, so the token of the devices does not need that right.
  expect(
    double.requests.some(({ method, path }) => method === 'POST' && path === '/crm/v3/properties/contacts'),
  ).toBe(true);
  expect(await run('list')).toContain(id);

  type('second-token-0123456789');
  expect(await run('token', id, ...file)).toBe('Nothing was kept. The destination refuses the token.');
  double.tokens.add('second-token-0123456789');
  expect(await run('token', id, ...file)).toContain('replaced');
  expect((await rows())[0]?.sealed).not.toBe(row?.sealed);
  expect(await run('remove', id)).toBe(
    `Destination ${id} is removed. Its token is still valid there: revoke it yourself.\n`,
  );
  expect(await rows()).toEqual([]);
});

it.each([
  [['add', '--partner', 'P9', '--kind', 'hubspot'], 'The event has no partner P9.'],
  [['add', '--kind', 'hubspot'], '--partner is missing.'],
  [['add', '--partner', PARTNER, '--kind', 'sap'], '--kind must be hubspot, salesforce or webhook.'],
  [['add', '--partner', PARTNER, '--kind', 'salesforce'], '--address must be an https address.'],
  [
    ['add', '--partner', PARTNER, '--kind', 'webhook', '--address', 'http://example.org/hook'],
    '--address must be an https address.',
  ],
  [
    ['add', '--partner', PARTNER, '--kind', 'hubspot', '--sign-in', 'app'],
    '--sign-in is for salesforce only.',
  ],
  [
    ['add', '--partner', PARTNER, '--kind', 'hubspot', '--token-file', '/nowhere'],
    'The file /nowhere cannot be read.',
  ],
  [['token', 'C9'], 'There is no destination C9.'],
  [['list', 'C9'], 'Use destinations add, list, token ID or remove ID. See destinations --help.'],
  [
    ['add', 'private-token-0123456789'],
    'Use destinations add, list, token ID or remove ID. See destinations --help.',
  ],
])('the command refuses %j in one sentence', async (args, sentence) => {
  expect(await (await hubWith()).run(...args)).toBe(sentence);
});

it('the command signs in to Salesforce with a browser, and revokes that access with the destination', async () => {
  const double = await startSalesforce(() => 0.99, 'unused-token');
  onTestFinished(() => double.close());
  const { rows, run, store, where } = await hubWith();
  const said: string[] = [];
  const about = [
    '--partner',
    PARTNER,
    '--kind',
    'salesforce',
    '--address',
    double.address,
    '--sign-in',
    'app',
  ];
  const adding = manageDestinations(['add', ...about, ...where], (text) => {
    said.push(text);
    const url = /^http\S+authorize\S+$/mu.exec(text)?.[0];
    if (url === undefined) return;
    // What the user's browser does.
    void fetch(url, { redirect: 'manual' }).then((answer) =>
      fetch((answer.headers.get('location') ?? '').replace('localhost', '127.0.0.1')),
    );
  });
  await adding;
  const [row] = await rows();
  const tokens = [...double.tokens];
  expect(row).toMatchObject({ kind: 'salesforce', name: 'Salesforce', address: double.address });
  for (const token of tokens) expect(`${said.join()}${JSON.stringify(row)}`).not.toContain(token);
  expect(await run('remove', row?.id ?? '')).toContain('Its access is revoked');
  expect(await store.db.selectFrom('hub_destination').selectAll().execute()).toEqual([]);
});

it('the command reads a webhook’s secret from standard input, and prints neither the secret nor the path', async () => {
  const double = await startHubspot(() => 0.99, TOKEN);
  onTestFinished(() => double.close());
  const hub = await hubWith();
  // The double of HubSpot plays the webhook. It refuses the request, because a webhook's request has a signature
  // instead of a token.
  const about = [
    '--partner',
    PARTNER,
    '--kind',
    'webhook',
    '--address',
    `${double.address}/hook/secret-path`,
  ];
  const main = join(import.meta.dirname, '../../src-hub/main.ts');
  const child = spawn(process.execPath, [main, 'destinations', 'add', ...about, ...hub.where]);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      printed += String(part);
    });
  child.stdin.end('whsec_canarycanarycanarycanarycanarycanary\n');
  const [code] = (await once(child, 'close')) as [number];
  expect([code, printed.trim()]).toEqual([2, 'Nothing was kept. The destination refuses the token.']);
  expect(double.requests.at(-1)).toMatchObject({ method: 'POST', path: '/hook/secret-path' });
  expect(double.requests.at(-1)?.headers['webhook-signature']).toMatch(/^v1,/u);
  expect(await hub.rows()).toEqual([]);
  for (const file of readdirSync(hub.folder))
    expect(readFileSync(join(hub.folder, file)).includes('canary'), file).toBe(false);
});
