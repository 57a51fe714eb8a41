/**
 * What every command that only reads begins with: its options, `--help`, and a refusal.
 *
 * Invariant: whatever is wrong is one sentence on stderr and exit code 2.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Ends the command with one sentence. */
export function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

/** The values of `options` on the command line; `--help` prints `help` and ends the command with code 0. */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
  help: string,
  args: readonly string[] = process.argv.slice(2),
) {
  const values = parse(args, { ...options, help: { type: 'boolean', short: 'h' } } as const);
  if ('help' in values && values.help === true) {
    process.stdout.write(help);
    process.exit(0);
  }
  return values;
}

function parse<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : 'Unknown option'}. Try --help.`);
  }
}
