/**
 * The set-up on the evening before, from an empty folder to the first lead, done only on the screen, with the key of
 * one company. It uses a tag on the virtual reader, the real pcscd, the app as users start it, a real Chromium, and
 * the platform in its own process.
 *
 * Every press of a button or choice and every click into a field is one action; every page of the set-up is
 * one step. Text that must be typed with any tool (address, key, name, PINs) is not counted.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, onTestFinished } from 'vitest';
import { readFactLines } from '../../src-main/core/journal/facts/fact-lines.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { watch } from '../launch/running-app.ts';
import { notRunUnless } from '../not-run.ts';
import { chromiumPath, startBrowser } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { axeFaults } from '../renderer/screens/axe.ts';
import { inTurn } from '../thoroughness.ts';
import { killInside } from '../virtual-reader/namespace.ts';
import { openVirtualReader, type VirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';

const root = join(import.meta.dirname, '../..');
const cardTest = notRunUnless(virtualReader.present, virtualReader.reason);
const AMELIE = '04A1B2C3D4E5F6';
const PARTNER = 'AD2026P001';
const PINS = { team: '1357', technician: '24680' };
/** Three minutes at four seconds per action. */
const MOST_ACTIONS = 45;

type Words = Readonly<
  Record<
    | 'locale'
    | 'refused'
    | 'ofPeople'
    | 'address'
    | 'key'
    | 'check'
    | 'next'
    | 'company'
    | 'headline'
    | 'name'
    | 'team'
    | 'technician'
    | 'again'
    | 'save',
    string
  >
>;

const english: Words = {
  locale: 'en',
  refused: 'refuses this key',
  ofPeople: 'leads stay without names',
  address: 'Address of the platform',
  key: 'Key',
  check: 'Check the key',
  next: 'Next',
  company: 'Company',
  headline: 'Headline at rest, empty for ours, English',
  name: 'Your name, as the team says it',
  team: 'PIN of the team',
  technician: 'PIN of the technician',
  again: 'The same PIN again',
  save: 'Save and begin',
};

const german: Words = {
  locale: 'de',
  refused: 'lehnt diesen Schlüssel ab',
  ofPeople: 'Leads bleiben ohne Namen',
  address: 'Adresse der Plattform',
  key: 'Schlüssel',
  check: 'Schlüssel prüfen',
  next: 'Weiter',
  company: 'Firma',
  headline: 'Überschrift in Ruhe, leer für unsere, Deutsch',
  name: 'Dein Name, wie das Team ihn sagt',
  team: 'PIN des Teams',
  technician: 'PIN der Technik',
  again: 'Dieselbe PIN noch einmal',
  save: 'Speichern und beginnen',
};

