/** Values for fuzzing, made from the schemas of the OpenAPI description, with hostile values among them. */
import { createRandom, type Random } from '../../src-platform/seed/random.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema is a tree of anything.
export type Schema = any;

const strings = [
  '',
  ' ',
  'a',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '😀'.repeat(60),
  'x'.repeat(5000),
  '../../etc/passwd',
  "' or 1=1 --",
  '{{7*7}}',
  '__proto__',
  'constructor',
  '2026-11-21T10:00:00Z',
  '2026-02-30T25:61:00Z',
  '+275760-09-13T00:00:00.001Z',
  '-000001-01-01T00:00:00Z',
  '#12345g',
  'http://[::1',
  'javascript:alert(1)',
  'NaN',
  '9223372036854775808',
  'ا̷ل\u202e',
];

const numbers = [0, -0, -1, 1, 1.5, 100, 101, 1001, 2 ** 31, 2 ** 53, 1e308, -1e308, 5e-324];

const nest = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

export type Values = {
  readonly random: Random;
  /** A value for a schema. `wrongness`, from 0 to 1: the higher it is, the more errors the value has. */
  readonly of: (schema: Schema, wrongness: number, name?: string) => unknown;
  readonly hostile: () => unknown;
  readonly text: () => string;
};

/** Returns existing ids for a field or parameter such as `visitorID`. */
export type Known = (name: string) => readonly string[];

/** A source of values. */
export const createValues = (start: number, known: Known): Values => {
  const random = createRandom(start);
  const text = (): string => random.pick(strings);
  const hostile = (): unknown =>
    random.pick<() => unknown>([
      text,
      () => random.pick(numbers),
      () => null,
      () => true,
      () => [],
      () => ({}),
      () => nest(5 + random.below(60)),
      () => ({ constructor: { prototype: { polluted: true } } }),
      () => ({ toString: 1, valueOf: 2, hasOwnProperty: 3 }),
      () => Array.from({ length: 300 }, () => 'x'),
    ])();

  const ofString = (schema: Schema, name: string): string => {
    if (schema.format === 'date-time') return `2026-11-${10 + random.below(20)}T10:00:00Z`;
    if (schema.format === 'email') return `${random.hex(6)}@example.org`;
    if (schema.format === 'uri') return `https://example.org/${random.hex(4)}`;
    if (schema.pattern === '^#[0-9a-fA-F]{6}$') return `#${random.hex(6)}`;
    if (String(schema.pattern).includes('{8}')) {
      return `${random.hex(8)}-${random.hex(4)}-7${random.hex(3)}-8${random.hex(3)}-${random.hex(12)}`;
    }
    return random.chance(0.7) ? random.pick(known(name)) : random.hex(1 + random.below(20));
  };

  const ofObject = (schema: Schema, wrongness: number): Record<string, unknown> => {
    const made: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const isRequired = (schema.required ?? []).includes(name);
      if (!random.chance(isRequired ? 1 - wrongness / 4 : 0.5)) continue;
      made[name] = of(property, wrongness, name);
    }
    if (random.chance(wrongness / 4)) made[text()] = hostile();
    return made;
  };

  const of = (schema: Schema, wrongness: number, name = ''): unknown => {
    if (random.chance(wrongness / 3)) return hostile();
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return random.pick(schema.enum);
    if (schema.anyOf) return of(random.pick(schema.anyOf), wrongness, name);
    switch (schema.type) {
      case 'string':
        return ofString(schema, name);
      case 'integer':
      case 'number':
        return random.below((schema.maximum ?? 50) + 1);
      case 'boolean':
        return random.chance(0.5);
      case 'null':
        return null;
      case 'array':
        return Array.from({ length: random.below(4) }, () => of(schema.items ?? {}, wrongness, name));
      case 'object':
        return ofObject(schema, wrongness);
      default:
        return hostile();
    }
  };
  return { random, of, hostile, text };
};
