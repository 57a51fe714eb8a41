/** The keychain of a system, as the core has it: stand-in, shell's desk, line, all but the processes. */
import { createKeychainPlace, type KeyPlace } from '../../src-main/device-key/key-place.ts';
import { answerKeychain } from '../../src-main/shell-electron/keychain/keychain-desk.ts';
import { createKeychainLine } from '../../src-main/shell-electron/keychain/keychain-line.ts';
import { createSystemKeychain } from '../../src-main/shell-electron/keychain/system-keychain.ts';
import { realClock } from '../core/real-parts.ts';
import { fakeSafeStorage } from '../shell-electron/fakes/safe-storage.ts';

/** A place over a keychain of its own; nobody waits longer than `patience` milliseconds for an answer. */
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
