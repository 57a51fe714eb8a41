/**
 * Why the reader's native module cannot be loaded, in one sentence for whoever prepares the device. Pure.
 *
 * Invariant: a module that was compiled for another runtime is named as that, with the way out; everything else keeps the
 * runtime's own first line.
 */

/** As Node.js says it, over several lines (node.cc, "was compiled against a different Node.js version"). */
const OTHER_RUNTIME = /NODE_MODULE_VERSION (\d+)\.[\s\S]*NODE_MODULE_VERSION (\d+)/;

/** The sentence for the message of a failed load; at most 400 characters. */
export function moduleFault(message: string): string {
  const [, compiledFor, needed] = OTHER_RUNTIME.exec(message) ?? [];
  if (compiledFor !== undefined && needed !== undefined) {
    return (
      `the reader module was compiled for module version ${compiledFor}, and this runtime has ${needed}; ` +
      'start from a source tree with npm start, or build the package again with npm run package'
    );
  }
  return `the reader module cannot be loaded: ${message.split('\n')[0]?.slice(0, 350) ?? ''}`;
}
