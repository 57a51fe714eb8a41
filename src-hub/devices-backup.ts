/**
 * `devices backup` and `devices restore`: the devices of a hub as one signed file, for the machine that replaces a
 * lost hub.
 *
 * Invariants
 * - A backup holds only the SHA-256 of each key, as the store does.
 * - A restore accepts only a file that the key in its folder signed. Devices would not trust a hub with another key.
 * - A store of one event accepts no devices of another.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { fingerprintOfKey } from '../src-main/provision/provision-file.ts';
import { signerOf, signText } from '../src-main/provision/signed-text.ts';
import { type KeptDevice, readDevices, restoreDevices } from '../src-platform/keys/devices.ts';
import { BadOption } from '../src-platform/options.ts';
import { readHubSetting, writeHubSetting } from '../src-platform/store/hub-setting.ts';
import type { Store } from '../src-platform/store/store.ts';

const deviceSchema = z.strictObject({
  id: z.string(),
  expo_id: z.string(),
  name: z.string(),
  touchpoint_id: z.string(),
  partner_id: z.string().nullable(),
  enrol_hash: z.string(),
  enrol_until: z.string(),
  key_hash: z.string().nullable(),
  created: z.string(),
  enrolled: z.string().nullable(),
  revoked: z.string().nullable(),
  // Present only with the value 1, because older hubs refuse a file with this field.
  all_details: z.int().default(0),
}) satisfies z.ZodType<KeptDevice>;

const contentSchema = z.strictObject({
  format: z.literal('touchpoint-devices'),
  version: z.literal(1),
  expo: z.string(),
  /** Whether the hub served https. Its devices use that address. */
  scheme: z.enum(['http', 'https']),
  devices: z.array(deviceSchema),
});
type Content = z.infer<typeof contentSchema>;

const signedSchema = z.strictObject({ text: z.string(), publicKey: z.string(), signature: z.string() });

/** Writes the devices of an event to a file that must not exist. Returns the result as a sentence. */
export async function backupDevices(
  store: Store,
  { expo, scheme }: Pick<Content, 'expo' | 'scheme'>,
  privateKey: string,
  out: string | undefined,
): Promise<string> {
  if (out === undefined) throw new BadOption('Give --out FILE, the path of the backup.');
  const devices = (await readDevices(store.db, expo)).map(({ all_details, ...device }) =>
    Number(all_details) === 1 ? { ...device, all_details: 1 } : device,
  );
  const content: z.input<typeof contentSchema> = {
    format: 'touchpoint-devices',
    version: 1,
    expo,
    scheme,
    devices,
  };
  const text = `${JSON.stringify(signText(JSON.stringify(content), privateKey))}\n`;
  try {
    writeFileSync(out, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BadOption(
      code === 'EEXIST'
        ? `${out} exists already and is not overwritten.`
        : `${out} cannot be written (${code ?? 'unknown'}).`,
    );
  }
  return `${devices.length} devices are in ${out}.`;
}

/** Restores the devices from a backup. Returns the result as a sentence. */
export async function restoreDevicesFrom(store: Store, folder: string, file: string): Promise<string> {
  const keyFile = join(folder, 'box-key.pem');
  const backup = existsSync(keyFile)
    ? readBackup(textOf(file), fingerprintOfKey(readFileSync(keyFile, 'utf8')))
    : 'otherHub';
  if (backup === 'altered') throw new BadOption(`${file} is not a backup of devices, or was altered.`);
  if (backup === 'otherHub')
    throw new BadOption(
      `Devices know their hub by its key: first copy box-key.pem of the hub that wrote ${file} into ${folder}.`,
    );
  const { expo, scheme, devices } = backup;
  const known = await readHubSetting(store.db, 'expo');
  if (known !== null && known !== expo)
    throw new BadOption(
      `This folder is the hub of the event ${known}; ${file} is a backup of the event ${expo}.`,
    );
  await restoreDevices(store, devices);
  if (known === null) {
    await writeHubSetting(store, 'scheme', scheme);
    await writeHubSetting(store, 'expo', expo);
  }
  return `${devices.length} devices of the event ${expo} are restored.`;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new BadOption(`${file} cannot be read.`);
  }
}

/** The content of a backup that the hub with this fingerprint signed. Otherwise the reason for the refusal. */
function readBackup(text: string, fingerprint: string): Content | 'altered' | 'otherHub' {
  const signed = signedSchema.safeParse(parse(text));
  const signer = signed.success ? signerOf(signed.data) : null;
  if (!signed.success || signer === null) return 'altered';
  if (signer !== fingerprint) return 'otherHub';
  const content = contentSchema.safeParse(parse(signed.data.text));
  return content.success ? content.data : 'altered';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
