/**
 * Checks whether an address matches a key's list of IPv4 and IPv6 addresses and CIDR ranges.
 *
 * Invariant: an IPv4 client on an IPv6 socket (`::ffff:192.0.2.1`) is treated as the IPv4 client.
 */
import { BlockList, isIP } from 'node:net';

function family(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** Splits `address` or `address/prefix`; null if it is neither. */
export function parseRange(
  range: string,
): { readonly address: string; readonly prefix: number; readonly family: 'ipv4' | 'ipv6' } | null {
  const [address = '', prefixText, ...rest] = range.split('/');
  const kind = family(address);
  if (kind === null || rest.length > 0) return null;
  const longest = kind === 'ipv4' ? 32 : 128;
  if (prefixText === undefined) return { address, prefix: longest, family: kind };
  if (!/^\d{1,3}$/.test(prefixText) || Number(prefixText) > longest) return null;
  return { address, prefix: Number(prefixText), family: kind };
}

/** Whether `address` is inside one of the ranges. */
export function isListed(ranges: readonly string[], address: string): boolean {
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const kind = family(plain);
  if (kind === null) return false;
  const list = new BlockList();
  for (const range of ranges) {
    const parsed = parseRange(range);
    if (parsed) list.addSubnet(parsed.address, parsed.prefix, parsed.family);
  }
  return list.check(plain, kind);
}
