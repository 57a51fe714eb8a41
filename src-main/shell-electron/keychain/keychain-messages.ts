/**
 * What the core asks of the keychain, and what it is answered. Electron has a keychain in its main process alone.
 *
 * Invariants: both sides check the shape of what they hear; a question carries a number of its own and is answered once.
 */
import { z } from 'zod';

const id = z.int().positive();
/** Far more than any key has. */
const text = z.string().min(1).max(4_000);
const sealed = z.base64().min(1).max(20_000);

export const keychainAskSchema = z.discriminatedUnion('what', [
  z.strictObject({ id, what: z.literal('status') }),
  z.strictObject({ id, what: z.literal('seal'), text }),
  z.strictObject({ id, what: z.literal('open'), sealed }),
]);

export const keychainAnswerSchema = z.discriminatedUnion('what', [
  z.strictObject({ id, what: z.literal('status'), status: z.enum(['there', 'plainText', 'unreachable']) }),
  z.strictObject({ id, what: z.literal('seal'), sealed: sealed.nullable() }),
  z.strictObject({
    id,
    what: z.literal('open'),
    opened: z.strictObject({ text, stale: z.boolean() }).nullable(),
  }),
]);

export type KeychainAsk = z.infer<typeof keychainAskSchema>;
export type KeychainAnswer = z.infer<typeof keychainAnswerSchema>;
