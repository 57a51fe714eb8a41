/**
 * Stored PINs: salted and stretched with scrypt (RFC 7914), so that the file alone does not reveal a PIN quickly.
 *
 * Invariants:
 * - Computed off the main thread, so that no tap waits.
 * - The comparison takes constant time.
 */
import { scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

export const keptPinSchema = z.object({
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** N of scrypt; r is 8, p is 1. */
  cost: z
    .number()
    .int()
    .min(2)
    .max(2 ** 20),
});

export type KeptPin = z.infer<typeof keptPinSchema>;

/** N of scrypt for new PINs: 32 MB and some 60 ms on a laptop. */
const PIN_COST = 2 ** 15;

/** The stored form of `pin`. `salt` is 16 random bytes. */
export async function keepPin(pin: string, salt: Uint8Array): Promise<KeptPin> {
  const hash = await stretch(pin, salt, PIN_COST);
  return { salt: Buffer.from(salt).toString('hex'), hash: hash.toString('hex'), cost: PIN_COST };
}

/** Whether `pin` matches the stored one. */
export async function isKeptPin(pin: string, kept: KeptPin): Promise<boolean> {
  const found = await stretch(pin, Buffer.from(kept.salt, 'hex'), kept.cost);
  return timingSafeEqual(found, Buffer.from(kept.hash, 'hex'));
}

function stretch(pin: string, salt: Uint8Array, cost: number): Promise<Buffer> {
  const options = { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 + 2 ** 20 };
  return new Promise((resolve, reject) => {
    scrypt(pin, salt, 32, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
