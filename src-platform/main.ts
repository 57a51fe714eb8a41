/**
 * The entry of the platform service: `node src-platform/main.ts [options]`, see `--help`.
 */
import { BadOption, help, parseServeOptions } from './options.ts';
import { serve } from './serve.ts';

const run = async (args: readonly string[]): Promise<void> => {
  const options = parseServeOptions(args);
  if (options === null) process.stdout.write(help);
  else await serve(options);
};

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BadOption)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
