/**
 * The comfort settings of the current person: reach, contrast, text size, voice.
 *
 * Invariants:
 * - The stand's defaults apply at the start.
 * - A choice lasts for the session, or until a time without input, so that the next person does not get it.
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
  /** Volume of the voice, 1 to 5. It is reset to the middle for the next person. */
  readonly volume: number;
};

const usual: Comfort = { reach: 'usual', contrast: 'usual', text: 'usual', speech: false, volume: 3 };

/** The chosen settings, and the tap with which they were first used. */
type Choice = { readonly comfort: Partial<Comfort>; readonly tap: string | null };

/**
 * The choice after the display changed from `before` to `view`; null if the session ended or another one began. Reading
 * the notice, or holding a badge again, belongs to the same session. Pure.
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

/**
 * The comfort settings at `view`, applied to the document; the function that changes them; and whether the person
 * chose any.
 */
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

/** Calls `then` after a time without input. Returns the function that stops it. */
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
