/**
 * What a page may send to the contract, whichever way it comes.
 *
 * Invariant: oRPC's reader takes anything for a message and fails on what is none, so nothing else gets that far.
 */
import { z } from 'zod';

/** In bytes. More than the longest note (200,000 characters) takes, however it is spelt. */
export const MESSAGE_LIMIT = 2 * 1024 * 1024;

/** The outer shape of oRPC's messages (3: an item of a stream, 4: an abort); what is in them the contract validates. */
const id = z.string().max(64);
const messageSchema = z.union([
  z.object({ i: id, t: z.literal(1).optional(), p: z.object({ u: z.string().startsWith('/').max(2048) }) }),
  z.object({ i: id, t: z.literal(3), p: z.object({}) }),
  z.object({ i: id, t: z.literal(4) }),
]);

/** Whether it is a message of the contract: JSON text, not too long. */
export function isPageMessage(data: unknown): data is string {
  if (typeof data !== 'string' || Buffer.byteLength(data) > MESSAGE_LIMIT) return false;
  try {
    return messageSchema.safeParse(JSON.parse(data)).success;
  } catch {
    return false;
  }
}
