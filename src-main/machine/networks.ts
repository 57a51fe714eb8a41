/** The networks that this machine is connected to. */
import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';

/** One network: our IPv4 address in it, and the prefix length. */
export type Network = { readonly address: string; readonly prefix: number };

/** The networks now, without loopback. */
export function ownNetworks(): readonly Network[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address, cidr }) => ({ address, prefix: Number(cidr?.split('/')[1] ?? 32) }));
}

/** Whether an IPv4 address is in one of these networks. */
export function isIn(networks: readonly Network[], address: string): boolean {
  const near = new BlockList();
  for (const { address: own, prefix } of networks) near.addSubnet(own, prefix);
  return near.check(address);
}
