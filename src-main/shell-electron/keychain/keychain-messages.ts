/**
 * The core's questions to the keychain, and the answers. Only Electron's main process has access to the keychain.
 *
 * Invariants:
 * - both sides validate what they receive;
 * - each question has its own number and gets one answer.
 */
import { z } from 'zod';

const id = z.int().positive();
/** Length limit, far above that of any key. */
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
