/** The stand and the real platform over HTTP: contents, consents, check-ins and e-mail. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readMirror } from '../../../../src-main/core/event/mirror/reading.ts';
import { examineDetails } from '../../../../src-main/core/event/sync/doctor.ts';
import { createClient } from '../../../../src-main/core/foundations/api/client.ts';
import { demoSettings } from '../../../../src-main/data-folder/stand-settings.ts';
import { ownFolder, until } from '../../fixture.ts';
import { ndefMessage, uriRecord } from '../../foundations/badge/ndef-bytes.ts';
import { createPlatformHere, type PlatformProcess } from '../../platform-process.ts';
import { realClock } from '../../real-parts.ts';
import { capturedOf, openStandKiosk, type StandKiosk } from './stand-kiosk.ts';

const AMELIE = '04A1B2C3D4E5F6';
const AMELIE_ID = 'AD2026V000001';
const TAKESHI_ID = 'AD2026V000002';
const TAKESHI = '04B23C7A915E80';
const PIETER = '04E55A0913CC72';
const OLGA = '04A7D20000C0DE';
const UNKNOWN = '04990000DEAD01';

const startPlatform = async () => {
  const folder = join(ownFolder(), 'platform');
  const platform = await createPlatformHere(folder);
  await platform.start();
  const letters = () =>
    readdirSync(join(folder, 'outbox'), { recursive: true }).filter((file) => String(file).endsWith('.eml'))
      .length;
  return { platform, sent: () => (readdirSync(folder).includes('outbox') ? letters() : 0) };
};

const demoKiosk = async (platform: PlatformProcess, folder = ownFolder(), more: object = {}) => {
  const { baseUrl, key, expoId } = platform;
  const kiosk = openStandKiosk({
    folder,
    clock: realClock,
    demo: true,
    stand: { ...demoSettings(), ...more },
    platform: { baseUrl, key, password: '', expoId },
  });
  await until('the first sync is complete', () => kiosk.kiosk.state().mirror.complete, 100_000);
  return kiosk;
};

const allConfirmed = ({ lines }: StandKiosk) =>
  lines().every(({ delivery }) => delivery?.state === 'confirmed');

/** Amélie's connection with the demo stand on the platform. */
const connection = async (platform: PlatformProcess) => {
  const { body } = await platform.call('GET', `/connections/AD2026?visitorId=${AMELIE_ID}&type=partner`);
  return (body as Record<string, unknown>[]).find((entry) => entry.deleted !== true);
};

/** Removes Amélie; the answer has no body. */
const removeAmelie = async ({ baseUrl, key }: PlatformProcess): Promise<void> => {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  const answer = await fetch(`${baseUrl}/visitors/AD2026/${AMELIE_ID}`, {
    method: 'DELETE',
    headers: { authorization },
  });
  expect(answer.ok).toBe(true);
};

describe('a badge that is known by its UID and names another visitor', () => {
  it('creates no contact at the platform', async () => {
    const { platform } = await startPlatform();
    const { begin, complete, told, lines, ...kiosk } = await demoKiosk(platform);
    const outcome = (kind: string) => told.some((event) => event.kind === kind);
    begin(AMELIE);
    await until('the tap is captured', () => outcome('captured'));
    // Another tap in the meantime. Neither a tap that may still change nor a later tap is delivered.
    await kiosk.screen.taps.enter({ text: OLGA, source: 'manual' });
    const pending = uriRecord(4, `badge.example/b/${TAKESHI_ID}`);
    complete({ ndef: { state: 'read', bytes: ndefMessage(pending) } });
    await until('the tap is a clash', () => outcome('refused'));
    const isDelivered = () => lines().every(({ delivery }) => delivery?.state === 'confirmed');
    await until('every fact is delivered', isDelivered, 100_000);
    expect(lines().map(({ kind }) => kind)).toEqual(['tap', 'tap', 'undo', 'tap']);
    expect(await connection(platform)).toBeUndefined();
    const { body } = await platform.call('GET', `/connections/AD2026?visitorId=${TAKESHI_ID}&type=partner`);
    expect((body as Record<string, unknown>[]).filter(({ deleted }) => deleted !== true)).toEqual([]);
  }, 300_000);
});

