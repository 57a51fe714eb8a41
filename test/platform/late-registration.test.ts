/**
 * Late registrations in the demo: an unknown badge gets its visitor automatically, while the user is still watching.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerLateComers } from '../../src-platform/seed/late-registration.ts';
import { type RunningPlatform, startPlatform } from './running-platform.ts';

const stranger = '04990000DEAD01';
const minute = 60_000;

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const register = async (visitor: object) =>
  (await platform.request('POST', '/visitors/AD2026', { body: visitor })).status < 300;

it('the demo registers a tapped badge once, within a minute of its tap, and never one that was not tapped', async () => {
  const at = new Date();
  expect(await registerLateComers(platform.store, register, new Date(at.getTime() + minute))).toBe(0);
  const tap = {
    id: randomUUID(),
    kind: 'tap',
    at: at.toISOString(),
    seq: 1,
    touchpointID: 'AD2026T01',
    badge: stranger,
  };
  const sent = await platform.request('POST', '/actions/AD2026', { body: [tap] });
  expect(sent.status, sent.text).toBe(200);
  expect(await registerLateComers(platform.store, register, at)).toBe(0);
  const soon = new Date(at.getTime() + minute / 2);
  expect(await registerLateComers(platform.store, register, soon)).toBe(1);
  expect(await registerLateComers(platform.store, register, soon)).toBe(0);
  const list = await platform.request('GET', '/actions/AD2026?fromRevision=0&limit=100');
  const [action] = list.json.filter(({ clientID }: { clientID: string }) => clientID === tap.id);
  expect(action.visitorID).toMatch(/./);
});
