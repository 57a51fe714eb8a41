/** The kinds of destinations by name, and the addresses that they accept. */
import type { DestinationKindName } from '../../../contract/destinations.ts';
import { isWebAddress } from '../../foundations/api/web-request.ts';
import type { DestinationKind } from './adapter.ts';
import { HUBSPOT } from './hubspot.ts';
import { SALESFORCE } from './salesforce.ts';
import { isSigningSecret, WEBHOOK } from './webhook.ts';

export const KINDS: Readonly<Record<DestinationKindName, DestinationKind>> = {
  hubspot: HUBSPOT,
  salesforce: SALESFORCE,
  webhook: WEBHOOK,
};

/** A server on this machine, which usually has no certificate. */
const HERE = /^(localhost|127\.0\.0\.1|\[::1\])(?=[:/?#]|$)/iu;

/** The origin of a CRM, or the complete address of a webhook. Null if it cannot be used. */
export function addressOf(kind: DestinationKindName, typed: string): string | null {
  const text = typed.trim() === '' ? KINDS[kind].address : typed.trim();
  if (text === null) return null;
  const address = text.includes('://') ? text : `${HERE.test(text) ? 'http' : 'https'}://${text}`;
  if (!isWebAddress(address)) return null;
  return kind === 'webhook' ? address : new URL(address).origin;
}

/** Whether a typed text can be the token of this kind. Only the secret of a webhook has a known form. */
export function isToken(kind: DestinationKindName, text: string): boolean {
  return kind !== 'webhook' || isSigningSecret(text);
}
