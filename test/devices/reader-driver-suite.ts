/**
 * The requirements on every reader driver: one suite for the virtual reader, hardware, a scanner on a serial port,
 * and a file.
 *
 * Invariant: the suite does not place badges itself. `hand` does: a program or, for hardware, a person.
 */
import { expect } from 'vitest';
import type { DriverRecord } from './driver-record.ts';
import { faultsInStory, outcomes } from './driver-record.ts';

/**
 * A driver that is set up for one test. `hand` puts the test badge on a reader and removes it. A scanner needs no
 * removal.
 */
export type DriverBench = AsyncDisposable & {
  readonly record: DriverRecord;
  /** The expected outcome of the test badge. */
  readonly read: { readonly card: { readonly uid: string } } | { readonly text: string };
  /** Whether its readers need a service of the machine. */
  readonly service: boolean;
  readonly hand: { readonly lay: () => Promise<void>; readonly take: () => Promise<void> };
  /** How many milliseconds the hand may take. */
  readonly patience: number;
};

type TestWith = (name: string, body: () => Promise<void>, timeoutMs?: number) => void;

/** Declares the suite with `test`, which decides whether it can run here. */
export function readerDriverSuite(kind: string, test: TestWith, open: () => Promise<DriverBench>): void {
  const timeout = 120_000;

  test(
    `${kind}: a reader is attached, after its service has started if it needs one`,
    async () => {
      await using bench = await open();
      await bench.record.until((events) => events.some(({ kind: told }) => told === 'attached'));
      const first = bench.record.events.map((event) => (event.kind === 'service' ? event.state : event.kind));
      if (bench.service) {
        expect(first.indexOf('starting')).toBe(0);
        expect(first.indexOf('up')).toBe(first.indexOf('attached') - 1);
      } else expect(first).toEqual(['attached']);
    },
    timeout,
  );

  test(
    `${kind}: a badge has one outcome until it is removed, and another one when it returns`,
    async () => {
      await using bench = await open();
      const { record, hand, patience } = bench;
      await record.until((events) => events.some(({ kind: told }) => told === 'attached'));
      for (const count of [1, 2]) {
        await hand.lay();
        await record.until((events) => outcomes(events).length === count, patience);
        await hand.take();
        const removals = () => record.events.filter(({ kind: told }) => told === 'removed').length;
        await record.until(() => removals() === count, patience);
        expect(outcomes(record.events)).toHaveLength(count);
      }
      for (const outcome of outcomes(record.events)) expect(outcome).toMatchObject(bench.read);
      expect(faultsInStory(record.events)).toEqual([]);
    },
    timeout,
  );

  test(
    `${kind}: feedback never throws, even without a card`,
    async () => {
      await using bench = await open();
      const { record } = bench;
      record.driver.feedback('no such reader', 'captured');
      await record.until((events) => events.some(({ kind: told }) => told === 'attached'));
      for (const event of record.events) {
        if (event.kind === 'attached') record.driver.feedback(event.reader, 'refused');
      }
      await record.driver.stop();
    },
    timeout,
  );
}
