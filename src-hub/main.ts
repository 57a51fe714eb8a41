/**
 * Entry point of the hub: `npm run hub -- [options]`, see `--help`.
 *
 * It loads only the modules of the command, so help and the refusal of a mistyped option appear at once.
 */
import { whyOf } from '../src-main/core/foundations/trace.ts';
import { BadOption } from '../src-platform/options.ts';
import { help, parseHubOptions } from './options.ts';

/** Prints a defect as `whyOf` describes it: an error message may quote a lead or a token (docs/laws.md#law-9). */
function endByDefect(error: unknown): never {
  process.stderr.write(`${whyOf(error)}\n`);
  process.exit(1);
}

function say(text: string): void {
  process.stdout.write(text);
}

async function run(args: readonly string[]): Promise<void> {
  if (args[0] === 'devices') {
    const { manageDevices } = await import('./devices-command.ts');
    return manageDevices(args.slice(1), say);
  }
  if (args[0] === 'destinations') {
    const { manageDestinations } = await import('./destinations-command.ts');
    return manageDestinations(args.slice(1), say);
  }
  if (args[0] === 'fleet') {
    const { manageFleet } = await import('./fleet-command.ts');
    return manageFleet(args.slice(1), say);
  }
  if (args[0] === 'health') {
    const { checkHealth } = await import('./health-command.ts');
    process.exitCode = await checkHealth(args.slice(1), say);
    return;
  }
  const options = parseHubOptions(args, process.env);
  if (options === null) return say(help);
  const { sentenceOf, serve } = await import('./hub.ts');
  try {
    await serve(options);
  } catch (error) {
    const sentence = sentenceOf(error);
    throw sentence === null ? error : new BadOption(sentence);
  }
}

process.on('uncaughtException', endByDefect);
try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BadOption)) endByDefect(error);
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}
