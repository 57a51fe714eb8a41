/** The kinds of destinations by name, and the addresses that they accept. */
import type { DestinationKindName } from '../../../contract/destinations.ts';
import { isWebAddress } from '../../foundations/api/web-request.ts';
import type { DestinationKind } from './adapter.ts';
import { HUBSPOT } from './hubspot.ts';
import { SALESFORCE } from './salesforce.ts';
import { WEBHOOK } from './webhook.ts';

export const KINDS: Readonly<Record<DestinationKindName, DestinationKind>> = {
  hubspot: HUBSPOT,
  salesforce: SALESFORCE,
  webhook: WEBHOOK,
};

/** The origin of a CRM, or the complete address of a webhook. Null if it cannot be used. */
export function addressOf(kind: DestinationKindName, typed: string): string | null {
  const text = typed.trim() === '' ? KINDS[kind].address : typed.trim();
  if (text === null) return null;
  const address = text.includes('://') ? text : `https://${text}`;
  if (!isWebAddress(address)) return null;
  return kind === 'webhook' ? address : new URL(address).origin;
}
