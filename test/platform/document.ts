/**
 * Reads the published interface (`fixtures/operations.md`) and lists everything in it that can be shown by a request
 * and its answer ("exchange"), each under a short name.
 *
 * The names are taken from the document's own words. So if a line is added, removed or reworded there, the table of
 * exchanges is incomplete.
 */
import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('./fixtures/operations.md', import.meta.url), 'utf8');

/** The lines below a heading, up to the next heading. */
const section = (heading: string): readonly string[] => {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'));
  if (start === -1) throw new Error(`The document has no section "${heading}".`);
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('#'));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
};

/** The rows of a section's first table without its header. */
const rows = (heading: string): readonly (readonly string[])[] => {
  const lines = section(heading);
  const first = lines.findIndex((line) => line.startsWith('|'));
  const cells: string[][] = [];
  for (const line of lines.slice(first + 2)) {
    if (!line.startsWith('|')) break;
    cells.push(
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  }
  return cells;
};

/** The numbers of a section's numbered list. */
const numbers = (heading: string): readonly string[] =>
  section(heading).flatMap((line) => /^(\d+)\. /.exec(line)?.[1] ?? []);

const bullets = (heading: string): readonly string[] =>
  section(heading).filter((line) => line.startsWith('- '));

/** The names of parameters in the query cell of an operation. */
const parameters = (cell: string): readonly string[] =>
  cell === 'none'
    ? []
    : cell
        .replaceAll(/\([^)]*\)/g, '')
        .split(',')
        .map((part) => part.trim());

export type DocumentedOperation = {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
};

/** The operations table. */
export const documentedOperations: readonly DocumentedOperation[] = rows('Operations').map(
  ([method = '', path = '', query = '']) => ({ method, path, query: parameters(query) }),
);

/** Everything that the table of exchanges must cover. */
export const toShow: readonly string[] = [
  ...documentedOperations.flatMap(({ method, path, query }) => [
    `${method} ${path}`,
    ...query.map((name) => `${method} ${path} ?${name}`),
  ]),
  ...rows('Common query parameters').map(([name = '']) => `parameter ${name.split(',')[0]}`),
  ...bullets('Common rules').map((_line, index) => `common rule ${index + 1}`),
  ...bullets('Content item (list form)').map((_line, index) => `content rule ${index + 1}`),
  ...numbers('Operation rules').map((number) => `operation rule ${number}`),
  ...numbers('Authentication').map((number) => `authentication ${number}`),
  ...rows('Webhook state').map(([state = '']) => `webhook state ${state}`),
  'order states',
  'payment states',
  'visitor registration state',
  ...rows('Webhook types').map(([type = '']) => `webhook type ${type}`),
  ...rows('Errors').map(([status = '']) => `error ${status}`),
  ...rows('Limits').map(([limit = '', value = '']) => `limit ${limit}: ${value.split(';')[0]}`),
];
