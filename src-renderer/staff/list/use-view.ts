/**
 * The view of the list. It comes from the URL, or for a moment from a search before the URL changes.
 *
 * Invariants:
 * - The lines of a search are painted before the URL is written, because writing it costs as much as a render.
 * - Every other change of the view starts from the view that is on screen.
 * - Navigation to another URL drops a pending view. The URL of an earlier search does not, because the user has typed
 *   more in the meantime.
 */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { addressOf, goTo } from '../address/address.ts';
import { currentView, type LeadView, paramsOf, viewOf } from '../address/lead-view.ts';

/** A view on screen that the URL behind `params` does not contain yet. */
type Found = { readonly params: URLSearchParams; readonly view: LeadView };

/** The view of a URL, and the functions that change it. */
export function useView(params: URLSearchParams): {
  readonly view: LeadView;
  /** Changes the view; `keep` adds a history entry, so that Back returns. */
  readonly show: (change: Partial<LeadView>, keep: boolean) => void;
  /** Renders the result of a search at once and writes the URL after the paint. */
  readonly showFound: (view: LeadView) => void;
} {
  const [found, setFound] = useState<Found | null>(null);
  /** The URL parameters that were last written by a search. */
  const written = useRef<string | null>(null);
  const isCurrent = found !== null && (found.params === params || params.toString() === written.current);
  const unsaid = isCurrent ? found.view : null;
  const view = useMemo(() => unsaid ?? viewOf(params), [unsaid, params]);
  const later = useRef<{ readonly say: () => void; readonly drop: () => void } | null>(null);
  const drop = useCallback(() => {
    later.current?.drop();
    later.current = null;
  }, []);
  useLayoutEffect(() => {
    if (params.toString() !== written.current) drop();
  }, [params, drop]);
  // After this component unmounts, the URL belongs to another section.
  useEffect(() => drop, [drop]);

  const show = useCallback((change: Partial<LeadView>, keep: boolean) => {
    later.current?.say();
    goTo(addressOf('leads', paramsOf({ ...currentView(), ...change })), keep);
  }, []);
  const showFound = useCallback(
    (next: LeadView) => {
      drop();
      later.current = afterPaint(() => {
        later.current = null;
        const said = paramsOf(next);
        written.current = said.toString();
        goTo(addressOf('leads', said), false);
      });
      // Runs synchronously, because the user who typed is waiting for it.
      flushSync(() => setFound({ params, view: next }));
    },
    [params, drop],
  );
  return { view, show, showFound };
}

/** Runs `work` after the next paint. Flushing runs it earlier, and cancelling prevents it. */
function afterPaint(work: () => void): { readonly say: () => void; readonly drop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  const drop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  return {
    drop,
    say: () => {
      drop();
      work();
    },
  };
}
