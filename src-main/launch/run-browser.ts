/**
 * The process of a start with the browser shell: what ends it, and what does not.
 *
 * Invariants: a signal ends everything we started within two seconds; a defect is logged once, said honestly, and ends
 * with code 1; what becomes of our output never ends us.
 */
import { startInBrowser, type Tree } from './browser-start.ts';
import type { Options } from './options.ts';

const END_WITHIN_MS = 1_800;

/** Starts and stays; a signal ends it. @throws {StartRefusal} */
export async function runBrowserShell(options: Options, tree: Tree): Promise<void> {
  outliveOutput();
  // What is written here is for the owner of this account alone, also in a folder that others may read.
  process.umask(0o077);
  const starting = startInBrowser(options, tree);
  endOnSignals(async () => (await starting).stop());
  const { log } = await starting;
  process.on('uncaughtException', (error) => {
    log.error('A defect ended the app', { error: error.stack });
    log.flush();
    process.exit(1);
  });
}

/** What is printed may go to a disk that is full or to a program that is gone; neither is a reason to end. */
function outliveOutput(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}

/** The first signal ends in order, with a limit; more of them change nothing. */
function endOnSignals(stop: () => Promise<void>): void {
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}
