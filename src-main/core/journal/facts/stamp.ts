/**
 * The stamp of a fact: a UUIDv7 (RFC 9562, section 5.7), wall and monotonic time, and the run of the app.
 *
 * Invariant: ids of one stamper are unique. They sort by time as long as the wall clock does not go back.
 */
import type { Clock, Random } from '../../foundations/ports.ts';

/** Time and identity of a fact. */
type Stamp = {
  readonly id: string;
  readonly at: number;
  readonly mono: number;
  readonly boot: string;
};

/** UUIDv7 of `at` (Unix milliseconds) with 74 random bits from `bytes` (10 bytes are used). */
export function uuidV7(at: number, bytes: Uint8Array): string {
  const octets = new Uint8Array(16);
  let time = at;
  for (let index = 5; index >= 0; index -= 1) {
    octets[index] = time % 256;
    time = Math.floor(time / 256);
  }
  octets.set(bytes.subarray(0, 10), 6);
  octets[6] = ((octets[6] ?? 0) & 0x0f) | 0x70;
  octets[8] = ((octets[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(octets).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Makes stamps. `boot` is the id of the run. */
export type Stamper = { readonly boot: string; readonly stamp: () => Stamp };

/** Random bytes per id, and ids per draw: each call for system randomness is slow. */
const ID_BYTES = 10;
const DRAWN_IDS = 64;

/** The stamper of one run of the app. */
export function createStamper(clock: Clock, random: Random): Stamper {
  const boot = Buffer.from(random.bytes(8)).toString('hex');
  let drawn: Uint8Array = new Uint8Array();
  const draw = (): Uint8Array => {
    if (drawn.length < ID_BYTES) drawn = random.bytes(ID_BYTES * DRAWN_IDS);
    const bytes = drawn.subarray(0, ID_BYTES);
    drawn = drawn.subarray(ID_BYTES);
    return bytes;
  };
  return {
    boot,
    stamp: () => {
      const at = Math.max(0, Math.trunc(clock.now()));
      return { id: uuidV7(at, draw()), at, mono: Math.trunc(clock.monotonic()), boot };
    },
  };
}
