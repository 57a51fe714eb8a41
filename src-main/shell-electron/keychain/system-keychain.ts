/**
 * The system's keychain in Electron's main process, and the answers to the core's questions about it. It uses the
 * asynchronous calls of `safeStorage`: the others are deprecated in Electron 45 and removed in 46.
 *
 * Invariants:
 * - every error of the keychain counts as a refusal, and no message contains a part of a key;
 * - Electron's `basic_text` on Linux encrypts with a password that is in Chromium's sources: it does not count as a
 *   keychain, nor does an unknown backend;
 * - only a well-formed question gets an answer. Only the core process that sent the request gets the answer, never a
 *   core that was started later.
 */
import type { SafeStorage } from 'electron';
import type { Keychain } from '../../device-key/key-place.ts';
import { type KeychainAnswer, type KeychainAsk, keychainAskSchema } from './keychain-messages.ts';

/** The part of `safeStorage` that is used. */
export type ShellSafeStorage = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>;

/**
 * The system's keychain. `system`: the name of the operating system (`process.platform`). Call it after Electron is
 * ready.
 */
export function createSystemKeychain(safeStorage: ShellSafeStorage, system: string): Keychain {
  const status = async () => {
    const backend = system === 'linux' ? safeStorage.getSelectedStorageBackend() : null;
    const available = await orNull(() => safeStorage.isAsyncEncryptionAvailable());
    if (backend === 'basic_text') return 'plainText';
    return available === true && backend !== 'unknown' ? 'there' : 'unreachable';
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

/** Answers a question of the core by `answer`; false when `received` is not a question. */
export function answerKeychain(
  keychain: Keychain,
  received: unknown,
  answer: (answer: KeychainAnswer) => void,
): boolean {
  const read = keychainAskSchema.safeParse(received);
  if (!read.success) return false;
  // It never rejects: if the keychain refuses, that is the answer.
  void answerTo(keychain, read.data).then(answer);
  return true;
}

async function answerTo(keychain: Keychain, ask: KeychainAsk): Promise<KeychainAnswer> {
  switch (ask.what) {
    case 'status':
      return { id: ask.id, what: 'status', status: await keychain.status() };
    case 'seal':
      return { id: ask.id, what: 'seal', sealed: await keychain.seal(ask.text) };
    case 'open':
      return { id: ask.id, what: 'open', opened: await keychain.open(ask.sealed) };
  }
}
