/**
 * A log file that rotates each day and at a maximum size.
 *
 * - Nothing here throws. After the log was opened, only `flush` blocks, for one write.
 * - A line that cannot be written is dropped. `failed` reports the first such line, and the first line written after it.
 * - At most 1 MB is buffered in memory.
 * - The oldest files are removed. Files with other names stay.
 * - Folder and files are readable by their owner only.
 *
 * Why not pino-roll (4.0.0): after a failed open, for example of a folder that is a file, its `write` throws into the
 * app (sonic-boom, `ERR_OUT_OF_RANGE`), and it does not open the file again.
 */
import { appendFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { appendFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

export type RollingFile = {
  /** Queues a line, which ends in a line feed. */
  readonly write: (line: string) => void;
  /** Resolves when every line queued so far is written or dropped. */
  readonly idle: () => Promise<void>;
  /** Writes the buffered lines at once, for the end of the program. */
  readonly flush: () => void;
};

type Settings = {
  readonly folder: string;
  /** Files are `<name>.<yyyy-mm-dd>.<number>.log`, the day in local time. */
  readonly name: string;
  readonly maxBytes: number;
  /** How many older files are kept besides the current one. */
  readonly keep: number;
  /** Wall time in milliseconds. */
  readonly now: () => number;
  /** Called when a write fails, and with null when writing works again. */
  readonly failed: (error: Error | null) => void;
};

type Current = { readonly day: string; readonly number: number; readonly bytes: number };

const maxWaitingBytes = 1_000_000;

/** Opens the log. It continues the latest file of today, and creates the folder where it is missing. */
export function openRollingFile(settings: Settings): RollingFile {
  tryToMake(settings.folder);
  let current = latestOf(settings, dayOf(settings.now()));
  let waiting = '';
  let writing: Promise<void> | null = null;
  let failing = false;
  let lastPath = '';

  /** Removes and returns the buffered lines with their file. */
  const take = () => {
    const text = waiting;
    waiting = '';
    current = nextOf(current, settings, Buffer.byteLength(text));
    return { text, path: pathOf(settings, current) };
  };

  const report = (error: unknown): void => {
    if (failing === (error !== null)) return;
    failing = error !== null;
    settings.failed(error === null || error instanceof Error ? error : new Error(String(error)));
  };

  const writeAll = async (): Promise<void> => {
    while (waiting !== '') {
      const { text, path } = take();
      try {
        if (failing) await mkdir(settings.folder, { recursive: true, mode: 0o700 });
        await appendFile(path, text, { mode: 0o600 });
        if (path !== lastPath) await removeOldest(settings);
        lastPath = path;
        report(null);
      } catch (error) {
        report(error);
      }
    }
    writing = null;
  };

  return {
    write: (line) => {
      if (waiting.length + line.length > maxWaitingBytes) return;
      waiting += line;
      writing ??= Promise.resolve().then(writeAll);
    },
    idle: () => writing ?? Promise.resolve(),
    flush: () => {
      if (waiting === '') return;
      const { text, path } = take();
      try {
        appendFileSync(path, text, { mode: 0o600 });
      } catch (error) {
        report(error);
      }
    },
  };
}

/** The file to which this many more bytes are written. */
function nextOf(current: Current, { now, maxBytes }: Settings, bytes: number): Current {
  const day = dayOf(now());
  if (day !== current.day) return { day, number: 1, bytes };
  const isFull = current.bytes >= maxBytes;
  return { day, number: current.number + (isFull ? 1 : 0), bytes: (isFull ? 0 : current.bytes) + bytes };
}

function tryToMake(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // The first write will report what is wrong with the folder.
  }
}

/** The latest file of a day, or the name of the first one. */
function latestOf(settings: Settings, day: string): Current {
  try {
    const files = filesAmong(readdirSync(settings.folder), settings.name);
    const number = files.findLast((file) => file.day === day)?.number ?? 1;
    const stat = statSync(pathOf(settings, { day, number }), { throwIfNoEntry: false });
    return { day, number, bytes: stat?.size ?? 0 };
  } catch {
    // The first write will report what is wrong with the folder.
    return { day, number: 1, bytes: 0 };
  }
}

async function removeOldest({ folder, name, keep }: Settings): Promise<void> {
  const files = filesAmong(await readdir(folder), name);
  for (const file of files.slice(0, -(keep + 1))) await rm(pathOf({ folder, name }, file), { force: true });
}

/** The files of this log among these names, oldest first. */
function filesAmong(names: readonly string[], name: string): readonly Omit<Current, 'bytes'>[] {
  return names
    .flatMap((file) => {
      const [, day, number] = /^\.(\d{4}-\d\d-\d\d)\.(\d{1,6})\.log$/.exec(file.slice(name.length)) ?? [];
      if (!file.startsWith(name) || day === undefined) return [];
      return [{ day, number: Number(number) }];
    })
    .toSorted((a, b) => a.day.localeCompare(b.day) || a.number - b.number);
}

function pathOf({ folder, name }: Pick<Settings, 'folder' | 'name'>, file: Omit<Current, 'bytes'>): string {
  return join(folder, `${name}.${file.day}.${file.number}.log`);
}

function dayOf(time: number): string {
  const date = new Date(time);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
