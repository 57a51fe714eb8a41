/**
 * A code scanner on a serial port (including USB in serial mode), as a reader driver: each code is one insertion with
 * a text.
 *
 * Invariants:
 * - A code ends with CR or LF, or when the scanner is silent for 100 ms; empty codes are dropped.
 * - The port is opened again every second while it cannot be read. A code that was cut off is `unread`.
 * - The port is read only. Its speed and mode are set by the system's `stty`, so no native module is needed.
 *
 * Linux and macOS only: on Windows a scanner types as a keyboard.
 */
import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import type { Clock, Log, ReaderDriver, ReaderEvent } from '../../core/foundations/ports.ts';

const silenceMs = 100;
const openAgainMs = 1000;
const settingTimeoutMs = 3000;
/** Longer than any code that the core accepts. The core's limit is 2,048 bytes. */
const mostCodeBytes = 4096;

export type SerialScannerPorts = {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: Log;
  /** Path of the port, such as `/dev/ttyACM0`; also the name of the reader. */
  readonly path: string;
  readonly baud: number;
};

/** Creates the driver; nothing is opened before `start`. */
export function createSerialScanner({ clock, log, path, baud }: SerialScannerPorts): ReaderDriver {
  const stopped = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let insertions = 0;

  const readUntilLost = async (handle: (event: ReaderEvent) => void): Promise<void> => {
    const port = await openPort(path, baud);
    const codes = createCodeReader(clock, path, handle, () => (insertions += 1));
    const lost = new Promise<void>((resolve) => {
      port.on('data', codes.receive);
      port.on('error', () => resolve());
      port.on('end', () => resolve());
      port.on('close', () => resolve());
      stopped.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    handle({ kind: 'attached', reader: path });
    // After a stop, the signal is already aborted.
    if (!stopped.signal.aborted) await lost;
    port.destroy();
    codes.cut();
    handle({ kind: 'detached', reader: path });
  };

  const keepReading = async (handle: (event: ReaderEvent) => void): Promise<void> => {
    let said = '';
    while (!stopped.signal.aborted) {
      try {
        await readUntilLost(handle);
        said = '';
      } catch (error) {
        const why = error instanceof Error ? error.message.slice(0, 300) : String(error);
        if (why !== said)
          log.warn('The scanner cannot be read; the port is opened again', { port: path, why });
        said = why;
      }
      await clock.sleep(openAgainMs, stopped.signal);
    }
  };

  return {
    start: (handle) => {
      running = keepReading(handle);
    },
    feedback: () => undefined,
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

/** @throws {Error} when the port is missing, not readable or not a serial port */
async function openPort(path: string, baud: number): Promise<ReadStream> {
  const device = process.platform === 'darwin' ? '-f' : '-F';
  await promisify(execFile)('stty', [device, path, String(baud), 'raw', '-echo', 'clocal'], {
    timeout: settingTimeoutMs,
  });
  const { O_RDONLY, O_NOCTTY, O_NONBLOCK } = constants;
  const file = openSync(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  try {
    return new ReadStream(file);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

type CodeReader = {
  readonly receive: (bytes: Uint8Array) => void;
  /** The port is lost: an open insertion ends as `unread`. */
  readonly cut: () => void;
};

/** Turns the bytes of one opening of the port into insertions of `reader`. */
function createCodeReader(
  clock: Pick<Clock, 'sleep'>,
  reader: string,
  handle: (event: ReaderEvent) => void,
  next: () => number,
): CodeReader {
  let code: { readonly insertion: number; readonly bytes: number[] } | null = null;
  let waiting = new AbortController();

  const finish = (isWhole: boolean): void => {
    waiting.abort();
    if (code === null) return;
    const { insertion, bytes } = code;
    code = null;
    handle(
      isWhole
        ? { kind: 'text', reader, insertion, text: new TextDecoder().decode(Uint8Array.from(bytes)) }
        : { kind: 'unread', reader, insertion, reason: 'pulled' },
    );
    handle({ kind: 'removed', reader });
  };

  const finishAfterSilence = async (): Promise<void> => {
    const mine = new AbortController();
    waiting.abort();
    waiting = mine;
    await clock.sleep(silenceMs, mine.signal);
    if (!mine.signal.aborted) finish(true);
  };

  const add = (byte: number): void => {
    if (code === null) {
      code = { insertion: next(), bytes: [] };
      handle({ kind: 'inserted', reader, insertion: code.insertion });
    }
    if (code.bytes.length < mostCodeBytes) code.bytes.push(byte);
  };

  return {
    receive: (bytes) => {
      for (const byte of bytes) {
        if (byte === 0x0a || byte === 0x0d) finish(true);
        else add(byte);
      }
      if (code !== null) void finishAfterSilence();
    },
    cut: () => finish(false),
  };
}
