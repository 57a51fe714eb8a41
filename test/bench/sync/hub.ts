/**
 * The hub for benches, in its own process. The technician's command adds its devices, which are then enrolled.
 *
 * Invariant: plain http unless the bench is about devices over https.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { type Access, type Child, startChild } from './processes.ts';

const ENTRY = join(import.meta.dirname, '../../../src-hub/main.ts');

/** A device in a hub's file. `key` is the enrolment key in the file. */
export type FileDevice = { readonly id: string; readonly key: string };

/** The header that carries a key to a hub or a platform. */
export const headersOf = (key: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
});

/** Starts a hub with the folder `data` for the event of a platform. Its log is beside `data`. `flags`: of Node.js. */
export const startHub = async (
  data: string,
  { baseUrl, key, expoId }: Access,
  more: readonly string[] = [],
  scheme: 'http' | 'https' = 'http',
  flags: readonly string[] = [],
): Promise<{ readonly hub: Child; readonly baseUrl: string }> => {
  const upstream = ['--upstream', baseUrl, '--key', key, '--expo', expoId];
  const where = ['--data', data, '--port', '0', '--host', '127.0.0.1', `--${scheme}`];
  const hub = startChild([...flags, ENTRY, ...upstream, ...where, '--log', `${data}.log`, ...more]);
  const address = /^Hub: (\S+)/.exec((await hub.line()) ?? '')?.[1];
  if (address === undefined) throw new Error('The hub did not come up');
  return { hub, baseUrl: address };
};

/**
 * Adds devices to the hub with the folder `data`, and writes their file to `out`. Null if the command fails, for
 * example while the hub has no touchpoints.
 */
export const addDevices = async <Device extends FileDevice>(
  data: string,
  baseUrl: string,
  count: number,
  out: string,
  more: readonly string[] = [],
): Promise<readonly Device[] | null> => {
  const where = ['--data', data, '--address', baseUrl, '--out', out, ...more];
  const adding = startChild([ENTRY, 'devices', 'add', '--count', String(count), ...where]);
  const added = await adding.line();
  await adding.stop();
  if (added === null) return null;
  return (JSON.parse(readFileSync(out, 'utf8')) as { readonly devices: readonly Device[] }).devices;
};

/** Enrols a device as the device itself would; returns the key that it created. */
export const enrol = async (baseUrl: string, device: FileDevice): Promise<string> => {
  const key = randomBytes(32).toString('base64url');
  // The bench checks no certificate; its devices check the pin.
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const { ok } = await fetch(`${baseUrl}/hub/enrol`, {
    dispatcher,
    method: 'POST',
    headers: { ...headersOf(device.key), 'content-type': 'application/json' },
    body: JSON.stringify({ device: device.id, key }),
  });
  await dispatcher.close();
  if (!ok) throw new Error('The hub did not enrol the device');
  return key;
};