describe('the offer', () => {
  it('has texts, pictures and links of its partner’s contents, even after a restart without a network', async () => {
    const { platform } = await startPlatform();
    const folder = ownFolder();
    const first = await demoKiosk(platform, folder);
    const offered = async ({ screen }: StandKiosk) => (await screen.offer.list({})).items;
    await until(
      'the pictures arrived',
      async () => (await offered(first)).some(({ picture }) => picture !== null),
      100_000,
    );
    await until('all contents arrived', async () =>
      (await offered(first)).slice(1).every(({ picture }) => picture !== null),
    );
    const [profile, arm] = await offered(first);
    expect(profile).toMatchObject({ kind: 'profile', name: 'Northwind Robotics', picture: null });
    expect(arm).toMatchObject({
      kind: 'product',
      name: 'Arm R7, 14 kg payload',
      summary: 'Data sheet and prices',
      link: `https://discover.example.org/c/${arm?.id}`,
    });
    expect(arm?.description).toContain('Seven axes');
    await first.stop();
    await platform.stop();

    const second = await demoKiosk(platform, folder);
    const again = (await offered(second)).find(({ id }) => id === arm?.id);
    expect(again).toEqual(arm);
    const small = await second.screen.offer.picture({ id: again?.picture ?? '', size: 'small' });
    expect(small).toMatchObject({ width: 640, height: 640 });
    expect(small?.address).toMatch(/^data:image\/webp;base64,/);
  }, 300_000);

  it('is compared with the platform by the doctor, field by field', async () => {
    const { platform } = await startPlatform();
    const folder = ownFolder();
    const kiosk = await demoKiosk(platform, folder);
    const detailed = async () => (await kiosk.screen.offer.list({ search: 'seven axes' })).total === 1;
    await until('the details arrived', detailed, 100_000);
    await until('a round has ended', () => kiosk.kiosk.state().mirror.lastPassAt !== null, 100_000);
    await kiosk.stop();
    const mirror = readMirror(join(folder, 'mirror.db'));
    const details = mirror?.details() ?? [];
    mirror?.close();
    expect(details.map(({ resource }) => resource)).toContain('partners');
    const { baseUrl, key, expoId } = platform;
    const client = createClient({ baseUrl, key, password: '', expoId }, realClock);
    onTestFinished(client.close);
    expect(await examineDetails(client, expoId, details)).toEqual([]);
    const { body } = await platform.call('GET', '/contents/AD2026/AD2026P001N1');
    await platform.call('PUT', '/contents/AD2026/AD2026P001N1', {
      ...(body as object),
      description: 'Other words.',
    });
    expect(await examineDetails(client, expoId, details)).toEqual([
      {
        resource: 'contents in detail',
        id: 'AD2026P001N1',
        kind: 'different',
        fields: ['description', 'revision'],
      },
    ]);
  }, 300_000);

  it('shows the new text of a content that changes', async () => {
    const { platform } = await startPlatform();
    const { screen } = await demoKiosk(platform);
    const find = async () => (await screen.offer.list({ search: 'seven axes' })).items[0];
    await until('the details arrived', async () => (await find()) !== undefined, 100_000);
    const id = (await find())?.id ?? '';
    const { body } = await platform.call('GET', `/contents/AD2026/${id}`);
    const told = body as Record<string, unknown>;
    const changed = { ...told, description: 'Now with eight axes.', image: 'data:image/png;base64,AAAA' };
    expect((await platform.call('PUT', `/contents/AD2026/${id}`, changed)).status).toBe(200);
    const offered = async () => (await screen.offer.list({ search: 'eight axes' })).items;
    await until('the new text arrived', async () => (await offered()).length === 1, 100_000);
    await until('the content has no picture', async () => (await offered())[0]?.picture === null);
  }, 300_000);
});

