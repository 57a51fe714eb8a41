/**
 * A scanner on a serial port: codes are complete for any division of their bytes, and the port may disappear and
 * return.
 */
import { describe, expect } from 'vitest';
import type { Clock, ReaderEvent } from '../../../src-main/core/foundations/ports.ts';
import { createSerialScanner } from '../../../src-main/devices/serial/serial-scanner.ts';
import { realClock } from '../../../src-main/machine/real-time.ts';
import { notRunUnless } from '../../not-run.ts';
import { faultsInStory, outcomes, recordDriver } from '../driver-record.ts';
import { openSerialPort, serialPorts } from './port-at-hand.ts';

const portTest = notRunUnless(serialPorts.present, serialPorts.reason);

/** A clock on which a silent scanner never ends a code, so that a slow machine does not cut a code. */
const patient: Pick<Clock, 'sleep'> = {
  sleep: (ms, signal) =>
    ms === 100
      ? new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
      : realClock.sleep(ms, signal),
};

async function withScanner(
  body: (
    port: Awaited<ReturnType<typeof openSerialPort>>,
    record: ReturnType<typeof recordDriver>,
  ) => Promise<void>,
  clock: Pick<Clock, 'sleep'> = realClock,
): Promise<void> {
  await using port = await openSerialPort();
  const record = recordDriver(({ log }) => createSerialScanner({ clock, log, path: port.path, baud: 9600 }));
  try {
    await record.until((events) => events.some(({ kind }) => kind === 'attached'));
    await body(port, record);
  } finally {
    await record.driver.stop();
  }
  expect(faultsInStory(record.events)).toEqual([]);
}

const texts = (events: readonly ReaderEvent[]) =>
  events.flatMap((event) => (event.kind === 'text' ? [event.text] : []));

describe('a scanner on a serial port', () => {
  portTest('reads codes that end with CR, LF or both, several at once', () =>
    withScanner(async (port, record) => {
      await port.type('ONE\rTWO\nTHREE\r\nFüNF\r');
      await record.until((events) => outcomes(events).length === 4);
      expect(texts(record.events)).toEqual(['ONE', 'TWO', 'THREE', 'FüNF']);
    }),
  );

  portTest('reads a code that comes in pieces as one', () =>
    withScanner(async (port, record) => {
      await port.type('https://badge.exam');
      await record.until((events) => events.some(({ kind }) => kind === 'inserted'));
      await port.type('ple/b/1\r');
      await record.until((events) => outcomes(events).length === 1);
      expect(texts(record.events)).toEqual(['https://badge.example/b/1']);
    }, patient),
  );

  portTest('reports a code as not read if the port is lost before the code ends', () =>
    withScanner(async (port, record) => {
      await port.type('ABC-1');
      await record.until((events) => events.some(({ kind }) => kind === 'inserted'));
      await port.unplug();
      await record.until((events) => events.some(({ kind }) => kind === 'detached'));
      expect(outcomes(record.events)).toMatchObject([{ kind: 'unread', reason: 'pulled' }]);
    }, patient),
  );

  portTest('reads a code without an end when the scanner falls silent', () =>
    withScanner(async (port, record) => {
      await port.type('ABC-123');
      await record.until((events) => outcomes(events).length === 1);
      expect(texts(record.events)).toEqual(['ABC-123']);
    }),
  );

  portTest('detaches a port that is unplugged, and reads again when it is back', () =>
    withScanner(async (port, record) => {
      await port.unplug();
      await record.until((events) => events.some(({ kind }) => kind === 'detached'));
      await port.plugIn();
      await record.until((events) => events.filter(({ kind }) => kind === 'attached').length === 2);
      await port.type('AGAIN\r');
      await record.until((events) => outcomes(events).length === 1);
      expect(outcomes(record.events)).toMatchObject([{ kind: 'text', text: 'AGAIN' }]);
    }),
  );
});
