/**
 * The command line of a command: options, `--help`, and refusals.
 *
 * Invariant: a fault prints one sentence to stderr and exits with code 2.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Ends the command with one sentence. */
export function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

type OptionTable = NonNullable<ParseArgsConfig['options']>;

/** The values of `options` on the command line; `--help` prints `help` and ends the command with code 0. */
export function readOptions<Options extends OptionTable>(
  options: Options,
  help: string,
  args: readonly string[] = process.argv.slice(2),
) {
  return parse(args, options, help, false).values;
}

/** As `readOptions`, and also returns the positional arguments. */
export function readWords<Options extends OptionTable>(
  options: Options,
  help: string,
  args: readonly string[],
) {
  return parse(args, options, help, true);
}

function parse<Options extends OptionTable>(
  args: readonly string[],
  options: Options,
  help: string,
  allowPositionals: boolean,
) {
  const all = { ...options, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: all, allowPositionals });
    if ('help' in values && values.help === true) {
      process.stdout.write(help);
      process.exit(0);
    }
    return { values, positionals };
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : 'Unknown option'}. Try --help.`);
  }
}
