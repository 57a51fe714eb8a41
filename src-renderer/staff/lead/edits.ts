/**
 * Edits of leads by the team: each edit is a fact, saved at once, and the last one can be undone.
 *
 * Invariants:
 * - The result of an edit is shown, with undo, until the next edit and only while its lead is open.
 * - On a phone, the edit of a lead that the device has not confirmed is held in memory (`entry/unsent.ts`) and sent
 *   when the link is back. Any other edit without a link is not sent later. The page says that it was not saved.
 * - When the device has answered, every query about leads is refreshed.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { LeadEdit } from '../../../src-main/contract/lead-fields.ts';
import type { Correction, Edited } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import type { Unsent } from '../entry/unsent.ts';

/**
 * The result of the latest edit; `lost`: the device did not answer; `away`: it was not sent; `held`: it is kept here
 * and sent later.
 */
export type EditAnswer = 'saving' | Edited['kind'] | 'undone' | 'lost' | 'away' | 'held';

export type Edits = {
  readonly answer: EditAnswer | null;
  /** Whether an edit of the open lead can be undone. */
  readonly canUndo: boolean;
  /** The lead to show after the last undo, or null. After an undo, a detached badge is a separate lead again. */
  readonly leadOfUndo: string | null;
  /** Null: it was not saved, and is not held. */
  readonly edit: (lead: string, change: LeadEdit) => Promise<Edited | { readonly kind: 'held' } | null>;
  readonly correct: (lead: string, change: Correction) => Promise<Edited | null>;
  /** Runs any call with the result of an edit. */
  readonly run: (ask: Ask) => Promise<Edited | null>;
  /** Reports which lead is open, or none; undo offers for other leads end. */
  readonly opened: (lead: string | null) => void;
  /**
   * Undoes the latest edit of the open lead, then the one before. The returned function makes the edit again. It is
   * absent if there was nothing to undo.
   */
  readonly undoLast: () => (() => void) | undefined;
  readonly undo: (factId: string) => void;
};

type Ask = (link: Link) => Promise<Edited>;
type Made = { readonly factId: string; readonly lead: string; readonly ask: Ask };

/** Edits over `link`. `unsent`: holds edits without a link. */
export function useEdits(link: Link, unsent: Unsent | null): Edits {
  const queries = useQueryClient();
  const [answer, setAnswer] = useState<EditAnswer | null>(null);
  const made = useRef<readonly Made[]>([]);
  const place = useRef<string | null>(null);
  const [count, setCount] = useState(0);
  const [leadOfUndo, setLeadOfUndo] = useState<string | null>(null);

  const remember = useCallback((edits: readonly Made[]) => {
    made.current = edits;
    setCount(edits.length);
  }, []);
  const asked = useCallback(
    async (ask: Ask, undone: boolean, isHeld = false): Promise<Edited | null> => {
      const at = place.current;
      const isAway = link.state() === 'lost';
      if (!isAway) setAnswer('saving');
      const edited = await ask(link).catch(() => null);
      const kept = edited?.kind === 'kept' ? edited : null;
      // A note is saved when its lead closes. The result is not shown at the next lead.
      if (place.current === at || kept?.lead === place.current) {
        const unanswered = isHeld ? 'held' : isAway ? 'away' : 'lost';
        // If only the answer was lost, the device has the edit already when it is sent again.
        const result = isHeld && edited?.kind === 'same' ? 'kept' : edited?.kind;
        const shown = kept && undone ? 'undone' : (result ?? unanswered);
        // A press on a control whose edit is not held also leaves the note's field, and the note is held. The page
        // keeps saying that the edit was not sent.
        setAnswer((before) => (shown === 'held' && before === 'away' ? before : shown));
        if (kept && !undone) remember([...made.current.slice(-49), { ...kept, ask }]);
      }
      if (kept && undone) setLeadOfUndo(kept.lead);
      if (edited)
        for (const key of ['lead', 'leads', 'lead-facets', 'worklist', 'companies'])
          void queries.invalidateQueries({ queryKey: [key] });
      return edited;
    },
    [link, queries, remember],
  );
  const run = useCallback((ask: Ask) => asked(ask, false), [asked]);
  const edit = useCallback(
    async (lead: string, change: LeadEdit) => {
      const ask: Ask = (to) => to.call((client, signal) => client.leads.edit({ lead, change }, { signal }));
      if (unsent === null) return run(ask);
      unsent.hold(lead, change);
      const edited = await asked(ask, false, true);
      if (edited === null) return { kind: 'held' as const };
      if (edited.kind !== 'failed') unsent.release(lead, change);
      return edited;
    },
    [asked, run, unsent],
  );
  const undo = useCallback(
    (factId: string) => {
      remember(made.current.filter((one) => one.factId !== factId));
      return asked((to) => to.call((client, signal) => client.leads.undo({ factId }, { signal })), true);
    },
    [asked, remember],
  );
  const opened = useCallback(
    (lead: string | null) => {
      place.current = lead;
      const own = made.current.filter((one) => one.lead === lead);
      remember(own);
      if (own.length === 0) setAnswer(null);
    },
    [remember],
  );

  return useMemo(
    () => ({
      answer,
      canUndo: count > 0,
      leadOfUndo,
      run,
      edit,
      correct: (lead, change) =>
        run((to) => to.call((client, signal) => client.leads.correct({ lead, change }, { signal }))),
      undo: (factId) => void undo(factId),
      opened,
      undoLast: () => {
        const latest = made.current.at(-1);
        if (latest === undefined) return undefined;
        const undone = undo(latest.factId);
        return () =>
          void undone.then(async (answer) => {
            if (answer?.kind === 'kept') await run(latest.ask);
          });
      },
    }),
    [answer, count, leadOfUndo, run, edit, undo, opened],
  );
}
