/**
 * Paths and methods: a trailing slash means the same path without it, and a path that is known with other methods is
 * answered with 405 and their list.
 */
import type { Operation } from './operation.ts';

/** The address without the slash at the end of its path. */
export function withoutTrailingSlash(address: string): string {
  const [path = '', ...query] = address.split('?');
  return path.endsWith('/') && path.length > 1 ? [path.slice(0, -1), ...query].join('?') : address;
}

/** Answers the methods that a path below `base` has, in the order of the operations; none for an unknown path. */
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
