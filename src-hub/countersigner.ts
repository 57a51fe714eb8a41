/**
 * Countersigns receipts and proofs of devices (docs/decisions/signed-receipts.md).
 *
 * Invariant: it signs a hash, the id of the device that submitted it, and the hub's time. It sees no data of leads.
 */
import type { Countersignature } from '../src-main/contract/exports.ts';
import { fingerprintOfKey, withSignature } from '../src-main/core/team/exports/signature.ts';
import type { HubFacts } from '../src-platform/hub/hub-operations.ts';
import { receiptKeyOf } from './certificate/hub-keys.ts';

/** The countersigner of the hub `name`, which signs with `signingKey`. `now`: epoch milliseconds. */
export function createCountersigner(name: string, signingKey: string, now: () => number) {
  const key = receiptKeyOf(signingKey);
  return {
    fingerprint: fingerprintOfKey(key),
    sign: (device, sha256): Countersignature =>
      withSignature(
        {
          ...{ format: 'touchpoint-countersignature-1' as const, hub: name, device, sha256 },
          at: new Date(now()).toISOString(),
        },
        key,
      ),
  } satisfies HubFacts['signer'];
}
