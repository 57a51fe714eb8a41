/**
 * Devices of a running hub: added as a technician does it, after the hub has their touchpoints, and enrolled as a
 * device does it.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../core/fixture.ts';
import { devicesIn, type FileDevice, type HubProcess } from './hub-process.ts';

/** A generous limit for a loaded machine, because the tests wait for states. */
const PATIENCE_MS = 60_000;

/** `credential`: the key that the device created itself. */
export type EnrolledDevice = FileDevice & { readonly credential: string };

/** Enrols a device from a file. Returns its credential. */
export const enrol = async (hub: Pick<HubProcess, 'request'>, device: FileDevice): Promise<string> => {
  const credential = randomBytes(32).toString('base64url');
  const asked = { device: device.id, key: credential };
  expect((await hub.request('POST', '/hub/enrol', device.key, asked)).status).toBe(200);
  return credential;
};

/**
 * Adds and enrols devices for these touchpoints, in their order, with the file `devices.json` in `folder`. `more`:
 * options of `devices add`.
 */
export const addDevices = async (
  hub: HubProcess,
  folder: string,
  touchpoints: readonly string[],
  more: readonly string[] = [],
): Promise<readonly EnrolledDevice[]> => {
  const file = join(folder, 'devices.json');
  const which = touchpoints.flatMap((touchpoint) => ['--touchpoint', touchpoint]);
  const where = ['--data', hub.folder, '--address', hub.baseUrl, '--out', file, ...more];
  await until(
    'the hub has its touchpoints',
    async () => (await hub.run('devices', 'add', ...which, ...where)).code === 0,
    PATIENCE_MS,
  );
  return Promise.all(
    devicesIn(file).map(async (device) => ({ ...device, credential: await enrol(hub, device) })),
  );
};

/** Adds and enrols one device for this touchpoint. */
export const addDevice = async (
  hub: HubProcess,
  folder: string,
  touchpoint: string,
  more: readonly string[] = [],
): Promise<EnrolledDevice> => {
  const [device] = await addDevices(hub, folder, [touchpoint], more);
  if (device === undefined) throw new Error('Expected a device in the file');
  return device;
};
