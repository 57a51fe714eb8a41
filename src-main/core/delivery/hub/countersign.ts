/**
 * Asks the hub of this device to sign receipts as well (docs/decisions/signed-receipts.md).
 *
 * Invariants:
 * - The hub receives a hash and no data of a lead.
 * - An export waits at most a few seconds for the hub. Without an answer only the device signs.
 */
import { type Countersignature, countersignatureSchema } from '../../../contract/exports.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import type { Hub } from '../outbox/hub.ts';

const ANSWER_WITHIN_MS = 5_000;

/** Requests the countersignature of a hash. Null if the hub does not sign, or does not answer within `withinMs`. */
export async function askToCountersign(
  client: Pick<ApiClient, 'post'>,
  sha256: string,
  withinMs = ANSWER_WITHIN_MS,
): Promise<Countersignature | null> {
  const signal = AbortSignal.timeout(withinMs);
  try {
    const answer = await client.post('/hub/countersign', JSON.stringify({ sha256 }), signal);
    return countersignatureSchema.safeParse(parseOrUndefined(answer)).data ?? null;
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) return null;
    throw error;
  }
}

/** Name and key fingerprint of the hub that signs, or null. */
export function signerOf(hub: Pick<Hub, 'state' | 'signer'>): {
  readonly name: string;
  readonly fingerprint: string;
} | null {
  const [state, fingerprint] = [hub.state(), hub.signer()];
  return state === null || fingerprint === null ? null : { name: state.name, fingerprint };
}
