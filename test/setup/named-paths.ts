/**
 * Files and folders that a document names. Pure.
 *
 * A path is what stands in backticks with a slash in it and ends like a file or with a slash. In a section whose heading
 * names a folder, a path may be told from that folder.
 */

/** A named path, and all places it may stand for, from the root of the repository. */
export type NamedPath = { readonly name: string; readonly candidates: readonly string[] };

/** All paths a Markdown text names, in their order, each once per section. Drawings in code blocks are left out. */
export function namedPaths(markdown: string): readonly NamedPath[] {
  const sections = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').split(/^(?=#{1,6} )/m);
  return sections.flatMap((section) => {
    const folder = /^#{1,6} .*`([\w./-]+?)\/?`/.exec(section)?.[1];
    const names = [...section.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name).filter(isPath);
    return [...new Set(names)].map((name) => ({
      name,
      candidates: folder === undefined ? [name] : [name, `${folder}/${name}`],
    }));
  });
}

function isPath(name: string): boolean {
  return (
    /^[\w.-]+\/[\w./-]*$/.test(name) && /(?:\/|\.[a-z]+|^(?:src-|test\/|docs\/|setup\/)[\w./-]+)$/.test(name)
  );
}
