/**
 * One connection to nats-server, and the key it is opened with.
 *
 * Invariants: the package is loaded when a connection is first wanted, because most devices never see a box; nothing here
 * connects again (the loop above does); a connection on which a subscription was refused is closed, since it would hear
 * nothing; the key lives in memory alone, so that there is none on a stolen disk; Node signs with it, since the package's own
 * signature in JavaScript holds the thread of the taps for 13 ms.
 */
import { createPrivateKey, sign } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';

/** Half-open connections are noticed after about two of these, in milliseconds. */
const PING_EVERY_MS = 20_000;
/** A device that ends waits no longer than this for a server that does not answer. */
const OPENING_LIMIT_MS = 3_000;

/** A key pair of Ed25519 as NATS writes them. */
export type BellKey = { readonly publicKey: string; readonly sign: (nonce: Uint8Array) => Uint8Array };

export type BellLink = {
  /** Calls `handle` for what comes at `subject`. */
  readonly subscribe: (subject: string, handle: (subject: string, bytes: Uint8Array) => void) => void;
  readonly publish: (subject: string, text: string) => void;
  /** Resolves when the server has seen what was asked of it before. @throws Error where the connection is gone */
  readonly settled: () => Promise<void>;
  /** Resolves when the connection is gone, whoever closed it. */
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
};

/** A new key. */
export async function makeBellKey(): Promise<BellKey> {
  const { nkeys } = await import('@nats-io/transport-node');
  const pair = nkeys.createUser();
  const key = Buffer.concat([PKCS8_OF_ED25519, secretIn(new TextDecoder().decode(pair.getSeed()))]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return { publicKey: pair.getPublicKey(), sign: (nonce) => sign(null, nonce, privateKey) };
}

/** What stands before the 32 bytes of a private key in PKCS #8 (RFC 8410, section 7). */
const PKCS8_OF_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The 32 bytes in a seed as NATS writes it: two bytes of kind, the secret and a checksum, in base32. */
function secretIn(seed: string): Buffer {
  const bits = [...seed].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from(
    Array.from({ length: 32 }, (_, at) => Number.parseInt(bits.slice(16 + 8 * at, 24 + 8 * at), 2)),
  );
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Whether a text is the public half of such a key. */
export async function isBellKey(text: string): Promise<boolean> {
  if (!/^U[A-Z2-7]{55}$/.test(text)) return false;
  const { nkeys } = await import('@nats-io/transport-node');
  try {
    nkeys.fromPublic(text);
    return true;
  } catch {
    return false;
  }
}

/** Connects to the server at `url`. @throws Error where it is not there, or does not know the key */
export async function openLink(url: string, key: BellKey): Promise<BellLink> {
  const { connect, nkeys } = await import('@nats-io/transport-node');
  const connection: NatsConnection = await connect({
    servers: url,
    authenticator: (nonce = '') => ({
      nkey: key.publicKey,
      sig: nkeys.encode(key.sign(new TextEncoder().encode(nonce))),
    }),
    ...{ reconnect: false, timeout: OPENING_LIMIT_MS, pingInterval: PING_EVERY_MS, maxPingOut: 2 },
  });
  const close = async (): Promise<void> => {
    if (!connection.isClosed()) await connection.close();
  };
  return {
    subscribe: (subject, handle) => {
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (error === null) handle(message.subject, message.data);
          else void close();
        },
      });
    },
    publish: (subject, text) => {
      if (!connection.isClosed()) connection.publish(subject, text);
    },
    settled: () => connection.flush(),
    closed: connection.closed().then(() => undefined),
    close,
  };
}
