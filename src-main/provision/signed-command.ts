/**
 * A command of the hub to one device, signed by the key that signs the files of its devices.
 *
 * Invariants: pure; what was altered, is over, for another device or of another hub than the one the device belongs to is no
 * command. That each is followed once, by its number, is for the device to see to.
 */
import { z } from 'zod';
import { signerOf, signText } from './signed-text.ts';

const envelope = { format: z.literal('touchpoint-command'), version: z.literal(1) };

/** Longest message to a stand team. */
export const LONGEST_MESSAGE = 300;

/** What a device can be asked for, as it is written. */
export const commandSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('reload') }),
  z.strictObject({ kind: z.literal('outOfOrder'), on: z.boolean() }),
  z.strictObject({ kind: z.literal('message'), text: z.string().min(1).max(LONGEST_MESSAGE) }),
]);

const contentSchema = z.strictObject({
  device: z.string().min(1).max(64),
  /** Higher than that of every command before to this device. */
  number: z.number().int().positive(),
  /** Epoch milliseconds by the time that the hub tells, both. */
  issuedAt: z.number().int(),
  expiresAt: z.number().int(),
  command: commandSchema,
});

const signedSchema = z.strictObject({ text: z.string(), publicKey: z.string(), signature: z.string() });

/** What a device can be asked for. */
export type Command = z.infer<typeof commandSchema>;
/** One command to one device. */
export type DeviceCommand = z.infer<typeof contentSchema>;

/** The text of a command, signed. @throws where `content` is none or the key cannot sign */
export function writeCommand(content: DeviceCommand, privateKey: string): string {
  const body = { format: 'touchpoint-command', version: 1, ...contentSchema.parse(content) };
  return JSON.stringify(signText(JSON.stringify(body), privateKey));
}

/**
 * The command in a text, or null.
 *
 * @param now epoch milliseconds, by the clock of the hub as far as it is known
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
