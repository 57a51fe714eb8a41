/**
 * A signed command of the hub to one device. The hub's key also signs the files of devices. Pure.
 *
 * Invariant: a command that is altered, expired, for another device or from another hub is ignored. The
 * device uses the number to execute each command once.
 */
import { z } from 'zod';
import { signerOf, signText } from './signed-text.ts';

const envelope = { format: z.literal('touchpoint-command'), version: z.literal(1) };

/** Maximum length of a message to a stand team. */
export const LONGEST_MESSAGE = 300;

/** Commands to a device. */
export const commandSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('reload') }),
  z.strictObject({ kind: z.literal('outOfOrder'), on: z.boolean() }),
  z.strictObject({ kind: z.literal('message'), text: z.string().min(1).max(LONGEST_MESSAGE) }),
]);

const contentSchema = z.strictObject({
  device: z.string().min(1).max(64),
  /** Higher than the number of every earlier command to this device. */
  number: z.number().int().positive(),
  /** Both in epoch milliseconds of the hub's clock. */
  issuedAt: z.number().int(),
  expiresAt: z.number().int(),
  command: commandSchema,
});

const signedSchema = z.strictObject({ text: z.string(), publicKey: z.string(), signature: z.string() });

/** A command to a device. */
export type Command = z.infer<typeof commandSchema>;
/** A command with its device, number and validity. */
export type DeviceCommand = z.infer<typeof contentSchema>;

/** The signed text of a command. @throws when `content` is invalid or the key cannot sign */
export function writeCommand(content: DeviceCommand, privateKey: string): string {
  const body = { format: 'touchpoint-command', version: 1, ...contentSchema.parse(content) };
  return JSON.stringify(signText(JSON.stringify(body), privateKey));
}

/**
 * The command in a text, or null.
 *
 * @param now epoch milliseconds of the hub's clock, as far as it is known
 * @param known fingerprint of the hub this device belongs to, and the device's id there
 */
export function readCommand(
  text: string,
  now: number,
  known: { readonly fingerprint: string; readonly device: string },
): DeviceCommand | null {
  const said = signedSchema.safeParse(parse(text));
  if (!said.success || signerOf(said.data) !== known.fingerprint) return null;
  const read = contentSchema.extend(envelope).safeParse(parse(said.data.text));
  if (!read.success || read.data.device !== known.device || now >= read.data.expiresAt) return null;
  const { format: _format, version: _version, ...command } = read.data;
  return command;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
