/**
 * The log on disk: one JSON line per event, in `logs/` of the data folder. A new file begins each day, and when the
 * current one has 10 MB. Ten older files are kept.
 *
 * - No key and no token reaches a file, at any place of a line (docs/laws.md#law-9).
 * - A full disk, or a file where `logs/` should be, stops the log and nothing else.
 * - Errors also go to stderr.
 */
import { join } from 'node:path';
import { pino } from 'pino';
import type { Log } from '../core/foundations/ports.ts';
import { openRollingFile } from './rolling-file.ts';

/** An open log. `flush` writes the buffered lines. */
export type OpenLog = Log & {
  readonly flush: () => void;
  /** Hides another secret from now on. */
  readonly hide: (secret: string) => void;
};

const secretFields = ['authorization', 'cookie', 'key', 'password', 'token'];

/** Opens the log below `folder`; each of `secrets` is hidden in every line. `now`: wall time. */
export function openLog(folder: string, secrets: readonly string[], now: () => number): OpenLog {
  const file = openRollingFile({
    folder: join(folder, 'logs'),
    name: 'touchpoint',
    maxBytes: 10_000_000,
    keep: 10,
    now,
    failed: (error) =>
      printError(
        error === null
          ? 'The log can be written again.'
          : `The log cannot be written (${error.message}); the app continues without it.`,
      ),
  });
  const hidden = new Set(secrets);
  const redact = redactor(hidden);
  const logger = pino(
    {
      base: { pid: process.pid },
      redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
    },
    { write: (line: string) => file.write(redact(line)) },
  );
  return {
    error: (what, details) => {
      printError(redact(what));
      logger.error(details ?? {}, what);
    },
    warn: (what, details) => logger.warn(details ?? {}, what),
    info: (what, details) => logger.info(details ?? {}, what),
    flush: file.flush,
    hide: (secret) => void hidden.add(secret),
  };
}

/** Returns a function that hides every secret of at least 6 characters. Shorter ones also occur in ordinary words. */
function redactor(secrets: ReadonlySet<string>): (text: string) => string {
  return (text) =>
    [...secrets].reduce(
      (redacted, secret) => (secret.length >= 6 ? redacted.replaceAll(secret, '[hidden]') : redacted),
      text,
    );
}

function printError(line: string): void {
  process.stderr.write(`Touchpoint: ${line}\n`);
}
