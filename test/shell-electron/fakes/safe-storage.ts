/**
 * Electron's `safeStorage` as systems have it: a keychain, one that is locked, one that was lost, and Linux without any.
 *
 * Invariants: what one keychain sealed no other one opens; `basic_text` encrypts for everybody with one password, and
 * says it is available, as Chromium's does; a refusal is an Error, as the asynchronous calls give it.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import type { ShellSafeStorage } from '../../../src-main/shell-electron/keychain/system-keychain.ts';

export type FakeSafeStorage = ShellSafeStorage & {
  /** What the system is now. `silent`: a dialog asks for a password and nobody answers. */
  mode: 'keychain' | 'basic_text' | 'locked' | 'silent';
  /** Whether keys shall be kept anew when they were read. */
  rotated: boolean;
  /** Another keychain takes the place of this one; what it sealed is lost. Gives what brings it back. */
  readonly lose: () => () => void;
  /** How often it was asked to open something. */
  readonly asked: () => number;
};

const everybodys = scryptSync('peanuts', 'saltysalt', 32);

/** One of a system of its own. */
export function fakeSafeStorage(system: string = process.platform): FakeSafeStorage {
  let own = randomBytes(32);
  let asked = 0;
  const never = new Promise<never>(() => undefined);
  const password = () => (fake.mode === 'basic_text' ? everybodys : own);
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
