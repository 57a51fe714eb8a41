/** A hub reports which rights its key lacks, tested with the answers of the real platform. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingRightsOf, reportMissingRights } from '../../../src-hub/rights.ts';
import { createClient } from '../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../src-main/core/foundations/api/error-class.ts';
import { realClock } from '../../core/real-parts.ts';
import { type RunningPlatform, startPlatform } from '../../platform/running-platform.ts';

const EVENT = 'AD2026';
let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startPlatform();
  const whole = { expos: [EVENT], canWrite: true, connections: true };
  await platform.makeKey('hub-key', whole);
  await platform.makeKey('reading-key', { expos: [EVENT], connections: true });
  await platform.makeKey('company-key', { ...whole, partnerId: 'AD2026P001' });
});
afterAll(() => platform?.stop());

test.each([
  ['all rights', 'hub-key', []],
  ['no right to write', 'reading-key', [/^The key may not write: facts of the devices stay at the hub\./]],
  [
    'the rights of one company',
    'company-key',
    [/^The key may not read visitors, participants: devices of this hub do not get them/],
  ],
])('the rights check names what a key with %s (%s) lacks', async (_what, key, sentences) => {
  const access = { baseUrl: platform.base, key, password: '', expoId: EVENT };
  const client = createClient(access, realClock);
  try {
    const said = await missingRightsOf(client, EVENT, new AbortController().signal);
    expect(said).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)));
  } finally {
    await client.close();
  }
});

test('the rights check ends with the hub, even during a request', async () => {
  const ended = new AbortController();
  const ask = async (): Promise<readonly string[]> => {
    ended.abort();
    throw new TypeError('the connection is gone');
  };
  const said: string[] = [];
  await reportMissingRights(ask, (sentence) => said.push(sentence), realClock, ended.signal);
  expect(said).toEqual([]);
});

test('the rights check reports once that the platform is unreachable, retries, and reports the result once', async () => {
  let asked = 0;
  const ask = async (): Promise<readonly string[]> => {
    asked += 1;
    if (asked < 3) throw new ApiError({ kind: 'retry', reached: 'no' }, 'GET failed');
    return ['The key may not write.'];
  };
  const said: string[] = [];
  const clock = { ...realClock, sleep: async () => undefined };
  await reportMissingRights(ask, (sentence) => said.push(sentence), clock, new AbortController().signal);
  expect(said).toEqual([
    'The platform cannot be reached now (GET failed); the hub serves devices and sends their facts later.',
    'The key may not write.',
  ]);
});
