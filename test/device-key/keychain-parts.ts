/**
 * The system's keychain as the core uses it, without processes: a fake `safeStorage`, the shell's answers, and the
 * core's side.
 */
import { createKeychainPlace, type KeyPlace } from '../../src-main/device-key/key-place.ts';
import { createKeychainLine } from '../../src-main/shell-electron/keychain/keychain-line.ts';
import {
  answerKeychain,
  createSystemKeychain,
} from '../../src-main/shell-electron/keychain/system-keychain.ts';
import { realClock } from '../core/real-parts.ts';
import { fakeSafeStorage } from '../shell-electron/fakes/safe-storage.ts';

/** A key place with its own keychain. Each answer has a timeout of `patience` milliseconds. */
export function keychainOfSystem(system = 'linux', patience = 20) {
  const storage = fakeSafeStorage(system);
  const keychain = createSystemKeychain(storage, system);
  const line = createKeychainLine(
    (ask) =>
      void answerKeychain(keychain, structuredClone(ask), (answer) => line.take(structuredClone(answer))),
    { sleep: (_ms, signal) => realClock.sleep(storage.mode === 'silent' ? patience : 60_000, signal) },
  );
  const place: KeyPlace = createKeychainPlace(line.keychain);
  return { storage, place, keychain: line.keychain };
}
