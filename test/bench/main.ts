/**
 * The bench runner: `npm run bench -- <name> [--json]` runs `test/bench/<name>.ts`.
 *
 * Most benches measure two things side by side in one run and print their ratio, because absolute times depend more on
 * the machine than on the code. Each file exports `bench`, which yields or returns rows.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { BenchModule, BenchOptions, Row } from './row.ts';

/** Whether a file exports a bench. The file is read, not run. */
const isBench = (file: string): boolean =>
  /^export (const|function|async function\*?) bench\b/m.test(
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  );

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && isBench(file))
  .map((file) => file.slice(0, -3))
  .sort();

const help = `Usage: npm run bench -- NAME [--json]

Benches: ${names.join(', ')}
`;

const number = (value: number | undefined): string => {
  if (value === undefined) return '';
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(3);
};

const columns = (row: Row): readonly string[] => [
  row.bench,
  row.metric,
  number(row.value),
  row.unit,
  number(row.baseline),
  number(row.ratio),
];

const widths = [14, 52, 12, 8, 12, 8];

const line = (cells: readonly string[]): string =>
  cells
    .map((cell, index) => {
      const width = widths[index] ?? 0;
      return index < 2 || index === 3 ? cell.padEnd(width) : cell.padStart(width);
    })
    .join(' ')
    .trimEnd();

const refuse = (why: string): void => {
  process.stderr.write(why);
  process.exitCode = 2;
};

/** The options of a bench; null if they are invalid. */
const read = (args: readonly string[], options: BenchOptions) => {
  try {
    const { json, ...given } = parseArgs({
      args: [...args],
      options: { json: { type: 'boolean', default: false }, ...options },
    }).values;
    return { asJson: json === true, given: given as Readonly<Record<string, string>> };
  } catch {
    return null;
  }
};

const run = async (name: string, args: readonly string[]): Promise<void> => {
  if (!names.includes(name)) return refuse(help);
  const { bench, options } = (await import(
    pathToFileURL(join(import.meta.dirname, `${name}.ts`)).href
  )) as BenchModule;
  const understood = read(args, options ?? {});
  if (understood === null)
    return refuse(`${help}Options of ${name}: ${['json', ...Object.keys(options ?? {})].join(', ')}\n`);
  const { asJson, given } = understood;
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  if (!asJson) say(line(['bench', 'metric', 'value', 'unit', 'baseline', 'ratio']));
  for await (const row of await (options ? bench(given) : bench()))
    say(asJson ? JSON.stringify(row) : line(columns(row)));
};

const args = process.argv.slice(2);
const name = args.find((arg) => !arg.startsWith('--'));
if (name === undefined || args.includes('--help')) process.stdout.write(help);
else
  await run(
    name,
    args.filter((arg) => arg !== name),
  );
