/**
 * Paths and methods: a trailing slash is ignored, and a known path with another method is answered with 405 and the
 * list of methods.
 */
import type { Operation } from './operation.ts';

/** The address without the slash at the end of its path. */
export function withoutTrailingSlash(address: string): string {
  const [path = '', ...query] = address.split('?');
  return path.endsWith('/') && path.length > 1 ? [path.slice(0, -1), ...query].join('?') : address;
}

/** Returns the methods of a path below `base`, in the order of the operations; none for an unknown path. */
export function createMethodTable(
  base: string,
  operations: readonly Operation[],
): (address: string) => readonly string[] {
  const patterns = operations.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${base}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return (address) => {
    const [path = ''] = address.split('?');
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  };
}
