/** The reader test while a kiosk runs: which taps are test taps, and which are visitors' taps. */
import { expect, it } from 'vitest';
import type { ReaderTest } from '../../src-main/contract/setup.ts';
import type { ReaderEvent } from '../../src-main/core/foundations/ports.ts';
import { createReaderTrial } from '../../src-main/device-setup/reader-test.ts';
import { cardReading } from '../card-reading.ts';
import { handClock } from '../core/fixture.ts';

const reader = 'ACR1252';
const card = cardReading('04A1B2C3D4E5F6');
const tap = (insertion: number): readonly ReaderEvent[] => [
  { kind: 'inserted', reader, insertion },
  { kind: 'uid', reader, insertion, card },
  { kind: 'card', reader, insertion, card },
  { kind: 'removed', reader },
];

it('the reader test shows the polling interval of each reader', async () => {
  const trial = createReaderTrial(handClock(), 'starting');
  trial.take({ kind: 'attached', reader });
  trial.take({ kind: 'interval', reader, foundMs: 1000, everyMs: 250 });
  const seen = trial.watch(undefined);
  expect((await seen.next()).value).toMatchObject({
    readers: [{ name: reader, interval: { foundMs: 1000, everyMs: 250 } }],
  });
  await seen.return(undefined);
});

it('the reader test consumes a test tap completely and shows its last digits; every other tap is a visitor’s', async () => {
  const trial = createReaderTrial(handClock(), 'starting');
  trial.take({ kind: 'service', state: 'up' });
  trial.take({ kind: 'attached', reader });
  expect(tap(1).map(trial.take)).toEqual([false, false, false, false]);

  const ended = new AbortController();
  const seen = trial.watch(ended.signal);
  const next = async (): Promise<ReaderTest | undefined> => (await seen.next()).value ?? undefined;
  // A tap before the test began is not a test tap.
  expect(await next()).toEqual({ cardService: 'up', readers: [{ name: reader }], tapped: null });
  const [inserted, uid, read, removed] = tap(2);
  const told = next();
  for (const event of [inserted, uid, read]) expect(event && trial.take(event)).toBe(true);
  expect(await told).toMatchObject({ tapped: { reader, tail: 'E5F6' } });

  // The page closed while the badge lay on the reader. The rest of this tap is not a visitor's tap either.
  ended.abort();
  await seen.return(undefined);
  expect(removed && trial.take(removed)).toBe(true);
  expect(tap(3).map(trial.take)).toEqual([false, false, false, false]);
});
