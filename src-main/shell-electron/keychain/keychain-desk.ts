/**
 * Where the core's questions to the keychain arrive in the shell.
 *
 * Invariants: only what has the shape of a question is answered; whether the core asked is held by the link, which hears
 * nobody else under that name; an answer goes to the core that asked, never to a later one.
 */
import type { Keychain } from '../../device-key/key-place.ts';
import { type KeychainAnswer, type KeychainAsk, keychainAskSchema } from './keychain-messages.ts';

/** Answers what `received` asks through `answer`; false where it is no question. */
export function answerKeychain(
  keychain: Keychain,
  received: unknown,
  answer: (answer: KeychainAnswer) => void,
): boolean {
  const read = keychainAskSchema.safeParse(received);
  if (!read.success) return false;
  // A keychain that refuses is answered as such; it rejects nothing.
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
