/**
 * What a box says with its bell, and where. Pure; both ends use it (docs/decisions/nats-rings-the-bell.md).
 *
 *     tp.<event>.live.<list>      {"run": "9f3c", "number": 7}   a list of the event changed; `all`: any of them may have
 *     tp.<event>.team.<partner>   {}                             a device of this partner handed something over
 *     tp.<event>.cmd.<device>     {}                             a command waits for this device
 *
 * Invariants: no person and no fact in it, nothing but names of lists and a counter; numbers of one run follow one another
 * without a gap over all lists, so that a listener knows what it missed.
 */
import { z } from 'zod';
import { parseOrUndefined } from '../api/json.ts';

/** `run`: of the box's process; `number`: one more than in the message before. */
export type Ring = { readonly run: string; readonly number: number };

/** In the place of a list: anything may have changed. */
export const ANY_LIST = 'all';

/** Where the bell of a box is, and what of it is for one device; as the box answers it. */
export const bellAddressSchema = z.object({
  /** `nats://host:port`; the host 0.0.0.0 is that of the box. */
  url: z.string().regex(/^nats:\/\/[\w.:[\]-]{1,260}$/),
  /** Subjects; `event` ends with `.>`, the last part of what comes there names the list. */
  event: z.string().max(200),
  device: z.string().max(200),
  team: z.string().max(200).nullish(),
});

export type BellAddress = z.infer<typeof bellAddressSchema>;

/** The address as a device reaches it that reaches the box at `host`. */
export function reachedFrom(address: BellAddress, host: string): BellAddress {
  return { ...address, url: address.url.replace('//0.0.0.0:', `//${host}:`) };
}

const ringSchema = z.object({ run: z.string().max(40), number: z.number().int().nonnegative() });

/** A ring as text. */
export function writeRing(ring: Ring): string {
  return JSON.stringify(ring);
}

/** The ring in these bytes; null where they are none. */
export function readRing(bytes: Uint8Array): Ring | null {
  return ringSchema.safeParse(parseOrUndefined(new TextDecoder().decode(bytes))).data ?? null;
}
