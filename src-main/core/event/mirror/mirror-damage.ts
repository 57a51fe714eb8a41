/**
 * Distinguishes a damaged mirror from a faulty disk.
 *
 * Invariant: a disk that is full, busy, read-only or failing does not mean damage. The file is kept.
 */
import { parseJson } from '../../foundations/api/json.ts';
import { isUnreadable } from '../../foundations/store/database.ts';

/** Thrown when content of the mirror differs from what was written. */
export class MirrorDamage extends Error {
  override readonly name = 'MirrorDamage';
}

/** A record as JSON. */
export type Body = Readonly<Record<string, unknown>>;

/** Parses the body in a row. @throws MirrorDamage or SyntaxError when it is not a JSON object */
export function bodyOf(text: unknown): Body {
  const body = typeof text === 'string' ? parseJson(text) : null;
  if (typeof body !== 'object' || body === null) throw new MirrorDamage('a record has no body');
  return body as Body;
}

/** Whether an error means that the mirror must be fetched again. */
export function isMirrorDamage(error: unknown): boolean {
  // Bodies are JSON. Text that is not JSON was changed on the disk.
  return error instanceof MirrorDamage || error instanceof SyntaxError || isUnreadable(error);
}
