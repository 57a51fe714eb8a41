/** A hub that accepts requests and does not answer them, at the first start of a device. */
import { randomBytes } from 'node:crypto';
import { createServer, request as send } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src-main/core/foundations/api/client.ts';
import { ownFolder, until } from '../../core/fixture.ts';
import { hurriedClock, startHubKiosk } from '../hub-kiosk.ts';
import { expo, startHub } from '../serving/serving-hub.ts';

const PATIENCE_MS = 60_000;

/** A new device at a hub that does not answer requests to paths for which `hangs` returns true. */
const startNewDevice = async (hangs: (path: string) => boolean) => {
  const hub = await startHub();
  const key = randomBytes(32).toString('base64url');
  await hub.enrol(hub.device, key);
  const way = { isHanging: true, hung: 0 };
  const between = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', hub.baseUrl);
    if (way.isHanging && hangs(pathname.replace('/create/v2', ''))) {
      way.hung += 1;
      return;
    }
    const { method, headers } = request;
    const onward = send(new URL(request.url ?? '/', hub.baseUrl), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    between.closeAllConnections();
    between.close();
  });
  const address = between.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { touchpointId: touchpoint, partnerId: partner } = hub.about;
  const kiosk = startHubKiosk(
    join(ownFolder(), 'kiosk'),
    { ...hub.device, touchpoint, partner },
    { baseUrl: `http://127.0.0.1:${port}/create/v2`, key, expoId: expo },
    {
      connect: (access, clock) =>
        createClient(access, clock, {
          limits: { connectMs: 2_000, headersMs: 300, bodyMs: 2_000, totalMs: 4_000 },
        }),
      clock: hurriedClock,
    },
  );
  return { hub, kiosk, way };
};

it('a new device captures although the hub does not answer, shows that it is offline, and delivers later', async () => {
  const { hub, kiosk, way } = await startNewDevice(() => true);
  kiosk.tap('04AA0000000001');
  await until('the tap counts', () => kiosk.state().delivery.captured === 1);
  await until('the device is offline', () => kiosk.state().network === 'offline', PATIENCE_MS);
  expect(way.hung).toBeGreaterThan(0);
  expect(kiosk.state().mirror.complete).toBe(false);
  way.isHanging = false;
  await until('the device has its mirror', () => kiosk.state().mirror.complete, PATIENCE_MS);
  await until('the hub has the tap', async () => (await hub.hub.counts()).taken === 1, PATIENCE_MS);
  expect(kiosk.state().network).toBe('online');
  expect(kiosk.errors()).toEqual([]);
}, 180_000);

it('a new device reads the event and delivers while its hub does not answer `GET /hub`', async () => {
  const { hub, kiosk, way } = await startNewDevice((path) => path === '/hub');
  kiosk.tap('04AA0000000002');
  await until('the device has its mirror', () => kiosk.state().mirror.complete, PATIENCE_MS);
  await until('the hub has the tap', async () => (await hub.hub.counts()).taken === 1, PATIENCE_MS);
  expect(way.hung).toBeGreaterThan(0);
  expect(kiosk.state().hub).toBeNull();
  way.isHanging = false;
  await until('the device knows its hub', () => kiosk.state().hub !== null, PATIENCE_MS);
  expect(kiosk.errors()).toEqual([]);
}, 180_000);
