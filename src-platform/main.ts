/**
 * Entry point of the platform service: `node src-platform/main.ts [options]`, see `--help`.
 *
 * Each command loads only its own modules, so that help and the refusal of a mistyped option appear at once.
 */
import { BadOption, help, parseServeOptions } from './options.ts';

function say(text: string): void {
  process.stdout.write(text);
}

async function manageKeys(args: readonly string[]): Promise<void> {
  const { keysHelp, parseKeysCommand } = await import('./keys-command.ts');
  const { openExistingData } = await import('./data.ts');
  const command = parseKeysCommand(args);
  if (command === null) return say(keysHelp);
  const store = await openExistingData(command.data, command.database);
  try {
    for (const line of await command.run(store, new Date())) say(`${line}\n`);
  } finally {
    await store.close();
  }
}

async function run(args: readonly string[]): Promise<void> {
  if (args[0] === 'keys') return manageKeys(args.slice(1));
  const options = parseServeOptions(args, process.env);
  if (options === null) return say(help);
  const { serve } = await import('./serve.ts');
  await serve(options);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BadOption)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
