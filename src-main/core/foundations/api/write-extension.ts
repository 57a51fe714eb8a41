/**
 * The undocumented write of interactions (docs/interface/undocumented.md#writing-interactions). For a real platform
 * with another interface, change this file and `delivery/outbox/wire.ts`.
 *
 * Invariants:
 * - Results are matched by id, never by position.
 * - An item without a result stays unsettled.
 */
import type { ApiClient } from './client.ts';
import { ApiError } from './error-class.ts';
import { parseJson } from './json.ts';
import { revisionOf } from './page.ts';

/** The platform's result for one item. */
export type ItemResult =
  | {
      readonly id: string;
      readonly result: 'created' | 'duplicate';
      readonly action: string | null;
      readonly revision: bigint | null;
    }
  | { readonly id: string; readonly result: 'rejected'; readonly reason: string };

/**
 * Where items are sent: to the platform (or a hub), or to a hub with a flag that it may already have received them.
 */
export type PostPath = '/actions' | '/hub/again';

/**
 * Posts items (JSON texts) in one request.
 *
 * @throws ApiError; a platform without the extension (404, 405) gives the class `stop` with `takesNoScans`,
 * and an answer that is not a list of results gives `retry` with `reached: 'maybe'`.
 */
export async function postActions(
  client: ApiClient,
  expoId: string,
  items: readonly string[],
  signal?: AbortSignal,
  path: PostPath = '/actions',
): Promise<readonly ItemResult[]> {
  const text = await client
    .post(`${path}/${encodeURIComponent(expoId)}`, `[${items.join(',')}]`, signal)
    .catch((error: unknown) => {
      throw withoutExtension(error);
    });
  const results = readResults(text);
  if (results === null) {
    throw new ApiError({ kind: 'retry', reached: 'maybe' }, 'the answer to a write is not a list of results');
  }
  return results;
}

/** Reads the results of a write; null when the text is not a list. Never throws. */
export function readResults(text: string): readonly ItemResult[] | null {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // It is not JSON. The caller sets the error class.
    return null;
  }
  return Array.isArray(value) ? value.map(resultOf).filter((result) => result !== null) : null;
}

function resultOf(entry: unknown): ItemResult | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { id, result, actionID, revision, errors } = entry as Record<string, unknown>;
  if (typeof id !== 'string') return null;
  if (result === 'rejected') return { id, result, reason: reasonOf(errors) };
  if (result !== 'created' && result !== 'duplicate') return null;
  return {
    id,
    result,
    action: typeof actionID === 'string' ? actionID : null,
    revision: revisionOf(revision),
  };
}

function reasonOf(errors: unknown): string {
  const first: unknown = Array.isArray(errors) ? errors[0] : errors;
  if (typeof first === 'object' && first !== null) {
    const { field, description, error } = first as Record<string, unknown>;
    const words = [field, description ?? error].filter((word) => typeof word === 'string').join(': ');
    if (words !== '') return words.slice(0, 300);
  }
  return typeof first === 'string' && first !== ''
    ? first.slice(0, 300)
    : 'the platform refused it without a reason';
}

function withoutExtension(error: unknown): unknown {
  const refused =
    error instanceof ApiError && error.errorClass.kind === 'reject' ? error.errorClass.status : null;
  return refused === 404 || refused === 405
    ? new ApiError({ kind: 'stop', pause: 'takesNoScans' }, 'the platform takes no scans')
    : error;
}
