/**
 * On a phone of the team: edits of leads that the laptop has not confirmed, in memory only.
 *
 * Invariants:
 * - A lead has one change: a later value of a field, or of a question of the form, replaces the earlier one.
 * - A value is removed when the laptop has confirmed this value. The confirmation of an earlier value does not remove
 *   it.
 */
import type { LeadEdit } from '../../../src-main/contract/lead-fields.ts';

export type Unsent = {
  /** The changes by lead. The same map until one changes. */
  readonly changes: () => ReadonlyMap<string, LeadEdit>;
  readonly subscribe: (listener: () => void) => () => void;
  readonly hold: (lead: string, change: LeadEdit) => void;
  readonly release: (lead: string, change: LeadEdit) => void;
};

/** Holds nothing at first. */
export function createUnsent(): Unsent {
  const listeners = new Set<() => void>();
  let held: ReadonlyMap<string, LeadEdit> = new Map();
  const put = (lead: string, change: LeadEdit): void => {
    const next = new Map(held);
    if (Object.keys(change).length === 0) next.delete(lead);
    else next.set(lead, change);
    held = next;
    for (const listener of [...listeners]) listener();
  };
  return {
    changes: () => held,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    hold: (lead, change) => {
      const before = held.get(lead) ?? {};
      const form = { ...before.form, ...change.form };
      put(lead, { ...before, ...change, ...(Object.keys(form).length > 0 ? { form } : {}) });
    },
    release: (lead, change) => {
      const before = held.get(lead);
      if (before === undefined) return;
      const { form: answers = {}, ...fields } = before;
      const form = without(answers, change.form ?? {});
      put(lead, { ...without(fields, change), ...(Object.keys(form).length > 0 ? { form } : {}) });
    },
  };
}

/** The entries of `held` that `sent` does not have with the same value. */
function without<Value>(held: Readonly<Record<string, Value>>, sent: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(held).filter(([name, value]) => value !== sent[name]));
}
