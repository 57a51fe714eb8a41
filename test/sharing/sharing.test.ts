/**
 * Laptops of one stand without a terminal: they share, lose the sharing laptop, and another one takes over. In the
 * end every laptop shows the same leads, and the platform has each fact once. The hub also signs a proof of the
 * count. Real hubs and a real platform; the pages are called without a browser.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformProcess } from '../core/platform-process.ts';
import { openVerifier } from '../core/team/exports/verifier.ts';
import { notRunUnless } from '../not-run.ts';
import { isThorough } from '../thoroughness.ts';
import { type Laptop, type Place, startLaptop } from './laptop.ts';

const PATIENCE_MS = 120_000;

type Touchpoint = { readonly id: string; readonly purpose: string };

const openStand = async () => {
  const folder = ownFolder();
  const platform = await createPlatformProcess(join(folder, 'platform'));
  await platform.start();
  const { body } = await platform.call('GET', `/touchpoints/${platform.expoId}`);
  const leads = (body as readonly Touchpoint[]).filter(({ purpose }) => purpose === 'lead');
  const [own] = leads;
  if (own === undefined) throw new Error('Expected a stand');
  const placeOf = (touchpoint: string): Place => ({
    ...{ address: platform.baseUrl, expo: platform.expoId, key: platform.key, touchpoint },
  });
  return { folder, platform, own: placeOf(own.id) };
};

const sharing = async (laptop: Laptop) => (await laptop.page()).setup.sharing;

const share = async (laptop: Laptop): Promise<void> => {
  expect(await (await sharing(laptop)).share()).toEqual({ refused: null });
  await until(
    'the laptop is a device of its own hub',
    async () => {
      const { isReady, failed } = await (await sharing(laptop)).state();
      expect(failed).toBeNull();
      return isReady && laptop.state()?.hub?.upstream === 'online';
    },
    PATIENCE_MS,
  );
};

const codeOf = async (laptop: Laptop): Promise<string> => {
  const calls = await sharing(laptop);
  const { addresses } = await calls.state();
  await calls.invite({ address: addresses[0] ?? '127.0.0.1' });
  let code: string | undefined;
  await until('the laptop shows a code', async () => {
    code = (await calls.state()).invitation?.code;
    return code !== undefined;
  });
  return code ?? '';
};

const joinBy = async (laptop: Laptop, code: string): Promise<void> => {
  expect(await (await sharing(laptop)).join({ code })).toEqual({ refused: null });
  await until('the laptop uses the hub', () => laptop.state()?.hub?.upstream === 'online', PATIENCE_MS);
};

/** The leads as a laptop shows them to the team, in a fixed order. */
const leadsOf = async (laptop: Laptop) => {
  const { leads } = await (await laptop.page()).leads.page({});
  return leads
    .map(({ badgeTail, rating, note }) => ({ badgeTail, rating, note }))
    .toSorted((one, other) => one.badgeTail.localeCompare(other.badgeTail));
};

/** A stand in a test, which counts the taps of all its laptops. */
const openLaptops = async () => {
  const { folder, platform, own } = await openStand();
  const start = (name: string, place: Place | null) => startLaptop(join(folder, name), place);
  let taps = 0;
  const tapOn = (laptop: Laptop): void => {
    taps += 1;
    laptop.tap(`04E${String(taps).padStart(11, '0')}`);
  };
  /** Whether each of these laptops shows every tap, and all show the same leads. */
  const isSame = (laptops: readonly Laptop[]) => async (): Promise<boolean> => {
    const lists = await Promise.all(laptops.map(leadsOf));
    return lists.every((list) => list.length === taps && isDeepStrictEqual(list, lists[0]));
  };
  const badges = async () =>
    (await platform.actions()).map(({ badge }) => String(badge)).filter((badge) => badge.startsWith('04E'));
  const arriveOnce = async (): Promise<void> => {
    await until('each tap is at the platform', async () => (await badges()).length >= taps, PATIENCE_MS);
    const seen = await badges();
    expect([seen.length, new Set(seen).size]).toEqual([taps, taps]);
  };
  /** Files of the laptops that hold the platform key. */
  const keyHolders = (): readonly string[] =>
    globSync('{one,two,three}/**/*', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(platform.key))
      .map((path) => relative(folder, path))
      .toSorted();
  return { folder, own, start, tapOn, isSame, arriveOnce, keyHolders };
};

const isBrought = (laptop: Laptop): boolean => {
  const { captured, confirmed } = laptop.state()?.delivery ?? { captured: -1, confirmed: 0 };
  return captured === confirmed;
};

/** The text of the proof of the count that a laptop would make now. */
const proofOf = async (laptop: Laptop): Promise<string> => {
  const { exports } = await laptop.page();
  const started = await exports.start({ kind: 'proof', place: null, language: 'en' });
  if (started.kind !== 'started') throw new Error(`Expected a proof, got ${started.kind}`);
  const { id } = started.job;
  for await (const { result } of await exports.watch({ id })) if (result !== null) break;
  const pieces: Buffer[] = [];
  for await (const { bytes } of await exports.download({ id })) pieces.push(Buffer.from(bytes, 'base64'));
  return Buffer.concat(pieces).toString('utf8');
};

