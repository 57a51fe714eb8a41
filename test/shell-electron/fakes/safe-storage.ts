/**
 * A fake of Electron's `safeStorage`: a keychain that works, is locked or was replaced, or Linux without a keychain.
 *
 * Invariants:
 * - no keychain decrypts the text of another one;
 * - `basic_text` encrypts with one public password and reports that it is available, as in Chromium;
 * - a refusal is an Error, as from the asynchronous calls.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import type { ShellSafeStorage } from '../../../src-main/shell-electron/keychain/system-keychain.ts';

export type FakeSafeStorage = ShellSafeStorage & {
  /** The current state. `silent`: a dialog asks for a password and no one answers. */
  mode: 'keychain' | 'basic_text' | 'locked' | 'silent';
  /** Whether keys must be encrypted again when read. */
  rotated: boolean;
  /** Replaces the keychain, so that its texts are lost. Returns a function that restores it. */
  readonly lose: () => () => void;
  /** How often it was asked to decrypt a text. */
  readonly asked: () => number;
};

const publicPassword = scryptSync('peanuts', 'saltysalt', 32);

/** A fake with its own keychain. */
export function fakeSafeStorage(system: string = process.platform): FakeSafeStorage {
  let own = randomBytes(32);
  let asked = 0;
  const never = new Promise<never>(() => undefined);
  const password = () => (fake.mode === 'basic_text' ? publicPassword : own);
  const fake: FakeSafeStorage = {
    mode: 'keychain',
    rotated: false,
    lose: () => {
      const before = own;
      own = randomBytes(32);
      return () => {
        own = before;
      };
    },
    asked: () => asked,
    getSelectedStorageBackend: () => {
      if (system !== 'linux') throw new TypeError('safeStorage.getSelectedStorageBackend is not a function');
      return fake.mode === 'basic_text' ? 'basic_text' : 'gnome_libsecret';
    },
    isAsyncEncryptionAvailable: () =>
      fake.mode === 'silent' ? never : Promise.resolve(fake.mode !== 'locked'),
    encryptStringAsync: async (text) => {
      if (fake.mode === 'silent') return never;
      if (fake.mode === 'locked') throw new Error('Error while encrypting the text.');
      const start = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', password(), start);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([start, cipher.getAuthTag(), sealed]);
    },
    decryptStringAsync: async (sealed) => {
      asked += 1;
      if (fake.mode === 'silent') return never;
      if (fake.mode === 'locked') throw new Error('Error while decrypting the ciphertext.');
      const decipher = createDecipheriv('aes-256-gcm', password(), sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(12, 28));
      const result = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
      return { result, shouldReEncrypt: fake.rotated };
    },
  };
  return fake;
}
