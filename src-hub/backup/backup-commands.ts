/**
 * `devices backup` and `devices restore`: the devices of a hub taken to the machine that goes on when it is gone for good.
 *
 * Invariants: what is restored was signed by the key that lies in the folder already, so a machine that devices would not
 * believe gets none of them; a store that knows an event gets no devices of another.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOfKey } from '../../src-main/provision/provision-file.ts';
import { readDevices, restoreDevices } from '../../src-platform/keys/devices.ts';
import { BadOption } from '../../src-platform/options.ts';
import { readHubSetting, writeHubSetting } from '../../src-platform/store/hub-setting.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { type DevicesBackup, readDevicesBackup, writeDevicesBackup } from './devices-backup.ts';

/** Writes the devices of an event to a file that must not exist; answers what was done. */
export async function backupDevices(
  store: Store,
  { expo, scheme }: Pick<DevicesBackup, 'expo' | 'scheme'>,
  privateKey: string,
  out: string | undefined,
): Promise<string> {
  if (out === undefined) throw new BadOption('--out is missing: where the copy of the devices goes.');
  const devices = [...(await readDevices(store.db, expo))];
  const text = writeDevicesBackup({ expo, scheme, devices }, privateKey);
  try {
    writeFileSync(out, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BadOption(
      code === 'EEXIST'
        ? `${out} is there already; it is not written over.`
        : `${out} cannot be written (${code ?? 'unknown'}).`,
    );
  }
  return `${devices.length} devices are in ${out}.`;
}

/** Takes the devices of such a file over; answers what was done. */
export async function restoreDevicesFrom(store: Store, folder: string, file: string): Promise<string> {
  const keyFile = join(folder, 'box-key.pem');
  const backup = existsSync(keyFile)
    ? readDevicesBackup(textOf(file), fingerprintOfKey(readFileSync(keyFile, 'utf8')))
    : 'otherHub';
  if (backup === 'altered') throw new BadOption(`${file} is no copy of devices, or was altered since.`);
  if (backup === 'otherHub')
    throw new BadOption(
      `Devices know their hub by its key: copy box-key.pem of the hub that ${file} is of into ${folder} first.`,
    );
  const { expo, scheme, devices } = backup;
  const known = await readHubSetting(store.db, 'expo');
  if (known !== null && known !== expo)
    throw new BadOption(`This folder is the hub of the event ${known}; ${file} is of ${expo}.`);
  await restoreDevices(store, devices);
  if (known === null) {
    await writeHubSetting(store, 'scheme', scheme);
    await writeHubSetting(store, 'expo', expo);
  }
  return `${devices.length} devices of the event ${expo} are known here now.`;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new BadOption(`${file} cannot be read.`);
  }
}
