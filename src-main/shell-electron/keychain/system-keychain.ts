/**
 * The system's keychain through Electron's `safeStorage`, its asynchronous calls alone: the others are deprecated in 45 and
 * gone in 46. Electron's main process only, after it is ready.
 *
 * Invariant: whatever the keychain throws is its refusal; nothing of a key is in what is told.
 */
import type { SafeStorage } from 'electron';
import type { Keychain } from '../../device-key/key-place.ts';
import { keychainStatus } from '../policies/keychain-status.ts';

/** All of `safeStorage` that is used. */
export type ShellSafeStorage = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>;

/** The keychain of a system of this name (`process.platform`). */
export function createSystemKeychain(safeStorage: ShellSafeStorage, system: string): Keychain {
  const status = async () => {
    const backend = system === 'linux' ? safeStorage.getSelectedStorageBackend() : null;
    const available = await orNull(() => safeStorage.isAsyncEncryptionAvailable());
    return keychainStatus({ backend, available: available === true });
  };
  const isThere = async () => (await status()) === 'there';
  return {
    status,
    seal: async (text) => {
      if (!(await isThere())) return null;
      const sealed = await orNull(() => safeStorage.encryptStringAsync(text));
      return sealed?.toString('base64') ?? null;
    },
    open: async (sealed) => {
      if (!(await isThere())) return null;
      const opened = await orNull(() => safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64')));
      return opened && { text: opened.result, stale: opened.shouldReEncrypt };
    },
  };
}

async function orNull<Value>(ask: () => Promise<Value>): Promise<Value | null> {
  try {
    return await ask();
  } catch {
    return null;
  }
}