describe('a visitor’s additions', () => {
  it('reach the connection on the platform, and are removed when the tap is undone', async () => {
    const { platform } = await startPlatform();
    // All facts are confirmed before the undo, which takes a slow machine longer than the usual seconds.
    const kiosk = await demoKiosk(platform, ownFolder(), { undoSeconds: 60 });
    const { screen, tap } = kiosk;
    const { factId } = capturedOf(await tap(AMELIE));
    await screen.session.consent({ factId, language: 'fr', agreed: { news: false, call: true } });
    await screen.session.answer({ factId, language: 'fr', question: 'interest', answer: ['arm', 'vision'] });
    await screen.session.answer({ factId, language: 'fr', question: 'stand', answer: 5 });
    const [, arm] = (await screen.offer.list({})).items;
    await screen.session.collect({ factId, content: arm?.id ?? '', take: true });
    await until('every fact is confirmed', () => allConfirmed(kiosk), 100_000);
    expect(await connection(platform)).toMatchObject({
      consent: { notice: '2026-11', language: 'fr', agreed: { news: false, call: true } },
      answers: { interest: ['arm', 'vision'], stand: 5 },
      contents: [arm?.id],
    });
    expect(await screen.taps.undo({ factId })).toEqual({ done: true });
    await until('the undo is confirmed', () => allConfirmed(kiosk), 100_000);
    expect(await connection(platform)).toBeUndefined();
    expect(kiosk.log.said.filter(({ level }) => level === 'error')).toEqual([]);
  }, 300_000);

  it('are removed with the visitor, including a queued e-mail', async () => {
    const { platform, sent } = await startPlatform();
    const folder = ownFolder();
    const kiosk = await demoKiosk(platform, folder);
    await platform.stop();
    const { factId } = capturedOf(await kiosk.tap(AMELIE));
    await kiosk.screen.session.consent({ factId, language: 'en', agreed: { news: true } });
    await kiosk.screen.session.answer({ factId, language: 'en', question: 'stand', answer: 1 });
    expect(await kiosk.screen.session.email({ factId })).toEqual({ state: 'queued' });
    await kiosk.stop();
    await platform.start();
    await removeAmelie(platform);
    const second = await demoKiosk(platform, folder);
    const erased = () => second.lines().every(({ payload }) => payload === null);
    await until('no data of the visitor is left', erased, 100_000);
    await until('a round has ended', () => second.kiosk.state().mirror.lastPassAt !== null, 100_000);
    expect(sent()).toBe(0);
    expect(readFileSync(join(folder, 'journal.db')).includes(AMELIE_ID)).toBe(false);
  }, 300_000);
});

describe('a touchpoint that the event does not have', () => {
  it('is reported once, and its taps wait', async () => {
    const { platform } = await startPlatform();
    const { kiosk, log, tap, lines } = await demoKiosk(platform, ownFolder(), { touchpoint: 'AD2026T99' });
    capturedOf(await tap(AMELIE));
    const told = () => log.said.filter(({ level }) => level === 'error').map(({ what }) => what);
    await until('a round has ended', () => kiosk.state().mirror.lastPassAt !== null, 100_000);
    expect(told()).toEqual([expect.stringContaining('the event does not have the touchpoint "AD2026T99"')]);
    expect(lines()).toMatchObject([{ touchpoint: null, delivery: { state: 'due' } }]);
  }, 300_000);
});

