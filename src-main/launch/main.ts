/**
 * `npm start`: from the command line to a running Touchpoint. Reads like a table of contents.
 *
 * Invariant: a start that is refused says one sentence and ends with code 2.
 */
import { StartRefusal } from '../core/foundations/refusal.ts';
import { helpText, type Options, parseOptions } from './options.ts';
import { endRefused } from './refused.ts';
import { chooseShell, thisMachine } from './shell-choice.ts';

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
  const { runBrowserShell } = await import('./run-browser.ts');
  const { sourceTree } = await import('./source-tree.ts');
  await runBrowserShell(options, sourceTree());
  if (why !== null) process.stderr.write(`${why}\n`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  endRefused(error);
}
