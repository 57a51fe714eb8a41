/**
 * What the team does to leads: each edit a fact, saved at once, and the last one can be taken back.
 *
 * Invariants: what became of an edit is said until the next one; whatever is shown of leads is asked for again after it.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Correction, Edited, LeadEdit } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';

/** How the latest edit ended; `lost`: the device did not answer. */
export type EditAnswer = 'saving' | Edited['kind'] | 'undone' | 'lost';

export type Edits = {
  readonly answer: EditAnswer | null;
  /** Whether there is an edit of this page to take back. */
  readonly canUndo: boolean;
  readonly edit: (lead: string, change: LeadEdit) => Promise<Edited | null>;
  readonly correct: (lead: string, change: Correction) => Promise<Edited | null>;
  /** Any call that ends as an edit does. */
  readonly run: (ask: (link: Link) => Promise<Edited>) => Promise<Edited | null>;
  /** Takes back the latest edit of this page, then the one before. */
  readonly undoLast: () => void;
  readonly undo: (factId: string) => void;
};

/** Edits over `link`. */
export function useEdits(link: Link): Edits {
  const queries = useQueryClient();
  const [answer, setAnswer] = useState<EditAnswer | null>(null);
  const made = useRef<readonly string[]>([]);
  const [count, setCount] = useState(0);

  const asked = useCallback(
    async (ask: (link: Link) => Promise<Edited>): Promise<Edited | null> => {
      setAnswer('saving');
      try {
        const edited = await ask(link);
        setAnswer(edited.kind);
        for (const key of ['lead', 'leads', 'lead-facets', 'worklist'])
          void queries.invalidateQueries({ queryKey: [key] });
        return edited;
      } catch {
        setAnswer('lost');
        return null;
      }
    },
    [link, queries],
  );
  const remember = useCallback((facts: readonly string[]) => {
    made.current = facts;
    setCount(facts.length);
  }, []);
  const run = useCallback(
    async (ask: (link: Link) => Promise<Edited>) => {
      const edited = await asked(ask);
      if (edited?.kind === 'kept') remember([...made.current.slice(-49), edited.factId]);
      return edited;
    },
    [asked, remember],
  );
  const undo = useCallback(
    (factId: string) => {
      remember(made.current.filter((one) => one !== factId));
      void asked((to) => to.call((client, signal) => client.leads.undo({ factId }, { signal }))).then(
        (edited) => edited?.kind === 'kept' && setAnswer('undone'),
      );
    },
    [asked, remember],
  );

  return useMemo(
    () => ({
      answer,
      canUndo: count > 0,
      run,
      edit: (lead, change) =>
        run((to) => to.call((client, signal) => client.leads.edit({ lead, change }, { signal }))),
      correct: (lead, change) =>
        run((to) => to.call((client, signal) => client.leads.correct({ lead, change }, { signal }))),
      undo,
      undoLast: () => {
        const latest = made.current.at(-1);
        if (latest !== undefined) undo(latest);
      },
    }),
    [answer, count, run, undo],
  );
}
