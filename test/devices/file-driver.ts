/**
 * A reader that is driven by a file: each appended line is an event of the reader.
 *
 *     card 04A1B2C3D4E5F6 CODE...    text ABC-123    unread mute    take
 */
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, ReaderDriver, ReaderEvent } from '../../src-main/core/foundations/ports.ts';

const READER = 'file';
const POLL_MS = 10;

export type FileReader = AsyncDisposable & {
  readonly driver: (clock: Clock) => ReaderDriver;
  /** Appends a line. */
  readonly say: (line: string) => Promise<void>;
};

/** A reader over a new, empty file. */
export async function openFileReader(): Promise<FileReader> {
  const folder = await mkdtemp(join(tmpdir(), 'touchpoint-reader-'));
  const path = join(folder, 'reader.txt');
  await writeFile(path, '');
  return {
    driver: (clock) => createFileDriver(path, clock),
    say: (line) => appendFile(path, `${line}\n`),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function createFileDriver(path: string, clock: Clock): ReaderDriver {
  const stopped = new AbortController();
  let running = Promise.resolve();
  const follow = async (handle: (event: ReaderEvent) => void): Promise<void> => {
    let done = 0;
    let insertion = 0;
    handle({ kind: 'attached', reader: READER });
    while (!stopped.signal.aborted) {
      const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
      for (const line of lines.slice(done)) {
        if (line !== 'take') insertion += 1;
        for (const event of eventsOf(line, insertion)) handle(event);
      }
      done = lines.length;
      await clock.sleep(POLL_MS, stopped.signal);
    }
  };
  return {
    start: (handle) => {
      running = follow(handle);
    },
    feedback: () => undefined,
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

function eventsOf(line: string, insertion: number): readonly ReaderEvent[] {
  const [what, ...rest] = line.split(' ');
  const [first = ''] = rest;
  const of = { reader: READER, insertion };
  const begin = { kind: 'inserted' as const, ...of };
  switch (what) {
    case 'card':
      return [
        begin,
        {
          kind: 'card',
          ...of,
          card: { uid: first, badge: { kind: 'badge', codes: [first, ...rest.slice(1)] } },
        },
      ];
    case 'text':
      return [begin, { kind: 'text', ...of, text: rest.join(' ') }];
    case 'unread':
      return [begin, { kind: 'unread', ...of, reason: 'mute' }];
    default:
      return [{ kind: 'removed', reader: READER }];
  }
}
