/** The core's requests to the keychain: their format, and the matching of answers to requests. */
import { expect, test } from 'vitest';
import { createKeychainLine } from '../../src-main/shell-electron/keychain/keychain-line.ts';
import {
  answerKeychain,
  createSystemKeychain,
} from '../../src-main/shell-electron/keychain/system-keychain.ts';
import { fakeSafeStorage } from './fakes/safe-storage.ts';

const soon = () => new Promise((resolve) => setImmediate(resolve));

test.each([
  [null],
  ['status'],
  [{ id: 1, what: 'everything' }],
  [{ id: 0, what: 'status' }],
  [{ id: 1, what: 'status', more: 1 }],
  [{ id: 1, what: 'seal', text: '' }],
  [{ id: 1, what: 'seal', text: 'x'.repeat(4_001) }],
  [{ id: 1, what: 'open', sealed: 'not base64!' }],
  [{ id: 1, what: 'open', sealed: { toString: 'x' } }],
])('%j is not a valid request and gets no answer', async (received) => {
  const storage = fakeSafeStorage('linux');
  const answers: unknown[] = [];
  const keychain = createSystemKeychain(storage, 'linux');
  expect(answerKeychain(keychain, received, (answer) => void answers.push(answer))).toBe(false);
  await soon();
  expect([answers, storage.asked()]).toEqual([[], 0]);
});

test('an answer counts only for its own request and only if it is well-formed', async () => {
  const asked: { readonly id: number }[] = [];
  const line = createKeychainLine((ask) => void asked.push(ask), {
    sleep: () => new Promise(() => undefined),
  });
  const opened = line.keychain.open('AAAA');
  for (const forged of [
    { id: 2, what: 'open', opened: { text: 'forged', stale: false } },
    { id: 1, what: 'open', opened: 'forged' },
    { id: 1, what: 'open', opened: { text: 'forged', stale: false }, more: 1 },
    'forged',
  ])
    line.take(forged);
  line.take({ id: 1, what: 'open', opened: { text: 'the key', stale: false } });
  expect(await opened).toEqual({ text: 'the key', stale: false });
  const sealed = line.keychain.seal('text');
  line.take({ id: 2, what: 'status', status: 'there' });
  expect([await sealed, asked.map(({ id }) => id)]).toEqual([null, [1, 2]]);
});

test('a request to a silent keychain times out', async () => {
  const line = createKeychainLine(() => undefined, { sleep: () => Promise.resolve() });
  expect([await line.keychain.status(), await line.keychain.open('AAAA')]).toEqual(['unreachable', null]);
});
