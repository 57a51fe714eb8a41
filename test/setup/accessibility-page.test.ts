/** The accessibility page lists every clause and criterion, and every test that it names exists. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs/accessibility.md'), 'utf8');
const rows = [...page.matchAll(/^\| (\d[\d.]*) [^|]*\| ([^|]*) \| ([^|]*)\|$/gm)].map(
  ([, clause = '', how = '', shown = '']) => ({ clause, how, shown }),
);

/** Every criterion of WCAG 2.2 at level A and AA; 4.1.1 was removed from it. */
const criteria = [
  ...['1.1.1', '1.2.1', '1.2.2', '1.2.3', '1.2.4', '1.2.5', '1.3.1', '1.3.2', '1.3.3', '1.3.4', '1.3.5'],
  ...['1.4.1', '1.4.2', '1.4.3', '1.4.4', '1.4.5', '1.4.10', '1.4.11', '1.4.12', '1.4.13'],
  ...['2.1.1', '2.1.2', '2.1.4', '2.2.1', '2.2.2', '2.3.1'],
  ...['2.4.1', '2.4.2', '2.4.3', '2.4.4', '2.4.5', '2.4.6', '2.4.7', '2.4.11'],
  ...['2.5.1', '2.5.2', '2.5.3', '2.5.4', '2.5.7', '2.5.8'],
  ...['3.1.1', '3.1.2', '3.2.1', '3.2.2', '3.2.3', '3.2.4', '3.2.6'],
  ...['3.3.1', '3.3.2', '3.3.3', '3.3.4', '3.3.7', '3.3.8', '4.1.2', '4.1.3'],
];

/** The clauses of EN 301 549 V3.2.1 that apply to the visitor's screen, as the page numbers them. */
const clauses = [
  ...Array.from({ length: 16 }, (_, index) => `5.1.3.${index + 1}`),
  ...['5.1.2.1', '5.1.4', '5.1.5', '5.1.6', '5.1.7', '5.2', '5.3', '5.4', '5.5', '5.6', '5.7', '5.8', '5.9'],
  ...['8.1', '8.3', '8.4', '8.5', '11.5', '11.6', '11.7', '11.8', '12.1.1', '12.1.2', '12.2'],
];

test('every criterion of WCAG 2.2 A and AA, and every clause that applies to the screen, has one row', () => {
  expect(criteria).toHaveLength(55);
  const named = rows.map(({ clause }) => clause);
  for (const clause of [...criteria, ...clauses])
    expect(
      named.filter((one) => one === clause),
      clause,
    ).toEqual([clause]);
  for (const { clause, how } of rows) expect(how.trim(), clause).not.toBe('');
});

test('every named test exists, and a row marked as not met names no test', () => {
  for (const { clause, how, shown } of rows)
    if (how.startsWith('*not met*')) expect(shown.trim(), clause).toBe('');
  const files = rows.flatMap(({ shown }) => [...shown.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file));
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) {
    expect(file).toMatch(/^test\/.*\.test\.ts$/);
    expect(existsSync(join(root, file)), file).toBe(true);
  }
});
