/**
 * Where the key to the platform is kept: in the keychain of the system where there is one, else in a file for the owner of
 * the account alone.
 *
 * Invariants: nothing here throws for what a keychain says or does not say; a key is given to the keychain only where it
 * came out of it again; what is kept by one place and cannot be read by another is missing, never wrong.
 */

/** A key as it is kept. `sealed`: base64 that says nothing without the keychain that made it. */
export type KeptKey =
  | { readonly place: 'file'; readonly text: string }
  | { readonly place: 'keychain'; readonly sealed: string };

/**
 * Why a key is in a file. `none`: this start has no keychain; `plainText`: the system's own would encrypt with a password
 * everybody knows; `unreachable`: it does not answer.
 */
export type FileReason = 'none' | 'plainText' | 'unreachable';

/** Where a key would be kept now. */
export type Place = { readonly place: 'keychain' } | { readonly place: 'file'; readonly why: FileReason };

/** `unreachable`: locked, or no answer; it may come back. `lost`: what is kept means nothing to this keychain. */
export type MissingReason = 'unreachable' | 'lost';

/** A kept key, read. `stale`: the keychain asks for it to be kept anew. */
export type ReadKey =
  | { readonly kind: 'key'; readonly key: string; readonly stale: boolean }
  | { readonly kind: 'missing'; readonly reason: MissingReason };

/** The port. None of these rejects. */
export type KeyPlace = {
  readonly look: () => Promise<Place>;
  readonly keep: (key: string) => Promise<KeptKey>;
  readonly read: (kept: KeptKey) => Promise<ReadKey>;
};

/** The keychain of the system, as whoever can speak to it tells of it. None of these rejects. */
export type Keychain = {
  readonly status: () => Promise<'there' | 'plainText' | 'unreachable'>;
  /** Null: it refused. */
  readonly seal: (text: string) => Promise<string | null>;
  /** Null: it refused, or it is not what it sealed. */
  readonly open: (sealed: string) => Promise<{ readonly text: string; readonly stale: boolean } | null>;
};

/** A file for the owner of the account alone; `platform.json` is written with mode 0600. */
export function createFilePlace(): KeyPlace {
  return {
    look: () => Promise.resolve({ place: 'file', why: 'none' }),
    keep: (text) => Promise.resolve({ place: 'file', text }),
    read: (kept) => Promise.resolve(readText(kept)),
  };
}

/** The system's keychain, and the file where that is none worth the name. */
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
