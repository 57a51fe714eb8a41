/**
 * A proxy for an object that may be replaced, such as a database that is opened again.
 *
 * Invariant: the proxy wraps the functions of the object and of its direct members. It copies every other value once.
 */

type Part = Readonly<Record<string, unknown>>;

/** An object of the same shape as `sample`. Each function is called on the current object through `call`. */
export function everyCallThrough<Whole extends object>(
  sample: Whole,
  call: <Result>(use: (whole: Whole) => Result) => Result,
): Whole {
  const wrap = (part: Part, pick: (whole: Whole) => Part, depth: number): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => {
        if (typeof value === 'function') {
          return [
            name,
            (...args: readonly unknown[]) =>
              call((whole) => (pick(whole)[name] as (...given: readonly unknown[]) => unknown)(...args)),
          ];
        }
        if (depth === 0 && typeof value === 'object' && value !== null) {
          return [name, wrap(value as Part, (whole) => pick(whole)[name] as Part, 1)];
        }
        return [name, value];
      }),
    );
  return wrap(sample as Part, (whole) => whole as Part, 0) as Whole;
}
