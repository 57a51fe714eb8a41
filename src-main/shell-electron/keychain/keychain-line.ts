/**
 * The core's access to the system's keychain, by messages to the shell.
 *
 * Invariants:
 * - a question times out after ten seconds, because a keychain may wait for a typed password;
 * - a malformed answer is ignored.
 */
import type { Clock } from '../../core/foundations/ports.ts';
import type { Keychain } from '../../device-key/key-place.ts';
import { type KeychainAnswer, type KeychainAsk, keychainAnswerSchema } from './keychain-messages.ts';

const ANSWERED_WITHIN_MS = 10_000;

type Question<What extends KeychainAsk['what']> = Omit<Extract<KeychainAsk, { what: What }>, 'id'>;

export type KeychainLine = {
  readonly keychain: Keychain;
  /** Receives the shell's answers. */
  readonly take: (received: unknown) => void;
};

/** Creates the core's side. `send`: sends a question to the shell. */
export function createKeychainLine(
  send: (ask: KeychainAsk) => void,
  { sleep }: Pick<Clock, 'sleep'>,
): KeychainLine {
  const waiting = new Map<number, (answer: KeychainAnswer) => void>();
  let last = 0;
  const ask = async <What extends KeychainAsk['what']>(
    question: Question<What>,
  ): Promise<Extract<KeychainAnswer, { what: What }> | null> => {
    last += 1;
    const id = last;
    const given = new AbortController();
    const answered = new Promise<KeychainAnswer>((resolve) => waiting.set(id, resolve));
    send({ ...question, id } as unknown as KeychainAsk);
    const answer = await Promise.race([answered, sleep(ANSWERED_WITHIN_MS, given.signal).then(() => null)]);
    given.abort();
    waiting.delete(id);
    return answer?.what === question.what ? (answer as Extract<KeychainAnswer, { what: What }>) : null;
  };
  return {
    keychain: {
      status: async () => (await ask<'status'>({ what: 'status' }))?.status ?? 'unreachable',
      seal: async (text) => (await ask<'seal'>({ what: 'seal', text }))?.sealed ?? null,
      open: async (sealed) => (await ask<'open'>({ what: 'open', sealed }))?.opened ?? null,
    },
    take: (received) => {
      const read = keychainAnswerSchema.safeParse(received);
      if (read.success) waiting.get(read.data.id)?.(read.data);
    },
  };
}
