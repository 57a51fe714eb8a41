/**
 * `npm run package -- [--need-runtime] [kind ...]`: makes installable packages of Touchpoint.
 *
 * Invariants:
 * - the last lines name every package that was made, and every one that was not made, with the reason;
 * - exit codes: 0 when every requested package that can be made here was made, 2 for a wrong command, 1 for a failure.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { kindNames, type Made, makePackage } from './kinds.ts';
import { buildBundles } from './stage.ts';

const HELP = `npm run package -- [--need-runtime] [${kindNames.join('|')} ...]

Makes packages in release/ (without a kind: all of them). If Electron's runtime is missing, the Electron packages are
made with a stand-in, to be opened and compared, in release/stand-in/; --need-runtime fetches the real one,
and fails if that is impossible. The kiosk is the browser shell with its own Node.js and needs no Electron.
`;

const root = join(import.meta.dirname, '..');

function readArguments(args: readonly string[]) {
  const options = { 'need-runtime': { type: 'boolean' }, help: { type: 'boolean' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const kinds = kindNames.filter((name) => positionals.length === 0 || positionals.includes(name));
    const unknown = positionals.find((name) => !(kindNames as readonly string[]).includes(name));
    return unknown === undefined ? { kinds, ...values } : `There is no kind of package "${unknown}".`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function main(args: readonly string[]): Promise<number> {
  const asked = readArguments(args);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked} Try --help.\n`);
    return 2;
  }
  if (asked.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const release = join(root, 'release');
  const work = join(release, '.work');
  mkdirSync(work, { recursive: true });
  const bundles = join(work, 'bundles');
  buildBundles(root, bundles);
  const order = { root, bundles, release, work, mustBeReal: asked['need-runtime'] === true };
  const made: Made[] = [];
  for (const kind of asked.kinds) made.push(...(await makePackage(kind, order)));
  rmSync(work, { recursive: true });
  for (const { name, file, note } of made) {
    const what = file === null ? 'not made' : basename(file);
    process.stdout.write(`${name}: ${what}${note === null ? '' : ` (${note})`}\n`);
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
