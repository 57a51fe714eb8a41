/**
 * `npm start`: from the command line to a running Touchpoint. Reads like a table of contents.
 *
 * Invariants: a start that is refused says one sentence and ends with code 2; a signal ends everything we started
 * within two seconds; a defect is logged once, said honestly, and ends with code 1;
 * what becomes of our output never ends us.
 */
import { StartRefusal } from '../core/refusal.ts';
import { helpText, type Options, parseOptions } from './options.ts';
import { chooseShell, thisMachine } from './shell-choice.ts';

const END_WITHIN_MS = 1_800;

async function main(args: readonly string[]): Promise<void> {
  const parsed = parseOptions(args, process.env);
  switch (parsed.kind) {
    case 'help':
      process.stdout.write(helpText);
      return;
    case 'wrong':
      throw new StartRefusal('options', parsed.sentence);
    case 'options':
      return start(parsed.options, args);
  }
}

async function start(options: Options, args: readonly string[]): Promise<void> {
  const choice = await chooseShell(options.shell, thisMachine);
  switch (choice.kind) {
    case 'refused':
      throw new StartRefusal('options', choice.sentence);
    case 'electron':
      return runElectron(choice.binary, args);
    case 'browser':
      return runInBrowser(options, choice.reason);
  }
}

/** What a shell needs is loaded only where it is used: help and refusals come at once. */
async function runElectron(binary: string, args: readonly string[]): Promise<void> {
  const { startElectron } = await import('./electron-start.ts');
  process.exitCode = await startElectron(binary, args);
}

async function runInBrowser(options: Options, why: string | null): Promise<void> {
  outliveOutput();
  // What is written here is for the owner of this account alone, also in a folder that others may read.
  process.umask(0o077);
  const { startInBrowser } = await import('./browser-start.ts');
  const starting = startInBrowser(options);
  endOnSignals(async () => (await starting).stop());
  const { log } = await starting;
  if (why !== null) process.stderr.write(`${why}\n`);
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

try {
  await main(process.argv.slice(2));
} catch (error) {
  const refused = error instanceof StartRefusal;
  process.stderr.write(`${refused ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(refused ? 2 : 1);
}
