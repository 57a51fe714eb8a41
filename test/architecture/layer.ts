/** A layer of the product: what one part of it may import. */

/** One layer. Paths are relative to the repository; a folder stands for all below it. */
export type Layer = {
  readonly path: string;
  readonly mayImport: readonly string[];
  /** Packages by name; `types only` after a name allows `import type`. */
  readonly packages: readonly string[];
  /** Parts of Node.js without `node:`; `all` for programs that are Node.js through and through. */
  readonly node: readonly string[] | 'all';
};
