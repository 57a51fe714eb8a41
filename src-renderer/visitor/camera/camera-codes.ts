/**
 * Decides which codes of the camera are new: each code is reported once while it stays in view. Pure.
 *
 * Invariants:
 * - Time is an input (milliseconds).
 * - A code that shakes, briefly turns away or is read only now and then is still the same code.
 * - A code that left the view is discarded.
 */
import { cameraTimes } from '../../times.ts';

/** The code in view and when it was last read. */
export type InView = { readonly text: string; readonly at: number } | null;

/** One reading of the camera at `now`: `text` is the code, or null. `shown`: a new code. */
export function look(
  inView: InView,
  text: string | null,
  now: number,
): { readonly inView: InView; readonly shown: string | null } {
  const still = inView && now - inView.at < cameraTimes.outOfView ? inView : null;
  if (text === null || text.trim() === '') return { inView: still, shown: null };
  return { inView: { text, at: now }, shown: still?.text === text ? null : text };
}
