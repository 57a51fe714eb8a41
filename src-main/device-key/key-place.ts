/**
 * Stores the platform key: in the system's keychain if there is one, or else in a file readable by its owner only.
 *
 * Invariants:
 * - no failure of a keychain throws;
 * - a key moves to the keychain only after the keychain has returned it once;
 * - a key that was stored elsewhere and cannot be read here is reported as missing, never as wrong.
 */

/** The stored form of a key. `sealed`: base64, encrypted by the keychain. */
export type KeptKey =
  | { readonly place: 'file'; readonly text: string }
  | { readonly place: 'keychain'; readonly sealed: string };

/**
 * Why a key is in a file. `none`: this start has no keychain; `plainText`: the system's keychain encrypts with a public
 * password; `unreachable`: the keychain does not answer.
 */
export type FileReason = 'none' | 'plainText' | 'unreachable';

/** Where a key would be stored now. */
export type Place = { readonly place: 'keychain' } | { readonly place: 'file'; readonly why: FileReason };

/**
 * `unreachable`: this start has no keychain, or it is locked or does not answer, perhaps temporarily. `lost`: this
 * keychain cannot decrypt the stored key.
 */
export type MissingReason = 'unreachable' | 'lost';

/** The result of reading a stored key. `stale`: the keychain requests that it is encrypted again. */
export type ReadKey =
  | { readonly kind: 'key'; readonly key: string; readonly stale: boolean }
  | { readonly kind: 'missing'; readonly reason: MissingReason };

/** A place for keys. None of these rejects. */
export type KeyPlace = {
  readonly look: () => Promise<Place>;
  readonly keep: (key: string) => Promise<KeptKey>;
  readonly read: (kept: KeptKey) => Promise<ReadKey>;
};

/** The system's keychain. None of these rejects. */
export type Keychain = {
  readonly status: () => Promise<'there' | 'plainText' | 'unreachable'>;
  /** Null if it refused. */
  readonly seal: (text: string) => Promise<string | null>;
  /** Null if it refused, or did not encrypt this text. */
  readonly open: (sealed: string) => Promise<{ readonly text: string; readonly stale: boolean } | null>;
};

/** A file readable by its owner only: `platform.json` is written with mode 0600. */
export function createFilePlace(): KeyPlace {
  return {
    look: () => Promise.resolve({ place: 'file', why: 'none' }),
    keep: (text) => Promise.resolve({ place: 'file', text }),
    read: (kept) => Promise.resolve(readText(kept)),
  };
}

/** The system's keychain, or the file if the keychain gives no protection or does not answer. */
export function createKeychainPlace(keychain: Keychain): KeyPlace {
  const look = async (): Promise<Place> => {
    const status = await keychain.status();
    return status === 'there' ? { place: 'keychain' } : { place: 'file', why: status };
  };
  return {
    look,
    keep: async (text) => {
      if ((await look()).place === 'file') return { place: 'file', text };
      const sealed = await keychain.seal(text);
      const opened = sealed === null ? null : await keychain.open(sealed);
      return sealed !== null && opened?.text === text
        ? { place: 'keychain', sealed }
        : { place: 'file', text };
    },
    read: async (kept) => {
      if (kept.place === 'file') return readText(kept);
      const opened = await keychain.open(kept.sealed);
      if (opened !== null) return { kind: 'key', key: opened.text, stale: opened.stale };
      const reason = (await keychain.status()) === 'there' ? 'lost' : 'unreachable';
      return { kind: 'missing', reason };
    },
  };
}

function readText(kept: KeptKey): ReadKey {
  if (kept.place === 'keychain') return { kind: 'missing', reason: 'unreachable' };
  return { kind: 'key', key: kept.text, stale: false };
}
