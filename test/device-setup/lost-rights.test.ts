/**
 * During the fair the platform removes a right of the key, or the touchpoint itself. No tap is lost, and the health
 * page reports the fault.
 */
import { expect, onTestFinished, test } from 'vitest';
import type { HealthCheck } from '../../src-main/contract/health.ts';
import type { Clock } from '../../src-main/core/foundations/ports.ts';
import { createKiosk } from '../../src-main/core/kiosk.ts';
import { plainSettings } from '../../src-main/core/stand/visit/settings.ts';
import { ownFolder, rememberingLog, until } from '../core/fixture.ts';
import { realClock, realRandom } from '../core/real-parts.ts';
import { staffScreen } from '../core/screen.ts';
import { startPlatform } from '../platform/running-platform.ts';

const EVENT = 'AD2026';
const TOUCHPOINT = 'AD2026T01';
const PARTNER = 'AD2026P001';
const AMELIE = 'AD2026V000001';
const LONG = 60_000;

/** A kiosk of the demo event with its own key. Its loops wait only a twentieth of the usual time. */
const openStand = async (about: { readonly partnerId?: string } = {}) => {
  const platform = await startPlatform({ most: 1 });
  onTestFinished(() => platform.stop());
  const keyId = await platform.makeKey('stand-key', {
    expos: [EVENT],
    canWrite: true,
    connections: true,
    ...about,
  });
  const clock: Clock = { ...realClock, sleep: (ms, signal) => realClock.sleep(ms / 20, signal) };
  const kiosk = createKiosk({
    clock,
    random: realRandom,
    log: rememberingLog(),
    folder: ownFolder(),
    version: '1',
    platform: { baseUrl: platform.base, key: 'stand-key', password: '', expoId: EVENT },
    stand: { ...plainSettings(), touchpoint: TOUCHPOINT },

    drivers: [],
    demoBadges: [],
    cardService: 'off',
    asksForTouchpoint: true,
  });
  onTestFinished(kiosk.stop);
  kiosk.start();
  const screen = await staffScreen(kiosk);
  await until('the device has mirrored the event', () => kiosk.state().mirror.complete, LONG);
  const tap = (badge: string) => screen.taps.enter({ text: badge, source: 'wedge' });
  const check = <Name extends HealthCheck['name']>(name: Name) =>
    kiosk.health().checks.find((one): one is Extract<HealthCheck, { name: Name }> => one.name === name);
  return { platform, keyId, kiosk, screen, tap, check };
};

test('health reports a key that lost the write permission, and waiting facts are delivered when it is back', async () => {
  const { platform, keyId, kiosk, tap, check } = await openStand();
  const mayWrite = (can_write: 0 | 1) =>
    platform.store.write(async ({ db }) => {
      await db.updateTable('api_key').set({ can_write }).where('id', '=', keyId).execute();
    });
  await tap('04A1B2C3D4E5F6');
  await until('the first tap is delivered', () => kiosk.state().delivery.confirmed === 1, LONG);
  await mayWrite(0);
  await tap('04B2C3D4E5F607');
  await until(
    'the health check reports the lost right',
    () => check('delivery')?.pause === 'noWritePermission',
    LONG,
  );
  expect(check('delivery')).toMatchObject({ verdict: 'noGo', waiting: 1, parked: 0 });
  await mayWrite(1);
  await until('both taps are delivered', () => kiosk.state().delivery.confirmed === 2, LONG);
  expect(check('delivery')).toMatchObject({ verdict: 'good', pause: null });
}, 180_000);

test('a device with a key of one company captures and delivers, and health reports that it may not read visitors', async () => {
  const { platform, kiosk, tap, check } = await openStand({ partnerId: PARTNER });
  await until('the first round is over', () => check('mirror')?.verdict === 'good', LONG);
  expect(check('mirror')).toMatchObject({
    complete: true,
    refused: [
      { name: 'visitors', lost: false },
      { name: 'participants', lost: false },
    ],
  });
  await tap('04A1B2C3D4E5F6');
  await until('the tap is delivered', () => kiosk.state().delivery.confirmed === 1, LONG);
  expect(kiosk.state()).toMatchObject({ partner: { id: PARTNER }, delivery: { pause: null, parked: 0 } });
  const { json } = await platform.request('GET', `/connections/${EVENT}?partnerId=${PARTNER}&type=partner`);
  expect(json).toContainEqual(expect.objectContaining({ visitorID: AMELIE }));
}, 120_000);

test('health reports a key that lost the right to read visitors, and the device keeps names and taps', async () => {
  const { platform, keyId, kiosk, tap, check } = await openStand();
  const bindTo = (partner_id: string | null) =>
    platform.store.write(async ({ db }) => {
      await db.updateTable('api_key').set({ partner_id }).where('id', '=', keyId).execute();
    });
  await bindTo(PARTNER);
  await until('the health check reports the lost right', () => check('mirror')?.refused?.length === 2, LONG);
  expect(check('mirror')).toMatchObject({
    verdict: 'attention',
    refused: [{ name: 'visitors', lost: true }, {}],
  });
  await tap('04A1B2C3D4E5F6');
  await until('the tap is delivered', () => kiosk.state().delivery.confirmed === 1, LONG);
  expect(kiosk.state().mirror.resources.find(({ name }) => name === 'visitors')?.count).toBeGreaterThan(0);
  await bindTo(null);
  await until('the mirror is good again', () => check('mirror')?.verdict === 'good', LONG);
}, 120_000);

test('health reports a deleted touchpoint, and the device keeps taps in the meantime', async () => {
  const { platform, kiosk, screen, tap, check } = await openStand();
  expect(check('touchpoint')).toMatchObject({ verdict: 'good' });
  await platform.store.write(async ({ db }) => {
    await db.deleteFrom('record').where('kind', '=', 'touchpoint').where('id', '=', TOUCHPOINT).execute();
  });
  await screen.mirror.reconcile();
  await until(
    'the health check reports the missing touchpoint',
    () => check('touchpoint')?.fault === 'missing',
    LONG,
  );
  expect(check('touchpoint')).toMatchObject({ verdict: 'noGo' });
  expect(kiosk.state().assignmentFault).toEqual({ kind: 'missing', touchpoint: TOUCHPOINT });
  await tap('04A1B2C3D4E5F6');
  await until('the tap is kept', () => kiosk.state().delivery.captured === 1, LONG);
}, 180_000);
