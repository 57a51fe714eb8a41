/**
 * References to laws and to the API documents are links that resolve, in code and in the documents themselves.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, linkFaults, referenceFaults } from './references.ts';

const root = join(import.meta.dirname, '..', '..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');

const filesLike = (patterns: readonly string[]): readonly string[] =>
  globSync([...patterns], { cwd: root, exclude: ['**/node_modules/**'] }).sort();

/** Without this file, whose examples are faults. */
const sources = filesLike([
  'src-*/**/*.{ts,tsx,mjs,css,html}',
  'packages/**/*.{ts,mjs}',
  'setup/**/*.mjs',
  'test/**/*.ts',
  'docs/**/*.ts',
  '*.ts',
]).filter((path) => path !== 'test/setup/references.test.ts');
const documents = filesLike(['*.md', 'docs/**/*.md', '.github/**/*.md', 'packages/**/*.md']);

function anchorsAt(path: string): ReadonlySet<string> | null {
  return existsSync(join(root, path)) ? anchorsOf(text(path)) : null;
}

test('every reference in code resolves to a document and an anchor, and no law or section is cited without one', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.flatMap((path) => referenceFaults(path, text(path), anchorsAt))).toEqual([]);
});

test('every link between the documents resolves', () => {
  expect(documents.length).toBeGreaterThan(20);
  expect(documents.flatMap((path) => linkFaults(path, text(path), anchorsAt))).toEqual([]);
});

test('each of the fifteen laws has its anchor', () => {
  const anchors = anchorsOf(text('docs/laws.md'));
  for (let number = 1; number <= 15; number++) expect(anchors).toContain(`law-${number}`);
});

describe('the check of references', () => {
  const known = (path: string) =>
    path === 'docs/a.md' ? anchorsOf('# From the top\n```\n# not a heading\n```\n<a id="b"></a>') : null;

  test.each([
    ['docs/a.md#c', ['x.ts: docs/a.md#c leads nowhere']],
    ['docs/a.md#not-a-heading', ['x.ts: docs/a.md#not-a-heading leads nowhere']],
    ['docs/c.md', ['x.ts: docs/c.md leads nowhere']],
    ['/** By law 4. */', ['x.ts: "law 4" is no reference']],
    ['/**\n * By the laws\n * 1 to 4. */', ['x.ts: "laws 1" is no reference']],
    ['(API\n  // document, "Limits")', ['x.ts: "API document" is no reference']],
    ['(api-silences, "Lists")', ['x.ts: "api-silences" is no reference']],
    ['(section "Limits")', ['x.ts: "section "Limits"" is no reference']],
  ])('reports %j in code', (source, faults) => {
    expect(referenceFaults('x.ts', source, known)).toEqual(faults);
  });

  test.each(['docs/a.md', 'docs/a.md#b', 'docs/a.md#from-the-top', 'the OpenAPI document'])(
    'accepts %j in code',
    (source) => {
      expect(referenceFaults('x.ts', source, known)).toEqual([]);
    },
  );

  test.each([
    ['docs/e.md', '[a](a.md#c)'],
    ['docs/d/e.md', '[a](a.md)'],
    ['docs/a.md', '[a](#c)'],
  ])('reports in %s the link %s', (path, markdown) => {
    expect(linkFaults(path, markdown, known)).toHaveLength(1);
  });

  test.each([
    ['docs/e.md', '[a](a.md#b)'],
    ['docs/d/e.md', '[a](../a.md)'],
    ['docs/a.md', '[a](#b)'],
    ['docs/e.md', '[a](https://example.org/c.md#d)'],
  ])('accepts in %s the link %s', (path, markdown) => {
    expect(linkFaults(path, markdown, known)).toEqual([]);
  });
});
