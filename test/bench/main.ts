/**
 * The bench runner: `npm run bench -- <name> [--json]` runs `test/bench/<name>.ts`.
 *
 * A bench measures two things side by side in one run and gives their ratio, since times alone say more about the
 * machine than about the code. Each file exports `bench`, which answers rows one by one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchModule, Row } from './row.ts';

/** Whether a file exports a bench; it is read for that, not run. */
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

const run = async (name: string, asJson: boolean): Promise<void> => {
  if (!names.includes(name)) {
    process.stderr.write(help);
    process.exitCode = 2;
    return;
  }
  const { bench } = (await import(
    pathToFileURL(join(import.meta.dirname, `${name}.ts`)).href
  )) as BenchModule;
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  if (!asJson) say(line(['bench', 'metric', 'value', 'unit', 'baseline', 'ratio']));
  for await (const row of await bench()) say(asJson ? JSON.stringify(row) : line(columns(row)));
};

const args = process.argv.slice(2);
const [name, ...rest] = args.filter((arg) => !arg.startsWith('--'));
if (name === undefined || rest.length > 0 || args.includes('--help')) process.stdout.write(help);
else await run(name, args.includes('--json'));
