/**
 * Decides which requests to the webhook receiver are notifications of the platform. Pure.
 *
 * Invariants:
 * - The secret is the only proof, because notifications are unsigned. It is compared in constant time.
 * - No address and no query is built from a request.
 * - The answer to a refused request contains only a status. Source: docs/interface/webhooks.md#delivery (a GET with
 *   `expoId` and `webhookId` from a fixed set of addresses).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';

/** A webhook that we requested from the platform, and the resource of its notifications. */
type Hook = { readonly webhookId: string; readonly resource: string };

/** The parts of a request that the check reads. */
type NotificationRequest = {
  readonly method: string;
  /** Path with query, as received. */
  readonly target: string;
  readonly socketAddress: string;
  /** The `X-Forwarded-For` header, if any. */
  readonly forwardedFor: string | null;
  readonly hasBody: boolean;
};

type Admission =
  | { readonly kind: 'admitted'; readonly resource: string }
  | { readonly kind: 'refused'; readonly status: 400 | 403 | 404 | 405 };

export type AdmissionRules = {
  /** The only path segment, at least 128 random bits. */
  readonly secret: string;
  readonly hooks: readonly Hook[];
  /** Addresses and CIDR ranges of the platform's notifications. Null accepts any. */
  readonly addresses: readonly string[] | null;
  /** Address of the proxy that ends TLS. Only its `X-Forwarded-For` is trusted. Null without a proxy. */
  readonly proxy: string | null;
};

/**
 * The check of one receiver.
 * @throws TypeError when the secret has fewer than 128 bits or an address is invalid
 */
export function createAdmission(
  expoId: string,
  rules: AdmissionRules,
): (request: NotificationRequest) => Admission {
  if (!isLongEnough(rules.secret)) {
    throw new TypeError(
      'The secret of the webhook receiver needs at least 128 bits (32 hex or 22 other characters).',
    );
  }
  const secret = digest(rules.secret);
  const allowed = rules.addresses === null ? null : listOf(rules.addresses);
  const hooks = new Map(rules.hooks.map((hook) => [hook.webhookId, hook.resource]));

  const mayCome = ({ socketAddress, forwardedFor }: NotificationRequest): boolean => {
    if (allowed === null) return true;
    const direct = plain(socketAddress);
    const behindProxy = rules.proxy !== null && direct === rules.proxy;
    // The proxy appends its peer. Anybody can write the entries before that.
    const address = behindProxy ? plain(forwardedFor?.split(',').at(-1)?.trim() ?? '') : direct;
    const family = isIP(address);
    return family !== 0 && allowed.check(address, family === 4 ? 'ipv4' : 'ipv6');
  };

  return (request) => {
    if (!mayCome(request)) return { kind: 'refused', status: 403 };
    if (request.method !== 'GET') return { kind: 'refused', status: 405 };
    if (request.hasBody) return { kind: 'refused', status: 400 };
    const [path = '', query = ''] = split(request.target);
    if (!timingSafeEqual(digest(path.slice(1)), secret)) return { kind: 'refused', status: 404 };
    const parameters = new URLSearchParams(query);
    const resource = hooks.get(only(parameters, 'webhookId') ?? '');
    if (resource === undefined || only(parameters, 'expoId') !== expoId) {
      return { kind: 'refused', status: 404 };
    }
    return { kind: 'admitted', resource };
  };
}

function isLongEnough(secret: string): boolean {
  return /^[\w-]{22,256}$/.test(secret) && (secret.length >= 32 || !/^[0-9a-f]+$/i.test(secret));
}

// Digests have equal length, as the constant-time comparison requires.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function split(target: string): readonly string[] {
  const mark = target.indexOf('?');
  return mark === -1 ? [target] : [target.slice(0, mark), target.slice(mark + 1)];
}

function only(parameters: URLSearchParams, name: string): string | null {
  const [value, ...more] = parameters.getAll(name);
  return value === undefined || more.length > 0 ? null : value;
}

/** Converts an IPv4 address from an IPv6 socket to plain IPv4. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    const longest = family === 4 ? 32 : 128;
    const length = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (family === 0 || length < 0 || length > longest) {
      throw new TypeError('The address list of the webhook receiver has an entry that is not an address.');
    }
    list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
