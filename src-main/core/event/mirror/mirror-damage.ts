/**
 * Distinguishes a damaged mirror from a faulty disk.
 *
 * Invariant: a disk that is full, busy, read-only or failing does not mean damage. The file is kept.
 */
import { parseJson } from '../../foundations/api/json.ts';
import { isUnreadable } from '../../foundations/store/database.ts';

/** Thrown when content of the mirror is not as it was written. */
export class MirrorDamage extends Error {
  override readonly name = 'MirrorDamage';
}

/** A record as JSON. */
export type Body = Readonly<Record<string, unknown>>;

/** The body in a row. @throws MirrorDamage or SyntaxError when it is not as it was written */
export function bodyOf(text: unknown): Body {
  const body = typeof text === 'string' ? parseJson(text) : null;
  if (typeof body !== 'object' || body === null) throw new MirrorDamage('a record has no body');
  return body as Body;
}

/** Whether an error says that the mirror has to be fetched again. */
export function isMirrorDamage(error: unknown): boolean {
  // Bodies are JSON. Text that is not JSON was changed on the disk.
  return error instanceof MirrorDamage || error instanceof SyntaxError || isUnreadable(error);
}
