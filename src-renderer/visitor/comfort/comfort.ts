/**
 * How the screen meets the person in front of it: where the controls are, contrast, size of text, the voice.
 *
 * Invariants: the stand's set-up is what everybody begins with; what somebody chose holds for their session and is
 * gone with it, or after a while without a touch, so that nobody finds another's choice.
 */
import { useCallback, useEffect, useState } from 'react';
import type { ScreenSetup } from '../../../src-main/contract/stand.ts';
import { followContrast, showComfort } from '../../theme/theme.ts';
import { displayTimes } from '../../times.ts';
import { sessionOf } from '../state/timed-views.ts';
import type { TimedView, View } from '../state/view.ts';

export type Comfort = Pick<ScreenSetup, 'reach' | 'contrast' | 'text'> & {
  /** Whether the screen reads aloud. */
  readonly speech: boolean;
  /** Of the voice, 1 to 5; back in the middle for the next person. */
  readonly volume: number;
};

const usual: Comfort = { reach: 'usual', contrast: 'usual', text: 'usual', speech: false, volume: 3 };

/** What somebody chose, and the tap it was first used with. */
type Choice = { readonly comfort: Partial<Comfort>; readonly tap: string | null };

/**
 * A choice after the display came from `before` to `view`; null where the session is over or another one began.
 * Reading the notice, or a badge that has to be held again, is part of the same. Pure.
 */
export function choiceAt(choice: Choice | null, before: View, view: View): Choice | null {
  if (!choice) return null;
  const tap = 'since' in view ? (sessionOf(view)?.factId ?? null) : null;
  const over = !('since' in view) && 'since' in before && endsTransaction(before);
  if (over || (tap !== null && choice.tap !== null && tap !== choice.tap)) return null;
  return tap !== null && choice.tap === null ? { ...choice, tap } : choice;
}

function endsTransaction(view: TimedView): boolean {
  return sessionOf(view) !== null || view.kind === 'undone' || view.kind === 'notAdmitted';
}

/** The comfort of the screen at `view`, put on the document, the way to change it, and whether somebody asked for it. */
export function useComfort(
  setup: ScreenSetup | null,
  view: View,
): readonly [Comfort, (change: Partial<Comfort>) => void, boolean] {
  const [choice, setChoice] = useState<Choice | null>(null);
  const [before, setBefore] = useState(view);
  const [moreContrast, setMoreContrast] = useState(false);
  useEffect(() => followContrast(window, setMoreContrast), []);

  if (before !== view) {
    setBefore(view);
    setChoice(choiceAt(choice, before, view));
  }
  const atRest = !('since' in view);
  const chosen = choice !== null;
  useEffect(() => (chosen && atRest ? afterSilence(() => setChoice(null)) : undefined), [chosen, atRest]);

  const contrast = moreContrast ? 'high' : (setup?.contrast ?? usual.contrast);
  const comfort: Comfort = { ...usual, ...setup, contrast, ...choice?.comfort };
  const { reach, contrast: shown, text } = comfort;
  useEffect(() => showComfort(window, { reach, contrast: shown, text }), [reach, shown, text]);

  const change = useCallback(
    (wanted: Partial<Comfort>) =>
      setChoice((so) => ({ tap: so?.tap ?? null, comfort: { ...so?.comfort, ...wanted } })),
    [],
  );
  return [comfort, change, chosen];
}

/** Calls `then` once nothing was touched for a while. Returns the way to stop. */
function afterSilence(then: () => void): () => void {
  let timer = setTimeout(then, displayTimes.comfort);
  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(then, displayTimes.comfort);
  };
  window.addEventListener('pointerdown', again, { capture: true });
  window.addEventListener('keydown', again, { capture: true });
  return () => {
    clearTimeout(timer);
    window.removeEventListener('pointerdown', again, { capture: true });
    window.removeEventListener('keydown', again, { capture: true });
  };
}
