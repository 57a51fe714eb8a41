/** Electron's `safeStorage`: a keychain, none but a password everybody knows, and a keychain whose key was lost. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { ElectronApi } from '../../../src-main/shell-electron/electron-api.ts';

type Backend = ReturnType<ElectronApi['safeStorage']['getSelectedStorageBackend']>;

export class FakeSafeStorage {
  backend: Backend = 'gnome_libsecret';
  available = true;
  shouldReEncrypt = false;
  #key = randomBytes(32);

  /** Another keychain, or the same with its keys gone. */
  loseKey() {
    this.#key = randomBytes(32);
  }

  getSelectedStorageBackend(): Backend {
    return this.backend;
  }

  async isAsyncEncryptionAvailable() {
    return this.available;
  }

  async encryptStringAsync(text: string) {
    const start = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, start);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([start, cipher.getAuthTag(), sealed]);
  }

  async decryptStringAsync(sealed: Buffer) {
    const cipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, 12));
    cipher.setAuthTag(sealed.subarray(12, 28));
    const text = Buffer.concat([cipher.update(sealed.subarray(28)), cipher.final()]);
    return { result: text.toString('utf8'), shouldReEncrypt: this.shouldReEncrypt };
  }
}
