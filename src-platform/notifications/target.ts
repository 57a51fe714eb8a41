/**
 * Decides to which addresses a notification may be sent. A webhook's address comes from outside; without this check
 * anyone with a key could make the platform call its own machine, its neighbours or a cloud's metadata service.
 *
 * Invariants
 * - Only public unicast addresses are allowed. For IPv6 that is `2000::/3` without its special parts, so every way
 *   of writing an IPv4 address in IPv6 (mapped, compatible, NAT64, 6to4, Teredo) is refused.
 * - The connection uses exactly the checked address: the check is part of the name lookup, so a name that resolves
 *   differently the second time has no effect.
 */
import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IPv4 ranges that are not public (IANA special-purpose registry), and multicast. */
const special4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Parts of `2000::/3` that are not public or contain an IPv4 address: Teredo and similar ranges, documentation, 6to4. */
const special6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

function listOf(ranges: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, family);
  return list;
}

const refused4 = listOf(special4, 'ipv4');
const refused6 = listOf(special6, 'ipv6');
const unicast6 = listOf([['2000::', 3]], 'ipv6');

/** Whether an IP address in text form is a public one. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !refused4.check(address, 'ipv4');
  if (version === 6) return unicast6.check(address, 'ipv6') && !refused6.check(address, 'ipv6');
  return false;
}

/** The host of an address without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Whether an address may be called, as far as this is known without a DNS lookup. URL parsing has already
 * turned `127.1`, `0x7f000001` and `2130706433` into `127.0.0.1`.
 */
export function mayBeCalled(target: string): boolean {
  const url = URL.parse(target);
  if (url === null) return false;
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPublicAddress(host);
  return !/(^|\.)localhost\.?$/i.test(host);
}

/** Thrown when the target may not be called. */
export class RefusedTarget extends Error {
  constructor() {
    super('The target is not a public address');
  }
}

/** Looks up a name, as `dns.lookup` with all its addresses. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The name lookup of the system. */
export function systemResolve(hostname: string, done: Parameters<Resolve>[1]): void {
  lookup(hostname, { all: true }, done);
}

/**
 * A lookup for a connection that resolves only to public addresses. If one address is not public, the whole name is
 * refused.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      if (error) return done(error, '', 0);
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => !isPublicAddress(address))) {
        return done(new RefusedTarget(), '', 0);
      }
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}
