/**
 * Checks whether a key may be sent to an address. Pure.
 *
 * Invariants:
 * - Plain http is allowed only to this machine or, if allowed explicitly, to a numeric address of a private network.
 * - A host name never counts as private, because its DNS decides where it leads.
 * - The text of a refusal never contains the address.
 */
import { isIPv4, isIPv6 } from 'node:net';

type CheckedAddress =
  | { readonly kind: 'fits'; readonly url: URL }
  | { readonly kind: 'refused'; readonly sentence: string };

function refused(sentence: string): CheckedAddress {
  return { kind: 'refused', sentence };
}

/**
 * Checks the base address of a platform (docs/interface/overview.md#base-address).
 *
 * @param privateHttp whether plain http to a numeric address of a private network is allowed (a hub on the premises)
 */
export function checkAddress(baseUrl: string, privateHttp: boolean): CheckedAddress {
  const url = URL.parse(baseUrl);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return refused('The address of the platform must begin with https://.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return refused('The address of the platform must carry no user name, no password, no "?" and no "#".');
  }
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return { kind: 'fits', url };
  if (isPrivate(url.hostname)) {
    return privateHttp
      ? { kind: 'fits', url }
      : refused(
          'The address of the platform must begin with https://. Plain http inside a private network has to be ' +
            'allowed explicitly: everybody on that network could read the key.',
        );
  }
  return refused(
    'The address of the platform must begin with https://, so that the key does not travel in the open.',
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}

/** RFC 1918, RFC 3927 (link-local), RFC 4193 (unique local) and fe80::/10, as numbers only. */
function isPrivate(host: string): boolean {
  if (isIPv4(host)) {
    const [first = 0, second = 0] = host.split('.').map(Number);
    return (
      first === 10 ||
      (first === 172 && second >= 16 && second <= 31) ||
      (first === 192 && second === 168) ||
      (first === 169 && second === 254)
    );
  }
  const address = host.replace(/^\[|\]$/g, '');
  return isIPv6(address) && /^(f[cd]|fe[89ab])/i.test(address);
}
