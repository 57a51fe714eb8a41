/**
 * References from code and documents to anchors in documents. Pure: each fault is returned as a sentence; a correct
 * text has none.
 *
 * The only form in code is the path from the root of the repository with its anchor: `docs/laws.md#law-4`.
 */

/** Anchors of the document at a path from the root; null if the document does not exist. */
export type AnchorsAt = (path: string) => ReadonlySet<string> | null;

const REFERENCE = /(?<![\w./-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g;
const BARE = /\blaws?\s+\d+|(?<!Open)\bAPI\s+document\b|\bapi[-]silences\b|\bsections?\s+"[A-Z][\w -]*"/gi;
const CONTINUED_COMMENT = /\n[ \t]*(?:\*(?!\/)|\/\/)[ \t]*/g;

/** All anchors of a Markdown text: explicit ids, and its headings as code forges name them. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const text = withoutCodeBlocks(markdown);
  const explicit = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => anchorOfHeading(title));
  return new Set([...explicit, ...headings]);
}

function anchorOfHeading(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function withoutCodeBlocks(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

/**
 * References in a source text that do not resolve, and mentions of laws or the interface that do not use the form of
 * a reference.
 */
export function referenceFaults(path: string, text: string, anchorsAt: AnchorsAt): readonly string[] {
  const flowing = text.replaceAll(CONTINUED_COMMENT, ' ');
  const broken = [...flowing.matchAll(REFERENCE)]
    .filter(([reference]) => !leadsSomewhere(reference, anchorsAt))
    .map(([reference]) => `${path}: ${reference} leads nowhere`);
  const bare = [...flowing.matchAll(BARE)].map(([mention]) => `${path}: "${mention}" is no reference`);
  return [...broken, ...bare];
}

/** Links of a Markdown text to documents of the repository that do not resolve. `path` from the root. */
export function linkFaults(path: string, markdown: string, anchorsAt: AnchorsAt): readonly string[] {
  return [...withoutCodeBlocks(markdown).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target) || !/\.md(?:#|$)|^#/.test(target)) return [];
    const from = target.startsWith('#') ? path : new URL(target, `file:///${path}`).pathname.slice(1);
    const anchor = target.includes('#') ? target.slice(target.indexOf('#')) : '';
    return leadsSomewhere(`${from}${anchor}`, anchorsAt) ? [] : [`${path}: ${target} leads nowhere`];
  });
}

function leadsSomewhere(reference: string, anchorsAt: AnchorsAt): boolean {
  const [path = '', anchor] = reference.split('#');
  const anchors = anchorsAt(path);
  return anchors !== null && (anchor === undefined || anchors.has(anchor));
}