test('a laptop joins by a code, takes over when the sharing laptop is closed, and each tap arrives once', async () => {
  const { folder, own, start, tapOn, isSame, arriveOnce, keyHolders } = await openLaptops();
  const [one, two] = [start('one', own), start('two', own)];
  // These taps are delivered directly, before a laptop shares.
  tapOn(two);
  await until('the tap is at the platform', () => isBrought(two), PATIENCE_MS);
  await share(one);
  const earlier = await codeOf(one);
  const code = await codeOf(one);
  expect(code).not.toBe(earlier);
  await joinBy(two, code);
  for (const laptop of [one, two]) tapOn(laptop);
  await until('both laptops list the leads of both', isSame([one, two]), PATIENCE_MS);
  expect(keyHolders()).toEqual(['one/direct.json', 'two/direct.json']);
  expect(statSync(join(folder, 'one', 'direct.json')).mode & 0o077).toBe(0);
  const both = await proofOf(two);
  const { hub } = await (await two.page()).exports.signer();
  await one.stop();
  tapOn(two);
  const alone = await proofOf(two);
  const { verify } = await openVerifier();
  const [signedByBoth, later] = await verify({ 'a.proof.json': both, 'b.proof.json': alone });
  expect(signedByBoth).toMatch(/^Accepted.*Signed by the hub .+, too: .+\sNothing of it was changed/su);
  expect(signedByBoth).toContain(hub?.fingerprint);
  expect(later).toMatch(/^Accepted.*Only the device signed. No hub confirmed it./su);
  expect(two.state()?.delivery.captured).toBe(3);
  await share(two);
  tapOn(two);
  await arriveOnce();
  expect([...one.errors(), ...two.errors()]).toEqual([]);
}, 400_000);

const nightTest = notRunUnless(isThorough(), 'only the nightly run takes it', 'night');

nightTest(
  'three laptops that lose hub, network and sharing laptop end with the same leads, each fact once',
  async () => {
    const { folder, own, start, tapOn, isSame, arriveOnce, keyHolders } = await openLaptops();
    const [one, two, third] = [start('one', own), start('two', own), start('three', null)];
    await share(one);
    await joinBy(two, await codeOf(one));
    await joinBy(third, await codeOf(one));
    for (const laptop of [one, two, third]) tapOn(laptop);
    await until('each laptop lists the leads of all', isSame([one, two, third]), PATIENCE_MS);

    // The hub dies and is restarted automatically while two team members edit one lead.
    one.killHub();
    const edit = async (laptop: Laptop, change: { rating: 5 } | { note: string }) => {
      const page = await laptop.page();
      const { leads } = await page.leads.page({});
      const lead = leads.find(({ badgeTail }) => badgeTail.endsWith('01'))?.id ?? '';
      await page.leads.edit({ lead, change });
    };
    await edit(two, { rating: 5 });
    await edit(third, { note: 'Wants a quote' });
    await until('every laptop has both edits', isSame([one, two, third]), PATIENCE_MS);
    expect((await leadsOf(one))[0]).toMatchObject({ rating: 5, note: 'Wants a quote' });

    // The third laptop is closed. A lead of the second reaches the platform through the hub, and then the hub ends.
    await third.stop();
    tapOn(two);
    await until('the fact is confirmed', () => isBrought(two), PATIENCE_MS);
    await one.stop();
    const three = start('three', null);
    for (const laptop of [two, three]) tapOn(laptop);
    await share(two);
    await joinBy(three, await codeOf(two));
    await until('the two laptops list the same leads', isSame([two, three]), PATIENCE_MS);
    const back = start('one', null);
    await joinBy(back, await codeOf(two));
    tapOn(back);
    const all = [back, two, three];
    await until('all three laptops list the same leads', isSame(all), PATIENCE_MS);
    await until('each fact is confirmed', () => all.every(isBrought), PATIENCE_MS);

    // The third laptop has no key. The second one delivers directly again, and keeps nothing of the other laptops'
    // hub.
    expect(await (await sharing(three)).leave()).toEqual({ refused: 'noKey' });
    expect(await (await sharing(three)).share()).toEqual({ refused: 'noKey' });
    expect(await (await sharing(two)).leave()).toEqual({ refused: null });
    tapOn(two);
    await until(
      'the laptop delivers directly',
      () => two.state()?.hub === null && isBrought(two),
      PATIENCE_MS,
    );
    await arriveOnce();
    expect(existsSync(join(folder, 'two', 'sharing'))).toBe(false);
    expect(keyHolders()).toEqual(['one/direct.json', 'two/direct.json', 'two/platform.json']);
    expect(all.flatMap((laptop) => laptop.errors())).toEqual([]);
  },
  600_000,
);

nightTest(
  'emptying the sharing laptop ends its hub and leaves no trace of a lead in any file',
  async () => {
    const { folder, own, start, tapOn, isSame } = await openLaptops();
    const [one, two] = [start('one', own), start('two', own)];
    await share(one);
    await joinBy(two, await codeOf(one));
    for (const laptop of [one, two]) tapOn(laptop);
    await until('both laptops list the leads of both', isSame([one, two]), PATIENCE_MS);
    /** Files of a laptop that contain a tapped badge. */
    const traces = (name: string): readonly string[] => {
      const files = globSync('**/*', { cwd: join(folder, name), withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      return files
        .filter((path) => readFileSync(path).includes('04E0000000000'))
        .map((path) => relative(folder, path));
    };
    expect(traces('one').some((path) => path.startsWith(join('one', 'sharing')))).toBe(true);
    const { erasure } = await one.page();
    await until(
      'every tap is at the platform',
      async () => (await erasure.check({})).undelivered === 0,
      PATIENCE_MS,
    );
    expect(await erasure.wipe({})).toMatchObject({ kind: 'erased', protocol: { kind: 'fair', people: 2 } });
    expect(existsSync(join(folder, 'one', 'sharing'))).toBe(false);
    expect(traces('one')).toEqual([]);
    await until('the laptop delivers directly', () => one.state()?.hub === null, PATIENCE_MS);
    // The other laptop keeps its leads and continues to capture.
    tapOn(two);
    expect(two.state()?.delivery.captured).toBe(2);
    expect((await leadsOf(two)).length).toBe(3);
  },
  400_000,
);
