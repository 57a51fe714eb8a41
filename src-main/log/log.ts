/**
 * The log on disk: one JSON line per event, in `logs/` of the data folder, a file a day, at most 10 MB each, ten kept.
 *
 * Invariants: no key and no token reaches a file, wherever in a line it stands (law 9); a full disk stops the log and
 * nothing else; what a person should look at is also said on stderr.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import buildRoll from 'pino-roll';
import type { Log } from '../core/ports.ts';

/** An open log. `flush` writes what is still in memory. */
export type OpenLog = Log & { readonly flush: () => void };

const secretFields = ['authorization', 'cookie', 'key', 'password', 'token'];

/** Opens the log below `folder`; each of `secrets` is hidden wherever it would appear. */
export async function openLog(folder: string, secrets: readonly string[]): Promise<OpenLog> {
  const logs = join(folder, 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const file = await buildRoll({
    file: join(logs, 'touchpoint'),
    frequency: 'daily',
    dateFormat: 'yyyy-MM-dd',
    size: '10m',
    limit: { count: 10 },
  });
  let failed = false;
  file.on('error', (error: Error) => {
    if (!failed) printError(`The log cannot be written (${error.message}); going on without it.`);
    failed = true;
  });
  const redact = redactor(secrets);
  const logger = pino(
    {
      base: { pid: process.pid },
      redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
    },
    { write: (line: string) => void file.write(redact(line)) },
  );
  return {
    error: (what, details) => {
      printError(redact(what));
      logger.error(details ?? {}, what);
    },
    warn: (what, details) => logger.warn(details ?? {}, what),
    info: (what, details) => logger.info(details ?? {}, what),
    flush: () => {
      if (!failed) file.flushSync();
    },
  };
}

/** Too short a secret would hide ordinary words, and protects nothing. */
function redactor(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter((secret) => secret.length >= 6);
  return (text) => long.reduce((redacted, secret) => redacted.replaceAll(secret, '[hidden]'), text);
}

function printError(line: string): void {
  process.stderr.write(`Touchpoint: ${line}\n`);
}
