/**
 * Checks the messages that a page sends to the contract, in both shells.
 *
 * Invariant: only messages of the contract reach oRPC, because its parser fails on any other message.
 */
import { z } from 'zod';

/** Limit in bytes: more than the longest note (200,000 characters) needs in any encoding. */
export const MESSAGE_LIMIT = 2 * 1024 * 1024;

/** The envelope of oRPC's messages (3: an item of a stream, 4: an abort). The contract validates their content. */
const id = z.string().max(64);
const messageSchema = z.union([
  z.object({ i: id, t: z.literal(1).optional(), p: z.object({ u: z.string().startsWith('/').max(2048) }) }),
  z.object({ i: id, t: z.literal(3), p: z.object({}) }),
  z.object({ i: id, t: z.literal(4) }),
]);

/** Whether `data` is a message of the contract: JSON text within the limit. */
export function isPageMessage(data: unknown): data is string {
  if (typeof data !== 'string' || Buffer.byteLength(data) > MESSAGE_LIMIT) return false;
  try {
    return messageSchema.safeParse(JSON.parse(data)).success;
  } catch {
    return false;
  }
}
