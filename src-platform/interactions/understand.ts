/** Items as received, and as parsed. */
import type { FieldError } from '../http/errors.ts';
import { fieldErrorsOf } from '../http/field-errors.ts';
import { type Item, type ItemResult, itemSchema } from './item.ts';

/** The result of an item that is refused. */
export function reject(id: string | null, errors: readonly FieldError[]): ItemResult {
  return {
    id,
    result: 'rejected',
    errors,
  };
}

/** An empty field counts as absent, so that senders may leave out or leave empty what they do not know. */
function withoutEmpty(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry)
    ? Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null && value !== ''))
    : entry;
}

function idOf(entry: unknown): string | null {
  const id = (entry as { readonly id?: unknown } | null)?.id;
  return typeof id === 'string' ? id.slice(0, 200) : null;
}

/** A parsed item, or why it is invalid. */
export function understand(entry: unknown): Item | ItemResult {
  const parsed = itemSchema.safeParse(withoutEmpty(entry), { reportInput: true });
  if (parsed.success) return parsed.data;
  return reject(idOf(entry), fieldErrorsOf(parsed.error, 'item'));
}

/** Whether it was parsed. */
export function isItem(understood: Item | ItemResult): understood is Item {
  return 'kind' in understood;
}
