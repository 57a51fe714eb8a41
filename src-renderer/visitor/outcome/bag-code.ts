/**
 * The content of a bag's QR code. Pure.
 *
 * Invariant: the code never leads to a page that may not exist. It holds the address of the platform's page, the
 * published link of a content, or a text.
 */
import type { OfferItem } from '../../../src-main/contract/stand.ts';

/** Maximum number of bytes of a list, because a phone must be able to read its code from a small screen. */
const LONGEST_LIST = 1_000;

/**
 * The content of the code, or null. It is the platform's page with exactly these contents if that page can be
 * reached. Otherwise it is the published link of a single content, or a list that a phone displays without a network
 * (docs/interface/undocumented.md#several-contents-behind-one-code).
 */
export function codeOfBag(taken: readonly OfferItem[], page: string | null): string | null {
  if (taken.length === 0) return null;
  if (page !== null) return page;
  const [first, ...others] = taken;
  if (others.length === 0) return first?.link ?? null;
  const lists = [
    taken.map(({ name, link }) => (link === null ? name : `${name}\n${link}`)).join('\n\n'),
    taken.map(({ name }) => name).join('\n'),
  ];
  return lists.find((list) => new TextEncoder().encode(list).length <= LONGEST_LIST) ?? null;
}
