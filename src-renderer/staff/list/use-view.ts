/**
 * What the list shows: what the address says, and for a moment what a search found before the address says it.
 *
 * Invariants: the lines of a search are painted before the address is written, which takes as long as drawing them;
 * whatever else goes to another view goes on from what is shown; another address drops what it did not say yet.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { addressOf, goTo } from '../address/address.ts';
import { currentView, type LeadView, paramsOf, viewOf } from '../address/lead-view.ts';

/** A view on show that the address behind `params` does not say yet. */
type Found = { readonly params: URLSearchParams; readonly view: LeadView };

/** The view of an address, and the ways to another one. */
export function useView(params: URLSearchParams): {
  readonly view: LeadView;
  /** Changes the view; `keep`: as a step of its own that Back returns from. */
  readonly show: (change: Partial<LeadView>, keep: boolean) => void;
  /** Draws what a search found at once, and says it in the address after the paint. */
  readonly showFound: (view: LeadView) => void;
} {
  const [found, setFound] = useState<Found | null>(null);
  const unsaid = found?.params === params ? found.view : null;
  const view = useMemo(() => unsaid ?? viewOf(params), [unsaid, params]);
  const later = useRef<{ readonly say: () => void; readonly drop: () => void } | null>(null);
  const drop = useCallback(() => {
    later.current?.drop();
    later.current = null;
  }, []);
  // Another address, or none of this section.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => drop, [params, drop]);

  const show = useCallback((change: Partial<LeadView>, keep: boolean) => {
    later.current?.say();
    goTo(addressOf('leads', paramsOf({ ...currentView(), ...change })), keep);
  }, []);
  const showFound = useCallback(
    (next: LeadView) => {
      drop();
      later.current = afterPaint(() => {
        later.current = null;
        goTo(addressOf('leads', paramsOf(next)), false);
      });
      // Not when React next finds time: whoever typed waits for it.
      flushSync(() => setFound({ params, view: next }));
    },
    [params, drop],
  );
  return { view, show, showFound };
}

/** Does `work` after the next paint, or before it when it is told to say it now; or never, once it is dropped. */
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