describe('the confirmation e-mail', () => {
  it('is sent at once with a network, and never for an unknown badge', async () => {
    const { platform, sent } = await startPlatform();
    const { tap, screen } = await demoKiosk(platform);
    const known = capturedOf(await tap(AMELIE));
    expect(await screen.session.email({ factId: known.factId })).toEqual({ state: 'sent' });
    expect(sent()).toBe(1);
    const unknown = capturedOf(await tap(UNKNOWN));
    expect(await screen.session.email({ factId: unknown.factId })).toEqual({ state: 'impossible' });
    const noAddress = capturedOf(await tap(PIETER));
    expect(await screen.session.email({ factId: noAddress.factId })).toEqual({ state: 'impossible' });
    expect(sent()).toBe(1);
  }, 300_000);

  it('survives a restart if it was requested without a network, and is sent once', async () => {
    const { platform, sent } = await startPlatform();
    const folder = ownFolder();
    const first = await demoKiosk(platform, folder);
    await platform.stop();
    const { factId } = capturedOf(await first.tap(AMELIE));
    expect(await first.screen.session.email({ factId })).toEqual({ state: 'queued' });
    await until('the kiosk is offline', () => first.kiosk.state().network === 'offline', 100_000);
    expect(await first.screen.session.email({ factId })).toEqual({ state: 'queued' });
    const noAddress = capturedOf(await first.tap(PIETER));
    expect(await first.screen.session.email({ factId: noAddress.factId })).toEqual({ state: 'impossible' });
    await first.stop();
    const second = await demoKiosk(platform, folder);
    await platform.start();
    await until('the e-mail is sent', () => sent() === 1, 100_000);
    // Waits for the round that sent the e-mail, and for a complete one after it, which retries waiting e-mails.
    for (let round = 0; round < 2; round += 1) {
      const before = second.kiosk.state().mirror.lastPassAt;
      await (await second.staff()).mirror.reconcile();
      await until('a round has ended', () => second.kiosk.state().mirror.lastPassAt !== before, 100_000);
    }
    expect(sent()).toBe(1);
    const said = [...first.log.said, ...second.log.said].map((line) => JSON.stringify(line)).join('\n');
    expect(said).not.toContain(AMELIE_ID);
    expect(said).not.toContain('example.org');
  }, 300_000);
});

describe('a check-in at the demo', () => {
  it('shows its result, reaches the platform, and is visible at the other entrance', async () => {
    const { platform } = await startPlatform();
    const left = await demoKiosk(platform);
    const right = await demoKiosk(platform);
    for (const kiosk of [left, right]) {
      expect(await kiosk.screen.demo.become({ purpose: 'checkin' })).toEqual({ done: true });
      const limit = async () => (await kiosk.stand()).activity?.capacity === 4;
      await until('the details of the activity arrived', limit, 100_000);
    }
    expect(await left.tap(AMELIE)).toMatchObject({ checkin: { result: 'welcome', count: 1 } });
    expect(await left.tap(OLGA)).toMatchObject({ kind: 'notAdmitted', reason: 'notRegistered' });
    expect(await left.tap(UNKNOWN)).toMatchObject({ kind: 'notAdmitted', reason: 'notRegistered' });
    expect(await left.tap(PIETER)).toMatchObject({ kind: 'notAdmitted', reason: 'restricted' });
    await until('every fact is confirmed', () => allConfirmed(left), 100_000);
    const { partner, payload } = left.lines().at(-1) ?? {};
    expect(payload).toMatchObject({ fields: { turnedAway: 'restricted' } });
    const ofPieter = `/connections/AD2026?partnerId=${partner}&visitorId=${payload?.visitor}`;
    expect(await platform.call('GET', ofPieter)).toMatchObject({ body: [] });
    const { body } = await platform.call('GET', `/participants/AD2026/${AMELIE_ID}`);
    expect(body).toMatchObject({ activities: [{ activityID: 'AD2026A01' }] });
    await until(
      'the other entrance counts the visitor',
      async () => (await right.stand()).activity?.count === 1,
      100_000,
    );
    expect(await right.tap(AMELIE)).toMatchObject({ checkin: { result: 'again', count: 1 } });
    expect(await right.tap(TAKESHI)).toMatchObject({ checkin: { result: 'welcome', count: 2 } });
    for (const { log } of [left, right])
      expect(log.said.filter(({ level }) => level === 'error')).toEqual([]);
  }, 300_000);
});
