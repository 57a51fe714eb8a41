/** The files of a package as text, which is reviewed when it changes. */

/** File names of native code. */
const native = /\.(node|so|dll|dylib|exe)(\.[\d.]+)?$/;

/**
 * One line per file, sorted. An npm package is one line with its number of files, and its native code is listed by
 * name. `*` stands for a checksum that the bundler writes into a name, and for the whole name of chunks that it split
 * off itself.
 */
export function contentsOf(files: readonly string[]): string {
  const lines = files
    .filter((path) => native.test(path) || !path.includes('node_modules/'))
    .map((path) => path.replace(/-[\w-]{8}(\.(?:js|css|woff2|wasm|json))$/, '-*$1'))
    .map((path) => path.replace(/(out\/(?:main|platform|browser|hub)\/).*-\*\.js$/, '$1*.js'));
  const packages = Map.groupBy(
    files.filter((path) => path.includes('node_modules/') && !native.test(path)),
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path,
  );
  const counted = [...packages].map(([path, inside]) => `${path}/ (${inside.length} files)`);
  return `${[...new Set([...lines, ...counted])].toSorted().join('\n')}\n`;
}

/** Files that no package may contain: the platform's own packages, sources, maps, tests, binaries of other systems. */
export function strangersIn(files: readonly string[], system: RegExp): readonly string[] {
  const forbidden =
    /node_modules\/(pg|nodemailer|fastify|kysely|@prometheus-io|@fastify|react|electron|nan|node-addon-api)\/|\.ts$|\.tsx$|\.map$|\.h$|\.cc$|\.cpp$|\.gyp$|(^|\/)(test|tests|src-main|src-platform|src-renderer)\//;
  const binary = /prebuilds\/|@img\/sharp-(libvips-)?(win32|darwin|linux|linuxmusl|freebsd|webcontainers)/;
  return files.filter((path) => forbidden.test(path) || (binary.test(path) && !system.test(path)));
}
