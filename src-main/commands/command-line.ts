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
) {
  const values = parse({ ...options, help: { type: 'boolean', short: 'h' } } as const);
  if ('help' in values && values.help === true) {
    process.stdout.write(help);
    process.exit(0);
  }
  return values;
}

function parse<Options extends NonNullable<ParseArgsConfig['options']>>(options: Options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : 'Unknown option'}. Try --help.`);
  }
}
