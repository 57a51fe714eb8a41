/**
 * The token of a CRM at the hub, as an organiser and a stand team use it: the organiser's command at a real hub over
 * https, a laptop that is set up with a file of the hub, and the team's page in Chromium. Then the hub is
 * unreachable, returns, and does not offer the CRM any more.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { resetPin } from '../../src-main/core/team/staff/pin-entry.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformProcess } from '../core/platform-process.ts';
import { realRandom } from '../core/real-parts.ts';
import { startHubspot } from '../core/team/destinations/hubspot-double.ts';
import { createHubProcess } from '../hub/hub-process.ts';
import { notRunUnless } from '../not-run.ts';
import { chromiumPath } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { connectTo, fillJournal, openDisplay, PIN, startOn } from './app-with-leads.ts';

const TOKEN = 'private-token-0123456789';
const LEADS = 12;
const PATIENCE_MS = 60_000;

const hubTest = notRunUnless(existsSync(chromiumPath), 'Chromium is not installed');

hubTest(
  'connects what the hub offers without a token on the laptop, and says whether the hub is away or its offer is gone',
  async () => {
    const folder = ownFolder();
    const double = await startHubspot(() => 0.99, TOKEN);
    onTestFinished(() => double.close());
    const platform = await createPlatformProcess(join(folder, 'platform'));
    await platform.start();
    const serving = { scheme: 'https', isTold: false } as const;
    const hub = await createHubProcess(join(folder, 'hub'), platform, [], serving);
    await hub.start();

    // The organiser makes a file for the laptop, and adds the token of its partner's CRM.
    const file = join(folder, 'devices.json');
    const ofHub = ['--data', hub.folder];
    const about = ['--address', hub.baseUrl, '--touchpoint', 'AD2026T01', '--out', file];
    await until(
      'the hub has its touchpoints',
      async () => (await hub.run('devices', 'add', ...about, ...ofHub)).code === 0,
      PATIENCE_MS,
    );
    const tokenFile = join(folder, 'token.txt');
    writeFileSync(tokenFile, TOKEN, { mode: 0o600 });
    const where = ['--partner', 'AD2026P001', '--kind', 'hubspot', '--address', double.address];
    const options = ['--name', 'Sales CRM', '--token-file', tokenFile];
    const added = await hub.run('destinations', 'add', ...where, ...options, ...ofHub);
    expect([added.code, added.err]).toEqual([0, '']);
    const id = /^(C\w+) /u.exec(added.out)?.[1] ?? '';

    // This is the team's laptop.
    const data = join(folder, 'laptop');
    mkdirSync(data, { mode: 0o700 });
    const name = (index: number) => [`Ada${index}`, `Canary${index}`, `canary${index}@example.org`] as const;
    const first = await startOn(data, ['--provision', file]);
    first.app.child.kill('SIGTERM');
    await first.app.ended;
    fillJournal(data, LEADS, name, () => false);
    await resetPin(data, 'staff', PIN, realRandom);
    await buildRenderer();
    const { address } = await startOn(data, ['--provision', file]);
    const client = await connectTo(data);
    expect((await client.staff.signIn({ pin: PIN })).kind).toBe('in');
    const page = await openDisplay(address);
    await page.keyboard.press('F2');
    await page.getByLabel('PIN').fill(PIN);
    await page.keyboard.press('Enter');
    await page.getByLabel('Your name, as the team says it').fill('Ada');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.locator('.counts').waitFor();
    await page.evaluate(`location.hash = '#/staff/crm'`);
    const card = page.getByRole('region', { name: 'Ready at the hub' });
    await card.getByRole('button', { name: /Sales CRM/ }).click({ timeout: PATIENCE_MS });
    await page.getByText('The token is at the hub, not on this laptop.').waitFor();
    // A connected destination is no longer offered.
    expect(await client.destinations.offered()).toEqual({ offers: [], fault: null });
    const own = async () => (await client.destinations.list())[0];
    const done = await own();
    if (done === undefined) throw new Error('Expected a destination');
    const when = { kind: 'all' } as const;
    const settings = { when, needsConsent: false, notBefore: null, mapping: {} };
    await client.destinations.save({ id: done.id, settings });
    await until(
      'all leads are seen there',
      async () => (await own())?.counts.confirmed === LEADS,
      PATIENCE_MS,
    );
    expect(await own()).toMatchObject({ name: 'Sales CRM', atHub: true, pause: null });
    expect(double.records.size).toBe(LEADS);

    // The hub cannot be reached for a while. Then the organiser removes the CRM.
    const test = async () => (await client.destinations.test({ id: done.id })).pause;
    await hub.kill();
    expect(await test()).toBe('hubAway');
    await hub.start();
    await until('the hub is back', async () => (await test()) === null, PATIENCE_MS);
    expect((await hub.run('destinations', 'remove', id, ...ofHub)).code).toBe(0);
    expect(await test()).toBe('notOffered');
    expect(await client.destinations.offered()).toEqual({ offers: [], fault: null });

    const written = (root: string) =>
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
    for (const path of [...written(data), ...written(hub.folder)])
      expect(existsSync(path) && readFileSync(path).includes(TOKEN), `a token in ${path}`).toBe(false);
    expect(hub.said()).not.toMatch(/private-token|canary\d/iu);
  },
  240_000,
);