/** The platform with the demo event, and a key of a single company for it. */
const startPlatform = async (reader: VirtualReader): Promise<{ base: string; key: string }> => {
  const entry = join(root, 'src-platform/main.ts');
  const data = join(ownFolder(), 'platform');
  const args = [entry, '--port', '8810', '--data', data, '--seed', 'demo', '--log', join(data, 'log')];
  const platform = watch(reader.spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  const [base = ''] = await platform.line(/http:\/\/\S+\/create\/v2/);
  const rights = ['--expo', 'AD2026', '--partner', PARTNER, '--write', '--connections'];
  const about = [entry, 'keys', 'add', '--name', 'A stand', ...rights, '--data', data];
  const made = await reader.run(process.execPath, about);
  return { base, key: /\b[0-9a-f]{40}\b/.exec(made)?.[0] ?? '' };
};

const openHand = (page: Page, next: string) => {
  let actions = 0;
  let steps = 1;
  return {
    actions: () => actions,
    steps: () => steps,
    next: async () => {
      actions += 1;
      steps += 1;
      await page.getByRole('button', { name: next, exact: true }).click();
    },
    click: async (target: Locator) => {
      actions += 1;
      await target.click();
    },
    write: async (target: Locator, text: string) => {
      actions += 1;
      await target.fill(text);
    },
    choose: async (target: Locator, value: string) => {
      actions += 1;
      await target.selectOption(value);
    },
    clear: () => expect.poll(() => axeFaults(page, 'all'), { timeout: 30_000, interval: 1_000 }).toEqual([]),
  };
};

const toTheFirstLead = async (words: Words): Promise<void> => {
  await buildRenderer();
  const data = join(ownFolder(), 'data');
  await using reader = await openVirtualReader();
  await reader.startService();
  const { base, key } = await startPlatform(reader);
  const start = (...options: readonly string[]) => {
    const usual = ['--data', data, '--no-open', '--shell', 'browser', '--reader', 'pcsc'];
    const args = [join(root, 'src-main/launch/main.ts'), ...usual, ...options];
    return watch(reader.spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  };
  const app = start('--set-up');
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  await app.line(/^Stand: not set up yet/);
  const browser = await startBrowser([], reader.wrapper(chromiumPath));
  onTestFinished(() => browser.close());
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    locale: words.locale,
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(30_000);
  await page.goto(address);
  const hand = openHand(page, words.next);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });

  await hand.write(field(words.address), base);
  await hand.write(field(words.key), 'not-the-key');
  await hand.click(button(words.check));
  await page.locator('.notice[data-tone="stop"]').filter({ hasText: words.refused }).waitFor();
  await hand.write(field(words.key), key);
  await hand.click(button(words.check));
  // There is only one event, and the app still does not choose it.
  expect(await page.locator('input[name="setup-event"]:checked').count()).toBe(0);
  await hand.click(page.locator('input[name="setup-event"]'));
  await expect
    .poll(() => page.locator('.setup-rights li[data-ok="true"]').count(), { timeout: 40_000 })
    .toBe(2);
  // A company's key cannot read the visitors of the event. The page says so before anybody relies on names.
  await page.locator('.setup-rights li[data-ok="false"]').filter({ hasText: words.ofPeople }).waitFor();
  await hand.clear();
  await hand.next();

  await hand.choose(page.getByRole('combobox', { name: words.company }), PARTNER);
  await page.locator('.setup-checks li[data-ok="true"]').waitFor();
  await hand.click(page.locator('input[name="setup-touchpoint"]').first());
  await hand.clear();
  await hand.next();

  await page.getByText('Virtual PCD 00 00').waitFor();
  await reader.insert({ kind: 'type2', uid: '04FFFFFFFFFF01' });
  await page.locator('.setup-ring[data-tapped="true"]').waitFor();
  await reader.remove();
  await hand.clear();
  await hand.next();

  await hand.write(field(words.headline), 'Robots to go');
  // The preview is the real visitor screen and updates at once.
  await page.locator('.setup-display .headline').filter({ hasText: 'Robots to go' }).waitFor();
  await hand.clear();
  await hand.next();
  await hand.next();
  await hand.next();

  await hand.write(field(words.name), 'Mira');
  await hand.write(field(words.team), PINS.team);
  await hand.write(field(words.again).first(), PINS.team);
  await hand.write(field(words.technician), PINS.technician);
  await hand.write(field(words.again).last(), PINS.technician);
  await hand.clear();
  await hand.click(button(words.save));

  await page.locator('main[data-view="attract"] .headline').filter({ hasText: 'Robots to go' }).waitFor();
  expect([...(readFactLines(join(data, 'journal.db')) ?? [])]).toEqual([]);
  await reader.insert({ kind: 'type2', uid: AMELIE });
  await page.locator('main[data-view="captured"]').waitFor();
  const [fact] = [...(readFactLines(join(data, 'journal.db')) ?? [])];
  expect(fact).toMatchObject({ kind: 'tap', partner: PARTNER });
  await until('the platform has the lead', () =>
    [...(readFactLines(join(data, 'journal.db')) ?? [])].some(
      ({ delivery }) => delivery?.state === 'confirmed',
    ),
  );
  expect(hand.actions()).toBeLessThan(MOST_ACTIONS);
  expect(hand.steps()).toBe(7);

  const kept = readFileSync(join(data, 'platform.json'), 'utf8');
  expect(kept).toContain(key);
  expect(statSync(join(data, 'platform.json')).mode & 0o077).toBe(0);
  const stand = readFileSync(join(data, 'stand.json'), 'utf8');
  expect(stand).not.toContain(key);
  expect(JSON.parse(stand)).toMatchObject({ headline: { [words.locale]: 'Robots to go' } });
  expect(app.errors()).not.toContain(key);

  // From now on the folder is bound to its event.
  killInside(app.child);
  await app.ended;
  await start().line(/^Stand: Northwind Robotics, device /);
};

// In an ordinary run, one language. The seed of the run selects it.
for (const [language, words] of inTurn([['English', english] as const, ['German', german] as const], 0)) {
  cardTest(
    `needs no file and no terminal from an empty folder to the first lead, in ${language}`,
    () => toTheFirstLead(words),
    240_000,
  );
}
