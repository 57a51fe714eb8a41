/**
 * Finds the files and folders that a document names. Pure.
 *
 * A path is in backticks and contains a slash. It ends like a file or with a slash, or begins with one of our folders.
 * In a section whose heading names a folder, a path may be relative to that folder.
 */

/** A named path, and all places that it may mean, from the root of the repository. */
export type NamedPath = { readonly name: string; readonly candidates: readonly string[] };

/** All paths in a Markdown text, in order, each once per section. Code blocks are left out. */
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
