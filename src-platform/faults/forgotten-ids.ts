/**
 * A platform that does not honour the ids of facts: each item of `POST /actions` gets a new id, so that a resend creates
 * another action. The results name the ids that were sent, as any platform's would.
 *
 * Invariant: an undo finds its target by the latest id that stands for it.
 */
import { randomUUID } from 'node:crypto';

type Item = Readonly<Record<string, unknown>>;

export type ForgottenIds = {
  /** A batch with new ids; any other body stays as it is. */
  readonly renew: (body: unknown) => unknown;
  /** An answer with the original ids. */
  readonly restore: (text: string) => string;
};

/** Ids that stand for others, while the faults last. */
export function createForgottenIds(): ForgottenIds {
  const lastNew = new Map<string, string>();
  const sent = new Map<string, string>();
  const renewItem = (item: Item): Item => {
    if (typeof item.id !== 'string') return item;
    const id = randomUUID();
    lastNew.set(item.id, id);
    sent.set(id, item.id);
    const { undoes } = item;
    return { ...item, id, ...(typeof undoes === 'string' ? { undoes: lastNew.get(undoes) ?? undoes } : {}) };
  };
  return {
    renew: (body) =>
      Array.isArray(body)
        ? body.map((item: unknown) =>
            typeof item === 'object' && item !== null ? renewItem(item as Item) : item,
          )
        : body,
    restore: (text) =>
      text.replaceAll(/"id":"([0-9a-f-]{36})"/g, (whole, id: string) =>
        sent.has(id) ? `"id":"${sent.get(id)}"` : whole,
      ),
  };
}
