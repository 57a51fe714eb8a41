/** A layer of the product: the permitted imports of one part. */

/** One layer. Paths are relative to the repository; a folder includes everything below it. */
export type Layer = {
  readonly path: string;
  readonly mayImport: readonly string[];
  /** Packages by name; `types only` after a name allows `import type`. */
  readonly packages: readonly string[];
  /** Modules of Node.js without `node:`. `all` is for programs that use Node.js everywhere. */
  readonly node: readonly string[] | 'all';
};
